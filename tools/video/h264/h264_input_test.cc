// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/nal_unit_receiver.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/test_folder.h>
#include <millrace/tools/video/h264/h264_input.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <span>
#include <string>

namespace millrace::tools {
namespace {

using namespace std::string_literals;

class H264InputTest : public TestFolder {
 protected:
  // Returns the error of a file of these bytes, behind its name.
  std::string error_of(const std::string& name, const std::string& bytes) const {
    const std::string file = put(name, bytes);
    try {
      open_h264(file, {});
    } catch (const Error& error) {
      const std::string text = error.what();
      EXPECT_TRUE(text.starts_with(file + ": ")) << text;
      return text.substr(file.size() + 2);
    }
    return "no error";
  }
};

// A local header and the name of its member (APPNOTE.TXT 4.3.7).
const std::string kZip =
    "PK\3\4\x14\0\0\0\0\0"s + std::string(16, 'x') + "\x09\0\0\0"s + "arr_0.npy" + "data";

TEST_F(H264InputTest, FilesOfKnownKindsAreNamed) {
  const std::string zeros(600, '\0');
  EXPECT_EQ(error_of("clip.264", kZip),
            "is a zip archive (.npz, .zip), not an H.264 stream; give a byte stream or a container "
            "of one");
  EXPECT_THROW(open_h264(path("clip.264"), {}), NoVideo);
  EXPECT_TRUE(error_of("clip.264", "\x1f\x8b\x08\0\0\0\0\0\2\xff"s + zeros)
                  .starts_with("is a gzip file, not an H.264 stream"));
  EXPECT_TRUE(error_of("clip.h264", "\x89PNG\r\n\x1a\n" + zeros)
                  .starts_with("is a PNG picture, not an H.264 stream"));
  EXPECT_TRUE(error_of("clip.264", "%PDF-1.7\n" + zeros)
                  .starts_with("is a PDF document, not an H.264 stream"));
}

// Counts NAL units.
class UnitCounter final : public h264::NalUnitReceiver {
 public:
  void receive(std::span<const std::uint8_t>, std::int64_t, int) override { ++units; }
  void receive_beside(std::span<const std::uint8_t>) override {}
  void note_loss() override {}

  int units = 0;
};

// A unit ends where the next one begins, or the stream.
TEST_F(H264InputTest, AFollowedFileEndsWhenItIsRemoved) {
  const std::string file = put("live.264", "\0\0\1\x09\xf0\0\0\1\x09\xf0"s);
  const H264Input input = open_h264(file, {.following = Following::kPolls});
  UnitCounter counter;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(input.source->read(counter));
  EXPECT_EQ(counter.units, 1);
  std::ofstream(file, std::ios::app | std::ios::binary) << "\0\0\1\x09\x10"s;
  std::filesystem::remove(file);
  EXPECT_TRUE(input.source->read(counter));  // What was written before that.
  EXPECT_EQ(counter.units, 2);
  EXPECT_FALSE(input.source->read(counter));
  EXPECT_EQ(counter.units, 3);
}

// FFmpeg takes each of these for a byte stream by its name.
TEST_F(H264InputTest, ANameMakesNoByteStream) {
  std::mt19937 random(1);        // Other noise may begin as one of FFmpeg's many formats does.
  std::string noise = "PK\3\4";  // The beginning of a zip archive, and no more of it.
  while (noise.size() < 5000) noise += static_cast<char>(2 + random() % 254);
  for (const char* const name : {"clip.264", "clip.h264", "clip.avc", "clip.26l", "clip.bin"}) {
    const std::string error = error_of(name, noise);
    EXPECT_TRUE(error.starts_with("is no H.264 stream, capture or video, or is encrypted"))
        << name << ": " << error;
  }
}

}  // namespace
}  // namespace millrace::tools
