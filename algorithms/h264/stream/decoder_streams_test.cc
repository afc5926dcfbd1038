// SPDX-License-Identifier: Apache-2.0

// Real streams, whose decoded pictures have published sums. They are not part of the repository
// (tests/test_data/test_data.h).
#include <millrace/algorithms/h264/stream/decoded_md5_test_helper.h>
#include <millrace/algorithms/h264/stream/md5_test_helper.h>
#include <millrace/tests/test_data/test_data.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace millrace::h264 {
namespace {

std::vector<std::uint8_t> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct TestStream {
  std::string path;
  std::string md5;
  bool is_lossy = false;
};

std::ostream& operator<<(std::ostream& out, const TestStream& stream) { return out << stream.path; }

// Returns the streams of ffmpeg-decode-md5.txt: "NAME MD5=SUM errs=0", or errs=some.
std::vector<TestStream> streams() {
  std::vector<TestStream> streams;
  const std::string list = test_data::find("ffmpeg-decode-md5");
  std::ifstream file(list);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, md5, errors;
    words >> name >> md5 >> errors;
    if (!md5.starts_with("MD5=")) continue;
    // FFmpeg's command rounds the left cropping of this stream; with -flags unaligned, which crops
    // as the stream says, its sum is this one (tools/benchmarks/workloads/h264/stream_work_test.cc
    // computes it).
    if (name == "CVFC1_Sony_C.jsv") md5 = "MD5=9fdb17e17d332b5d9752362c9c7ff9b0";
    streams.push_back({(std::filesystem::path(list).parent_path() / name).string(), md5.substr(4),
                       errors != "errs=0"});
  }
  return streams;
}

TEST(Md5, IsThatOfRfc1321) {
  const auto sum = [](const std::string& text) {
    Md5 md5;
    md5.add({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    return md5.finish();
  };
  EXPECT_EQ(sum(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(sum("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
  EXPECT_EQ(sum("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"),
            "d174ab98d277d9f5a5611c2c9f419d9f");
}

// Without optimisation, larger streams take minutes.
bool is_too_large([[maybe_unused]] const TestStream& stream) {
#ifdef __OPTIMIZE__
  return false;
#else
  return std::filesystem::file_size(stream.path) > 1'000'000;
#endif
}

class DecoderStreamsTest : public testing::TestWithParam<TestStream> {};

TEST_P(DecoderStreamsTest, GivesTheSamePicturesByAThreadOfItsOwn) {
  constexpr std::size_t kMostBytes = 300'000;  // Larger ones take long.
  const std::vector<std::uint8_t> bytes = read_file(GetParam().path);
  if (bytes.size() > kMostBytes) GTEST_SKIP() << "one thread decodes this stream";
  const DecodedMd5 one = decode_to_md5(bytes);
  const DecodedMd5 two = decode_to_md5(bytes, {.has_thread = true});
  EXPECT_EQ(two.md5, one.md5);
  EXPECT_EQ(two.statistics.frames, one.statistics.frames);
  EXPECT_EQ(two.statistics.faults, one.statistics.faults);
  EXPECT_EQ(two.statistics.concealed_macroblocks, one.statistics.concealed_macroblocks);
  EXPECT_EQ(two.statistics.missing.lost, one.statistics.missing.lost);
  EXPECT_EQ(two.statistics.missing.dropped, one.statistics.missing.dropped);
}

TEST_P(DecoderStreamsTest, GivesThePicturesOfThePublishedSum) {
  const TestStream& stream = GetParam();
  if (is_too_large(stream)) GTEST_SKIP() << "SKIPPED: build with -c opt for this stream";
  const DecodedMd5 decoded = decode_to_md5(read_file(stream.path));
  if (stream.is_lossy) {  // Concealment is each decoder's own; of these nothing is concealed.
    EXPECT_GT(decoded.statistics.frames, 0);
    const std::string name = std::filesystem::path(stream.path).stem();
    if (name != "BA_MW_D_IDR_LOST" && name != "SVA_FM1_E") return;
    EXPECT_EQ(decoded.md5, stream.md5);
    EXPECT_EQ(decoded.statistics.concealed_macroblocks, 0);
    return;
  }
  EXPECT_EQ(decoded.md5, stream.md5);
  EXPECT_EQ(decoded.statistics.faults, 0);
  EXPECT_EQ(decoded.statistics.concealed_macroblocks, 0);
  EXPECT_EQ(decoded.statistics.missing_references, 0);
  EXPECT_EQ(decoded.statistics.missing.lost, 0);
  EXPECT_EQ(decoded.statistics.missing.dropped, 0);
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DecoderStreamsTest);
INSTANTIATE_TEST_SUITE_P(, DecoderStreamsTest, testing::ValuesIn(streams()), [](const auto& info) {
  std::string name = std::filesystem::path(info.param.path).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

TEST(DecoderStreams, AreThere) {
  if (streams().empty()) GTEST_SKIP() << "SKIPPED: no ffmpeg-decode-md5.txt with streams beside it";
}

TEST(DecoderStreams, LossesAreConcealedAndSaid) {
  const std::string path = test_data::find("BA_MW_D_P_LOST");
  if (path.empty()) GTEST_SKIP() << "SKIPPED: no BA_MW_D_P_LOST.264";
  const DecodedMd5 decoded = decode_to_md5(read_file(path));
  EXPECT_EQ(decoded.statistics.frames, 99);  // One of 100 is lost.
  EXPECT_GT(decoded.statistics.faults, 0);
  EXPECT_GT(decoded.statistics.missing_references, 0);
  // frame_num goes from 0 to 2, and the sequence does not allow gaps.
  EXPECT_EQ(decoded.statistics.missing.lost, 1);
  EXPECT_EQ(decoded.statistics.missing.dropped, 0);
}

// Five of its six pictures have lost slices: by first_mb_in_slice of the others and the pictures'
// sizes, 264, 264, 264 and 132 macroblocks of 396, and 400 of 1,200.
TEST(DecoderStreams, LostSlicesAreConcealedAndSaid) {
  const std::string path = test_data::find("Error_I_P");
  if (path.empty()) GTEST_SKIP() << "SKIPPED: no Error_I_P.264";
  const DecodedMd5 decoded = decode_to_md5(read_file(path));
  EXPECT_EQ(decoded.statistics.frames, 6);
  EXPECT_EQ(decoded.statistics.concealed_macroblocks, 3 * 264 + 132 + 400);
  EXPECT_EQ(decoded.statistics.pictures_with_concealment, 5);
  EXPECT_EQ(decoded.statistics.faults, 5);
}

TEST(DecoderStreams, PicturesBeforeTheFirstIntraPictureAreDroppedAndSaid) {
  const std::string path = test_data::find("BA_MW_D_IDR_LOST");
  if (path.empty()) GTEST_SKIP() << "SKIPPED: no BA_MW_D_IDR_LOST.264";
  const DecodedMd5 decoded = decode_to_md5(read_file(path));
  // BA_MW_D has 100 pictures, and each 30th is an IDR picture. The first three are lost, and the 27
  // before the second IDR picture have no reference.
  EXPECT_EQ(decoded.statistics.frames, 70);
  EXPECT_EQ(decoded.statistics.missing.dropped, 27);
  EXPECT_EQ(decoded.statistics.missing.lost, 0);
  EXPECT_EQ(decoded.statistics.faults, 1);
  EXPECT_EQ(decoded.statistics.missing_references, 0);
}

// Damaged streams give some pictures and no crash.
TEST(DecoderStreams, DamagedStreamsAreDecodedToTheirEnd) {
  const std::string path = test_data::find("test_qcif_cabac");
  if (path.empty()) GTEST_SKIP() << "SKIPPED: no test_qcif_cabac.264";
  const std::vector<std::uint8_t> sound = read_file(path);
  std::int64_t concealed = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    std::vector<std::uint8_t> bytes = sound;
    for (unsigned i = 0; i < 1 + seed; ++i) {
      bytes[100 + random() % (bytes.size() - 100)] ^= static_cast<std::uint8_t>(1u << random() % 8);
    }
    const DecodedMd5 decoded = decode_to_md5(bytes);
    EXPECT_LE(decoded.statistics.concealed_fraction(), 1);
    concealed += decoded.statistics.concealed_macroblocks;
  }
  EXPECT_GT(concealed, 0);
}

}  // namespace
}  // namespace millrace::h264
