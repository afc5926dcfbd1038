// SPDX-License-Identifier: Apache-2.0

// Tests that the outputs of `millrace features` agree with each other and with the guide.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tools/command/features/output/feature_columns.h>
#include <millrace/tools/command/features/output/testing/feature_tables.h>
#include <millrace/tools/command/features/output/testing/read_npz_array.h>
#include <millrace/tools/video/made_clips.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace millrace::end_to_end {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::size_t kMacroblocks = 16;  // A picture of real.264 has so many.

class FeaturesOutputsTest : public EndToEndTest {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    fs::copy_file(fs::absolute("tests/test_data/streams/testsrc2_64x64.264"), path("real.264"));
  }

  static std::vector<json> parsed(const std::string& text) {
    std::vector<json> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(json::parse(line));
    return lines;
  }
};

TEST_F(FeaturesOutputsTest, MapsSumUpToTheFeaturesOfTheirFrame) {
  const Finished finished =
      run({"features", "real.264", "--macroblocks", "m.npz", "--format", "ldjson"});
  ASSERT_EQ(finished.exit_status, 0) << finished.err;
  std::vector<json> frames = parsed(finished.out);
  std::erase_if(frames, [](const json& line) { return !line.contains("FrameType"); });
  ASSERT_EQ(frames.size(), 12U);
  const std::map<std::string, tools::ReadNpzArray> arrays =
      tools::read_npz(path("m.npz"), folder_.string());
  const tools::ReadNpzArray& qp = arrays.at("qp.npy");
  const tools::ReadNpzArray& type = arrays.at("type.npy");
  const tools::ReadNpzArray& bits = arrays.at("bits.npy");
  EXPECT_EQ(qp.header.shape, (std::vector<std::uint64_t>{12, 4, 4}));
  EXPECT_EQ(type.header.shape, qp.header.shape);
  EXPECT_EQ(bits.header.shape, (std::vector<std::uint64_t>{12, 4, 4, 4}));
  EXPECT_EQ(arrays.at("vectors.npy").header.shape,
            (std::vector<std::uint64_t>{12, 4, 4, 2, 16, 2}));
  EXPECT_EQ(arrays.at("references.npy").header.shape, (std::vector<std::uint64_t>{12, 4, 4, 2, 4}));
  EXPECT_EQ(arrays.at("coefficients.npy").header.shape, qp.header.shape);
  for (const auto& [name, array] : arrays) {
    EXPECT_EQ(array.bytes.size() % std::max<std::uint64_t>(array.count(), 1), 0U) << name;
  }
  const std::vector<std::string> classes = {"types", "vectors", "luma", "chroma"};
  for (std::size_t i = 0; i < frames.size(); ++i) {
    SCOPED_TRACE(i);
    const json& frame = frames[i];
    const std::uint8_t* const first = qp.bytes.data() + i * kMacroblocks;
    EXPECT_NEAR(std::accumulate(first, first + kMacroblocks, 0.0) / kMacroblocks,
                frame.at("Av_QP").get<double>(), 1e-9);
    std::vector<std::int64_t> sums(classes.size(), 0);
    for (std::size_t k = 0; k < kMacroblocks * classes.size(); ++k) {
      const std::uint8_t* const value = bits.bytes.data() + 4 * (i * kMacroblocks * 4 + k);
      sums[k % classes.size()] += value[0] | value[1] << 8 | value[2] << 16;
    }
    for (std::size_t k = 0; k < classes.size(); ++k) {
      EXPECT_EQ(sums[k], frame.at("bits").at(classes[k])) << classes[k];
    }
    // Types are numbered in the order of their names in a line, which `type_names` has.
    const std::vector<std::string> names = arrays.at("type_names.npy").strings();
    for (std::size_t k = 0; k < names.size(); ++k) {
      const std::uint8_t* const kinds = type.bytes.data() + i * kMacroblocks;
      EXPECT_EQ(std::count(kinds, kinds + kMacroblocks, static_cast<std::uint8_t>(k)),
                frame.at("types").at(names[k]))
          << names[k];
    }
  }
}

// Key pictures are of PCM samples of 60; others are skipped.
TEST_F(FeaturesOutputsTest, MapsOfSkippedPicturesHaveZeroVectors) {
  put("made.264", tools::h264_bytes({.frames = 4, .key = 2}));
  const Finished finished = run({"features", "made.264", "--macroblocks", "m.npz"});
  ASSERT_EQ(finished.exit_status, 0) << finished.err;
  const auto arrays = tools::read_npz(path("m.npz"), folder_.string());
  const auto vectors = arrays.at("vectors.npy").values<std::int16_t>();
  EXPECT_EQ(std::ranges::count(vectors, 0), std::ssize(vectors));
  const auto references = arrays.at("references.npy").values<std::int8_t>();
  const auto coefficients = arrays.at("coefficients.npy").values<std::uint16_t>();
  const std::vector<std::string> names = arrays.at("type_names.npy").strings();
  constexpr std::size_t kMade = tools::kMadeH264Width / 16 * (tools::kMadeH264Height / 16);
  ASSERT_EQ(coefficients.size(), 4 * kMade);
  ASSERT_EQ(references.size(), 8 * coefficients.size());
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    SCOPED_TRACE(i);
    const bool is_key = i / kMade % 2 == 0;
    EXPECT_EQ(names.at(arrays.at("type.npy").bytes[i]), is_key ? "PCM" : "Pskip");
    EXPECT_EQ(coefficients[i], is_key ? 384 : 0);  // Samples of I_PCM count as coefficients.
    for (std::size_t k = 0; k < 8; ++k) {
      EXPECT_EQ(references[8 * i + k], is_key || k >= 4 ? -1 : 0);  // List 0, then list 1.
    }
  }
}

// Streams with one slice a picture and several, with B pictures, and with gaps.
TEST_F(FeaturesOutputsTest, CsvAndNpzHaveTheValuesOfJson) {
  std::vector<std::string> streams = {"real.264"};
  for (const std::string name : {"baseline_slices", "main_cavlc_b", "high_cabac", "gaps"}) {
    streams.push_back(name + ".264");
    fs::copy_file(fs::absolute("tests/fuzz/seeds/h264_stream/" + streams.back()),
                  path(streams.back()));
  }
  for (const std::string format : {"ldjson", "csv", "npz"}) {
    std::vector<std::string> arguments = {"features", "--jobs", "1",
                                          "--decode", "-o",     "all." + format};
    arguments.insert(arguments.end(), streams.begin(), streams.end());
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.exit_status, 0) << finished.err;
  }
  const tools::ColumnTable json = tools::table_of_json_lines(bytes("all.ldjson"));
  EXPECT_GT(json.streams.size(), 12U + 4U);
  EXPECT_EQ(std::set(json.streams.begin(), json.streams.end()),
            std::set(streams.begin(), streams.end()));
  tools::expect_values_of_json(tools::table_of_csv(bytes("all.csv")), json);
  tools::expect_values_of_json(
      tools::table_of_npz(path("all.npz"), folder_.string(), tools::FeatureSet::kDecoded), json);
}

// Picture 2 of 8 is lost. Units are two parameter sets, then a picture each; of the lost one there
// is none, so unit 4 is picture 3, at which the gap is found. The byte is the first one behind that
// unit's start code.
TEST_F(FeaturesOutputsTest, FaultsHaveStreamNalUnitByteAndPicture) {
  put("lost.264", tools::h264_bytes({.frames = 8, .key = 6, .lost = {2}}));
  std::vector<json> faults = parsed(run({"features", "lost.264"}).out);
  std::erase_if(faults, [](const json& line) { return !line.contains("fault"); });
  ASSERT_EQ(faults.size(), 1U);
  const json& fault = faults[0];
  EXPECT_EQ(fault.at("stream"), "lost.264");
  EXPECT_EQ(fault.at("is_unsupported"), false);
  EXPECT_EQ(fault.at("nal_unit"), 4);
  std::size_t offset = 0;
  const std::string stream = bytes("lost.264");
  for (int unit = 0; unit <= 4; ++unit) {
    offset = stream.find(std::string("\0\0\1", 3), offset) + 3;
  }
  EXPECT_EQ(fault.at("byte"), offset);
  EXPECT_EQ(fault.at("picture"), 3);
}

TEST_F(FeaturesOutputsTest, TheSummarySaysHowManyLiveStreamsThatIs) {
  const Finished finished = run({"features", "real.264", "-o", "a.csv"});
  const std::string text = finished.out + finished.err;
  const std::size_t at = text.find(" frames/s, ");
  ASSERT_NE(at, std::string::npos) << text;
  const double rate = std::stod(text.substr(text.rfind(' ', at - 1)));
  double megabits = 0;
  double live = 0;
  ASSERT_EQ(
      std::sscanf(text.c_str() + at, " frames/s, %lf Mbit/s, enough for %lf live streams of 25",
                  &megabits, &live),
      2)
      << text;
  // Both are rounded to whole numbers.
  EXPECT_NEAR(live, rate / 25, 0.5 + 0.5 / 25 + 1e-9);
  EXPECT_GT(rate, 0);
}

TEST_F(FeaturesOutputsTest, ResumeOfP1204LeavesStreamsThatHaveAFile) {
  put("other.264", bytes("real.264"));
  ASSERT_EQ(run({"features", "real.264", "--format", "p1204", "-o", "out"}).exit_status, 0);
  put("out/real.json.bz2", "kept");
  const Finished resumed =
      run({"features", "real.264", "other.264", "--format", "p1204", "-o", "out", "--resume"});
  EXPECT_EQ(resumed.exit_status, 0) << resumed.err;
  EXPECT_EQ(bytes("out/real.json.bz2"), "kept");
  EXPECT_TRUE(bytes("out/other.json.bz2").starts_with("BZh"));
  EXPECT_NE((resumed.out + resumed.err).find("1 were done before"), std::string::npos)
      << resumed.out << resumed.err;
}

TEST_F(FeaturesOutputsTest, HeatOfEachKindIsDrawnOverThePictures) {
  for (const std::string kind : {"QP", "bits", "type"}) {
    SCOPED_TRACE(kind);
    for (const std::string ending : {".y4m", ".png"}) {
      EXPECT_EQ(run({"features", "real.264", "--heat", kind, "-o", kind + ending}).exit_status, 0);
    }
    const Y4m clip = read_y4m(path(kind + ".y4m"));
    EXPECT_EQ(clip.frames.size(), 12U);
    EXPECT_EQ(clip.width, 64);
    EXPECT_EQ(clip.height, 64);
    // The signature and IHDR: width and height of 4 bytes each.
    EXPECT_EQ(bytes(kind + ".png").substr(0, 24),
              std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x40\0\0\0\x40", 24));
  }
  EXPECT_NE(bytes("QP.y4m"), bytes("bits.y4m"));
  EXPECT_NE(bytes("bits.y4m"), bytes("type.y4m"));
  expect_rejected(run({"features", "real.264", "--heat", "size", "-o", "a.y4m"}), "size");
}

// A name may stand with others of its beginning: `Av_MotionX`, `luma_4x4_...` and `blocks`.
TEST_F(FeaturesOutputsTest, TheGuideDefinesEachField) {
  std::ifstream file("docs/guide/h264.md");
  const std::string guide{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(guide.empty());
  const auto is_there = [&](const std::string& name) {
    return guide.find("`" + name + "`") != std::string::npos;
  };
  for (const tools::FeatureColumn& column : tools::feature_columns(tools::FeatureSet::kCompared)) {
    bool is_defined = is_there(column.name);
    for (const char* const group : {"luma_4x4_", "luma_8x8_", "chroma_"}) {
      if (!column.name.starts_with(group)) continue;
      const std::string rest = column.name.substr(std::string(group).size());
      is_defined = is_defined || (is_there(std::string(group) + "...") && is_there(rest));
    }
    if (column.name.starts_with("StdDev_")) is_defined = is_defined || is_there("StdDev_...");
    EXPECT_TRUE(is_defined) << column.name << " is not in docs/guide/h264.md";
  }
}

}  // namespace
}  // namespace millrace::end_to_end
