// SPDX-License-Identifier: Apache-2.0

// Real streams whose pictures devices reconstruct, with the sums of decoder_streams_test. They are
// not part of the repository (tests/test_data/test_data.h).
#include <millrace/algorithms/h264/reconstruction/cpu/reconstruct_simd.h>
#include <millrace/algorithms/h264/reconstruction/tasks/reconstruct_on.h>
#include <millrace/algorithms/h264/stream/decoded_md5_test_helper.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/test_data/test_data.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace millrace::h264 {
namespace {

// Returns the sum that ffmpeg-decode-md5.txt has of a stream; "" without it.
std::string published_sum(const std::string& stream) {
  std::ifstream file(test_data::find("ffmpeg-decode-md5"));
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, sum;
    words >> name >> sum;
    if (name.starts_with(stream + ".") && sum.starts_with("MD5=")) return sum.substr(4);
  }
  return "";
}

class DecodeOnDevicesTest : public conformance::PolicyTest {
 protected:
  // Decodes a stream, of which the device reconstructs every n-th picture and the CPU the others,
  // and returns the sum of the cropped I420 pictures in output order. Pictures refer to each other,
  // so a wrong sample of the device's is in many of them.
  std::string decoded_sum(const std::string& path, int every) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
    int pictures = 0;
    int runs = 0;
    DecoderOptions options;
    options.take_fault = [](const StreamFault& fault) { ADD_FAILURE() << fault.message; };
    options.reconstruct = [&](const ParsedPicture& picture, const FindPicture& find,
                              SamplePicture& output) {
      if (pictures++ % every != 0) return reconstruct_picture_simd(picture, find, output);
      const ReconstructionJob job{&picture, find, &output};
      const PictureTasks tasks = runs++ % 2 == 0 ? PictureTasks::kMacroblocks : PictureTasks::kOne;
      const RunReport report = reconstruct_on(*queue, {&job, 1}, {tasks, {.policy = policy}});
      EXPECT_EQ(report.policy, policy);
    };
    return decode_to_md5(bytes, options).md5;
  }
};

// Short streams: I, P and B, CAVLC and CABAC, the 8x8 transform, scaling lists, I_PCM.
TEST_P(DecodeOnDevicesTest, GivesThePicturesOfThePublishedSums) {
  struct Stream {
    const char* name;
    int simulated;  // A simulated device reconstructs every picture of this number.
  };
  constexpr Stream kStreams[] = {{"BASQP1_Sony_C", 2},     {"SVA_BA1_B", 6},
                                 {"QCIF_2P_I_allIPCM", 1}, {"FRExt1_Panasonic", 7},
                                 {"FRExt3_Panasonic", 5},  {"HCAFR1_HHI", 9},
                                 {"test_qcif_cabac", 14},  {"test_scalinglist_jm", 4}};
  int decoded = 0;
  for (const Stream& stream : kStreams) {
    SCOPED_TRACE(stream.name);
    const std::string path = test_data::find(stream.name);
    const std::string sum = published_sum(stream.name);
    if (path.empty() || sum.empty()) continue;
    EXPECT_EQ(
        decoded_sum(path, static_cast<int>(scaled(1, static_cast<std::size_t>(stream.simulated)))),
        sum);
    ++decoded;
  }
  if (decoded == 0) GTEST_SKIP() << "SKIPPED: no ffmpeg-decode-md5.txt with streams beside it";
}

INSTANTIATE_TEST_SUITE_P(H264, DecodeOnDevicesTest,
                         testing::Combine(testing::ValuesIn(conformance::device_names()),
                                          testing::ValuesIn(kConcretePolicies)),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::h264
