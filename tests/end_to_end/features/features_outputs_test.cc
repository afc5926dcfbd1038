// SPDX-License-Identifier: Apache-2.0

// Tests that the outputs of `millrace features` agree with each other and with the guide.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tools/command/common/files/npy_header.h>
#include <millrace/tools/command/features/output/feature_columns.h>
#include <millrace/tools/files/input/positioned_file.h>
#include <millrace/tools/files/input/zip_member.h>
#include <millrace/tools/video/made_clips.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace millrace::end_to_end {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

// An array of a .npz file.
struct Array {
  tools::NpyHeader header;
  std::vector<std::uint8_t> elements;

  std::uint64_t count() const {
    return std::accumulate(header.shape.begin(), header.shape.end(), std::uint64_t{1},
                           std::multiplies<>());
  }
};

std::map<std::string, Array> arrays_of(const std::string& path, const std::string& folder) {
  const tools::PositionedFile file = tools::PositionedFile::open(path);
  std::map<std::string, Array> arrays;
  for (const tools::ZipMember& member : tools::zip_members(file)) {
    const tools::PositionedFile opened = tools::open_zip_member(file, member, folder);
    Array array = {.header = tools::read_npy_header(opened), .elements = {}};
    array.elements.resize(opened.bytes() - array.header.first_byte);
    opened.read(array.header.first_byte, array.elements.data(), array.elements.size());
    arrays[member.name] = std::move(array);
  }
  return arrays;
}

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
  constexpr std::size_t kMacroblocks = 16;
  const Finished finished =
      run({"features", "real.264", "--macroblocks", "m.npz", "--format", "ldjson"});
  ASSERT_EQ(finished.exit_status, 0) << finished.err;
  std::vector<json> frames = parsed(finished.out);
  std::erase_if(frames, [](const json& line) { return !line.contains("FrameType"); });
  ASSERT_EQ(frames.size(), 12U);
  std::map<std::string, Array> arrays = arrays_of(path("m.npz"), folder_.string());
  const Array& qp = arrays.at("qp.npy");
  const Array& type = arrays.at("type.npy");
  const Array& bits = arrays.at("bits.npy");
  EXPECT_EQ(qp.header.shape, (std::vector<std::uint64_t>{12, 4, 4}));
  EXPECT_EQ(type.header.shape, qp.header.shape);
  EXPECT_EQ(bits.header.shape, (std::vector<std::uint64_t>{12, 4, 4, 4}));
  EXPECT_EQ(arrays.at("vectors.npy").header.shape,
            (std::vector<std::uint64_t>{12, 4, 4, 2, 16, 2}));
  EXPECT_EQ(arrays.at("references.npy").header.shape, (std::vector<std::uint64_t>{12, 4, 4, 2, 4}));
  EXPECT_EQ(arrays.at("coefficients.npy").header.shape, qp.header.shape);
  for (const auto& [name, array] : arrays) {
    EXPECT_EQ(array.elements.size() % std::max<std::uint64_t>(array.count(), 1), 0U) << name;
  }
  const std::vector<std::string> classes = {"types", "vectors", "luma", "chroma"};
  for (std::size_t i = 0; i < frames.size(); ++i) {
    SCOPED_TRACE(i);
    const json& frame = frames[i];
    const std::uint8_t* const first = qp.elements.data() + i * kMacroblocks;
    EXPECT_NEAR(std::accumulate(first, first + kMacroblocks, 0.0) / kMacroblocks,
                frame.at("Av_QP").get<double>(), 1e-9);
    std::vector<std::int64_t> sums(classes.size(), 0);
    for (std::size_t k = 0; k < kMacroblocks * classes.size(); ++k) {
      const std::uint8_t* const value = bits.elements.data() + 4 * (i * kMacroblocks * 4 + k);
      sums[k % classes.size()] += value[0] | value[1] << 8 | value[2] << 16;
    }
    for (std::size_t k = 0; k < classes.size(); ++k) {
      EXPECT_EQ(sums[k], frame.at("bits").at(classes[k])) << classes[k];
    }
    // Types are numbered in the order of their names in a line, which `type_names` has.
    const Array& names = arrays.at("type_names.npy");
    const std::size_t longest = names.elements.size() / names.count();
    for (std::size_t k = 0; k < names.count(); ++k) {
      const auto* const letters = reinterpret_cast<const char*>(&names.elements[k * longest]);
      const std::string name(letters, strnlen(letters, longest));
      const std::uint8_t* const kinds = type.elements.data() + i * kMacroblocks;
      EXPECT_EQ(std::count(kinds, kinds + kMacroblocks, static_cast<std::uint8_t>(k)),
                frame.at("types").at(name))
          << name;
    }
  }
}

// Picture 2 of 8 is lost. Units are two parameter sets, then a picture each; of the lost one there
// is none, so unit 4 is picture 3, at which the gap is found.
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
  EXPECT_GE(fault.at("byte").get<std::size_t>(), offset - 4);
  EXPECT_LE(fault.at("byte").get<std::size_t>(), offset + 4);
  EXPECT_GE(fault.at("picture").get<int>(), 2);
  EXPECT_LE(fault.at("picture").get<int>(), 3);
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
    EXPECT_EQ(run({"features", "real.264", "--heat", kind, "-o", kind + ".y4m"}).exit_status, 0);
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
