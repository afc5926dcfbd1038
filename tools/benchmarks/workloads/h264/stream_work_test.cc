// SPDX-License-Identifier: Apache-2.0

// Vectors and QPs of streams are those that libavcodec exports as side data of their frames, and
// pictures are those that it decodes.
#include <millrace/algorithms/h264/picture_sink.h>
#include <millrace/algorithms/h264/stream/md5_test_helper.h>
#include <millrace/algorithms/h264/stream/push_stream.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>
#include <millrace/algorithms/h264/stream/testing/seed_streams.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/test_data/test_data.h>
#include <millrace/tools/benchmarks/workloads/h264/stream_work.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

// 12 frames of 64x64 luma samples, with P and B pictures (tests/test_data/BUILD).
constexpr char kStored[] = "tests/test_data/streams/testsrc2_64x64.264";

std::vector<std::uint8_t> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Streams that the list has as lossy, of which libavcodec conceals nothing. Both decoders drop the
// pictures of BA_MW_D_IDR_LOST before its first IDR picture.
constexpr const char* kExactWithLosses[] = {"BA_MW_D_IDR_LOST", "SVA_FM1_E"};

// Returns the streams beside the checkout that are decoded without concealment
// (tests/test_data/test_data.h): "NAME MD5=SUM errs=0" in ffmpeg-decode-md5.txt.
std::vector<std::string> real_streams() {
  std::vector<std::string> paths;
  const std::string list = test_data::find("ffmpeg-decode-md5");
  std::ifstream file(list);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, md5, errors;
    words >> name >> md5 >> errors;
    const std::filesystem::path path = std::filesystem::path(list).parent_path() / name;
    const bool is_exact =
        errors == "errs=0" || std::ranges::count(kExactWithLosses, path.stem().string()) > 0;
    if (md5.starts_with("MD5=") && is_exact) paths.push_back(path.string());
  }
  return paths;
}

std::vector<std::string> streams() {
  std::vector<std::string> paths = real_streams();
  paths.emplace_back(kStored);
  for (const std::string name : h264::kSeedStreams) {
    // Its second sequence parameter set has the id of the first and another size, and the picture
    // parameter set is not sent again: libavcodec goes on with the first one's size.
    if (name == "several_sets") continue;
    paths.push_back("tests/fuzz/seeds/h264_stream/" + name + ".264");
  }
  return paths;
}

StreamFaults faults_of(const std::string& path) {
  return path.find("BA_MW_D_IDR_LOST") != path.npos ? StreamFaults::kIgnore : StreamFaults::kThrow;
}

// Tools that the slices of a stream have.
class ToolFinder final : public h264::PictureSink {
 public:
  explicit ToolFinder(const std::vector<std::uint8_t>& stream) {
    h264::StreamParser parser(*this, {.wants_coefficients = false});
    h264::push_stream(stream, parser);
  }

  void decode(const std::shared_ptr<const h264::ParsedPicture>& picture) override {
    has_gaps = has_gaps || picture->is_inferred;
    for (std::size_t i = 0; i < picture->slices.size(); ++i) {
      const h264::SliceHeader& header = picture->slices[i].header;
      const h264::PictureParameters& parameters = *picture->picture_parameters[i];
      const bool is_p = header.type == h264::SliceType::kP;
      is_predicted = is_predicted || header.type != h264::SliceType::kI;
      // An x264 stream has a table of weights that are all 1.
      has_weights =
          has_weights || (is_p && parameters.has_weighted_prediction &&
                          (header.weights[0][0].weight[0] != 1 << header.luma_weight_shift ||
                           header.weights[0][0].offset[0] != 0));
      has_temporal_cabac = has_temporal_cabac || (header.type == h264::SliceType::kB &&
                                                  parameters.is_cabac && !header.is_direct_spatial);
    }
  }
  void fault(const h264::StreamFault&) override {}

  bool is_predicted = false, has_weights = false, has_temporal_cabac = false, has_gaps = false;
};

class StreamDecisionsTest : public testing::TestWithParam<std::string> {};

TEST_P(StreamDecisionsTest, AreThoseOfLibavcodec) {
  const std::vector<std::uint8_t> stream = read_file(GetParam());
  ASSERT_FALSE(stream.empty()) << GetParam();
  const H264Peer peer(stream);
  ComparedDecisions compared;
  ASSERT_NO_THROW(compared = check_decisions(stream, peer, faults_of(GetParam())));
  EXPECT_GT(compared.pictures, 0);
  const bool is_predicted = ToolFinder(stream).is_predicted;
  EXPECT_EQ(compared.vectors > 0, is_predicted);
  EXPECT_EQ(compared.predicted_blocks > 0, is_predicted);
}

// The published sums of larger streams are compared in algorithms/h264/stream.
TEST_P(StreamDecisionsTest, GivePicturesOfLibavcodec) {
  constexpr std::size_t kMostBytes = 1'000'000;
  const std::vector<std::uint8_t> stream = read_file(GetParam());
  if (stream.size() > kMostBytes) GTEST_SKIP() << "takes long";
  EXPECT_NO_THROW(check_samples(stream, H264Peer(stream), faults_of(GetParam())));
}

INSTANTIATE_TEST_SUITE_P(, StreamDecisionsTest, testing::ValuesIn(streams()), [](const auto& info) {
  std::string name = std::filesystem::path(info.param).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

TEST(StreamDecisions, SeedsHaveTheirTools) {
  EXPECT_TRUE(ToolFinder(h264::seed_stream("gaps")).has_gaps);
  EXPECT_TRUE(ToolFinder(h264::seed_stream("weighted")).has_weights);
  EXPECT_TRUE(ToolFinder(h264::seed_stream("temporal_cabac")).has_temporal_cabac);
}

// FFmpeg's command rounds the left cropping of this stream to keep rows aligned, and publishes the
// sum of those pictures. Cropped as the stream says, libavcodec's pictures have the sum that
// algorithms/h264/stream/decoder_streams_test.cc expects of ours.
TEST(StreamDecisions, PicturesAreCroppedAsTheStreamSays) {
  const std::string path = test_data::find("CVFC1_Sony_C");
  if (path.empty()) GTEST_SKIP() << "SKIPPED: no CVFC1_Sony_C.jsv";
  const std::vector<std::uint8_t> stream = read_file(path);
  h264::Md5 md5;
  H264Peer(stream).decode([&](const H264PeerPicture& picture) {
    for (int plane = 0; plane < 3; ++plane) {
      const int shift = plane == 0 ? 0 : 1;
      for (int y = 0; y < picture.height >> shift; ++y) {
        md5.add({picture.planes[plane] + y * picture.strides[plane],
                 static_cast<std::size_t>(picture.width >> shift)});
      }
    }
  });
  EXPECT_EQ(md5.finish(), "9fdb17e17d332b5d9752362c9c7ff9b0");
  EXPECT_NO_THROW(check_samples(stream, H264Peer(stream)));
}

TEST(StreamDecisions, VectorsAndQpsAreCompared) {
  const std::vector<std::uint8_t> stream = read_file(kStored);
  const ComparedDecisions compared = check_decisions(stream, H264Peer(stream));
  EXPECT_EQ(compared.pictures, 12);
  EXPECT_EQ(compared.qps, 12 * 16);
  EXPECT_GT(compared.vectors, 12 * 16 / 2);
  EXPECT_GE(compared.predicted_blocks, compared.vectors);
}

TEST(StreamDecisions, OtherStreamsHaveOthers) {
  const std::vector<std::uint8_t> stream = read_file(kStored);
  // Without its last picture, which is the NAL unit behind the last start code.
  const std::vector<std::uint8_t> code = {0, 0, 1};
  const auto last = std::find_end(stream.begin(), stream.end(), code.begin(), code.end());
  const std::vector<std::uint8_t> shorter(stream.begin(), last);
  EXPECT_THROW(check_decisions(stream, H264Peer(shorter)), Error);
}

}  // namespace
}  // namespace millrace::tools
