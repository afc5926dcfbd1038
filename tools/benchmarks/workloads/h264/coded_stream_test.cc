// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/peers/h264_peer.h>
#include <millrace/tools/benchmarks/workloads/h264/coded_stream.h>
#include <millrace/tools/benchmarks/workloads/h264/made_streams.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

constexpr int kPictures = 5;
constexpr int kWidth = 400;  // More than twice that of QCIF, 176, by 24 columns on each side.
constexpr int kHeight = 288;
constexpr int kBorder = 24;

constexpr int luma_of(int picture) { return 40 + 30 * picture; }

class CodedStreamTest : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(clip_); }

  // Writes a clip of 25 pictures a second, each of one luma value between white columns.
  void put_clip() const {
    std::ofstream clip(clip_, std::ios::binary);
    clip << "YUV4MPEG2 W" << kWidth << " H" << kHeight << " F25:1 C420jpeg\n";
    for (int picture = 0; picture < kPictures; ++picture) {
      clip << "FRAME\n";
      for (int y = 0; y < kHeight; ++y) {
        clip << std::string(kBorder, '\xeb');
        clip << std::string(kWidth - 2 * kBorder, static_cast<char>(luma_of(picture)));
        clip << std::string(kBorder, '\xeb');
      }
      clip << std::string(kWidth * kHeight / 2, '\x80');
    }
  }

  // Returns the stream; none where no encoder is linked.
  std::optional<CodedStream> stream_of(const std::string& kind) const {
    try {
      return coded_stream_of(clip_ + ":" + kind, 100);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kUnsupported) throw;
      return {};
    }
  }

  const std::string clip_ = testing::TempDir() + "/coded_stream_test.y4m";
};

TEST_F(CodedStreamTest, AClipIsCroppedShrunkAndResampledInTime) {
  put_clip();
  const std::optional<CodedStream> stream = stream_of("qcif-64k-main");
  if (!stream) GTEST_SKIP() << "SKIPPED: no libx264";
  EXPECT_EQ(stream->frames_per_second, 15);
  std::vector<int> lumas;
  H264Peer(stream->bytes).decode([&](const H264PeerPicture& picture) {
    EXPECT_EQ(picture.width, 176);
    EXPECT_EQ(picture.height, 144);
    lumas.push_back(picture.planes[0][0]);
  });
  // Pictures 0, 1 and 2 of 15 a second are at 0, 1.67 and 3.33 of 25 a second. Picture 3 is at 5,
  // which the clip has no more.
  ASSERT_EQ(lumas.size(), 3U);
  constexpr int kMostCodingError = 8;
  EXPECT_NEAR(lumas[0], luma_of(0), kMostCodingError);
  EXPECT_NEAR(lumas[1], luma_of(1), kMostCodingError);
  EXPECT_NEAR(lumas[2], luma_of(3), kMostCodingError);
}

TEST_F(CodedStreamTest, MadeStreamsHaveTheirRate) {
  constexpr int kMade = 25;
  for (const StreamSettings& settings : made_streams()) {
    if (settings.width > 352) continue;  // Takes long.
    std::vector<std::uint8_t> stream;
    try {
      stream = make_stream(settings, kMade);
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::kUnsupported);
      GTEST_SKIP() << "SKIPPED: no libx264";
    }
    const double rate =
        8.0 * static_cast<double>(stream.size()) * settings.frames_per_second / kMade;
    EXPECT_NEAR(rate / settings.bits_per_second, 1, 0.1) << settings.name;
  }
}

TEST_F(CodedStreamTest, AClipThatIsTooSmallIsRejected) {
  put_clip();
  try {
    coded_stream_of(clip_ + ":1080p-cabac", 100);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_NE(std::string(error.what()).find("is 400x288; give a clip of 1920x1080 or more"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(CodedStreamTest, AFileThatIsNoStreamSaysHowToEncodeIt) {
  put_clip();
  try {
    coded_stream_of(clip_, 100);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("write " + clip_ + ":cif-300k-main"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(CodedStreamTest, AnInputOfAClipNamesAKind) {
  EXPECT_TRUE(is_clip_input("flower.y4m:cif-300k-main"));
  EXPECT_TRUE(is_clip_input("a:b.y4m:qcif-64k-baseline"));
  EXPECT_FALSE(is_clip_input("flower.y4m"));
  EXPECT_FALSE(is_clip_input("flower.y4m:vga"));
  EXPECT_FALSE(is_clip_input(":cif-300k-main"));
  EXPECT_FALSE(is_clip_input("cif-300k-main"));
}

}  // namespace
}  // namespace millrace::tools
