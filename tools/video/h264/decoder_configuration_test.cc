// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/h264/decoder_configuration.h>
#include <millrace/tools/video/h264/stream_kind.h>

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace millrace::tools {
namespace {

using Bytes = std::vector<std::uint8_t>;

class Recorder final : public h264::NalUnitReceiver {
 public:
  void receive(std::span<const std::uint8_t> unit, std::int64_t byte, int framing_bytes) override {
    units.emplace_back(unit.begin(), unit.end());
    bytes.push_back(byte);
    framing = framing_bytes;
  }
  void receive_beside(std::span<const std::uint8_t> unit) override { receive(unit, 0, 0); }
  void note_loss() override { ++losses; }

  std::vector<Bytes> units;
  std::vector<std::int64_t> bytes;
  int framing = 0;
  int losses = 0;
};

TEST(DecoderConfiguration, HasParameterSets) {
  const Bytes box = {1, 66, 0, 30, 0xfd, 0xe1, 0, 2, 0x67, 1, 2, 0, 1, 0x68, 0, 1, 0x69};
  const auto configuration = read_configuration(box);
  ASSERT_TRUE(configuration);
  EXPECT_EQ(configuration->length_bytes, 2);
  EXPECT_EQ(configuration->parameter_sets, (std::vector<Bytes>{{0x67, 1}, {0x68}, {0x69}}));
  for (std::size_t size = 0; size < box.size(); ++size) {
    const auto cut = read_configuration(Bytes(box.begin(), box.begin() + static_cast<long>(size)));
    EXPECT_EQ(cut.has_value(), size >= 6) << size;
    if (cut) {
      EXPECT_LE(cut->parameter_sets.size(), 2u);
    }
  }
}

TEST(DecoderConfiguration, IsNotAByteStream) {
  EXPECT_FALSE(read_configuration(Bytes{0, 0, 0, 1, 0x67, 1, 2}));
  EXPECT_FALSE(read_configuration(Bytes{1, 66, 0, 30, 0xfe, 0xe0}));  // Lengths of 3 bytes.
}

TEST(Sample, HasUnitsBehindTheirLengths) {
  Recorder recorder;
  EXPECT_TRUE(pass_on_sample(Bytes{0, 2, 0x65, 1, 0, 0, 0, 1, 0x41}, 2, 100, recorder));
  EXPECT_EQ(recorder.units, (std::vector<Bytes>{{0x65, 1}, {0x41}}));
  EXPECT_EQ(recorder.bytes, (std::vector<std::int64_t>{102, 108}));
  EXPECT_EQ(recorder.framing, 2);
}

TEST(Sample, ThatIsCutLosesItsRest) {
  Recorder recorder;
  EXPECT_FALSE(pass_on_sample(Bytes{0, 1, 0x65, 0, 9, 0x41}, 2, 0, recorder));
  EXPECT_FALSE(pass_on_sample(Bytes{0xff, 0xff, 0xff}, 4, 0, recorder));
  EXPECT_FALSE(pass_on_sample(Bytes{0xff, 0xff, 0xff, 0xff, 1}, 4, 0, recorder));
  EXPECT_EQ(recorder.units, (std::vector<Bytes>{{0x65}}));
  EXPECT_EQ(recorder.losses, 3);
}

StreamKind kind(const Bytes& bytes) {
  return stream_kind({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

TEST(StreamKind, IsByContent) {
  EXPECT_EQ(kind({0, 0, 0, 1, 0x67, 66}), StreamKind::kByteStream);
  EXPECT_EQ(kind({0, 0, 1, 0x09, 0x10}), StreamKind::kByteStream);
  EXPECT_EQ(kind({0, 0, 0, 0, 0, 1, 0x65, 0x88}), StreamKind::kByteStream);
  EXPECT_EQ(kind({0, 0, 1, 0x0a}), StreamKind::kByteStream);  // The end of a sequence.
  EXPECT_EQ(kind({0x0a, 0x0d, 0x0d, 0x0a, 28, 0, 0, 0, 0x4d, 0x3c, 0x2b, 0x1a}),
            StreamKind::kCapture);
  EXPECT_EQ(kind({0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0}), StreamKind::kCapture);
}

TEST(StreamKind, OfOtherCodecsIsLeftToFfmpeg) {
  EXPECT_EQ(kind({0, 0, 0, 1, 0x40, 1, 0x0c}), StreamKind::kContainer);     // HEVC, VPS.
  EXPECT_EQ(kind({0, 0, 0, 1, 0x42, 1, 1}), StreamKind::kContainer);        // HEVC, SPS.
  EXPECT_EQ(kind({0, 0, 0, 1, 0x46, 1, 0x50}), StreamKind::kContainer);     // HEVC, delimiter.
  EXPECT_EQ(kind({0, 0, 1, 0xb3, 0x14}), StreamKind::kContainer);           // MPEG-2.
  EXPECT_EQ(kind({0, 0, 1, 0xba, 0x44}), StreamKind::kContainer);           // MPEG-PS.
  EXPECT_EQ(kind({0, 0, 1, 0x00, 0, 0, 1, 0x20}), StreamKind::kContainer);  // MPEG-4.
  EXPECT_EQ(kind({0, 0, 1}), StreamKind::kContainer);
  EXPECT_EQ(kind({}), StreamKind::kContainer);
}

}  // namespace
}  // namespace millrace::tools
