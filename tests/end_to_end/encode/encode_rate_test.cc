// SPDX-License-Identifier: Apache-2.0

// Rates of encodes, and their timeline.
#include <millrace/tests/end_to_end/end_to_end_test.h>

#include <map>
#include <string>
#include <vector>

namespace millrace::end_to_end {
namespace {

class EncodeRateTest : public EndToEndTest {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    write_y4m(path("clip.y4m"), {.width = 128, .height = 96, .frames = 36});
  }

  nlohmann::json encode(const std::string& out, const std::vector<std::string>& options) const {
    std::vector<std::string> arguments = {"clip.y4m", "-o",       out,   "--search",
                                          "hexagon",  "--device", "tbb", "--reconstruction",
                                          "rec.y4m"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run_json("encode", arguments);
  }

  void expect_decoded(const std::string& stream) const {
    const auto json = run_json("decode", {stream, "-o", "decoded.y4m"});
    EXPECT_EQ(json.at("faults"), 0);
    EXPECT_TRUE(bytes("decoded.y4m") == bytes("rec.y4m")) << stream;
  }
};

TEST_F(EncodeRateTest, TheBitrateIsMet) {
  for (const int kbit : {150, 600}) {
    const auto json = encode("out.mp4", {"--bitrate", std::to_string(kbit)});
    EXPECT_EQ(json.at("rate_mode"), "bitrate");
    EXPECT_EQ(json.at("requested_kbit_per_s"), kbit);
    EXPECT_EQ(json.at("buffer_frames"), 12);
    EXPECT_DOUBLE_EQ(json.at("buffer_kbit").get<double>(), kbit * 12 / 25.0);
    EXPECT_FALSE(json.contains("qp"));
    EXPECT_NEAR(json.at("kbit_per_s").get<double>() / kbit, 1, 0.05);
    expect_decoded("out.mp4");
  }
}

// The buffer holds one group. A group has more bits where its last picture takes more than
// expected, because no picture follows that makes up for it: 2 % are allowed for that.
TEST_F(EncodeRateTest, EachGroupFitsTheBuffer) {
  for (const int kbit : {150, 600}) {
    const auto json = encode("out.264", {"--bitrate", std::to_string(kbit)});
    std::vector<double> groups;
    for (const auto& picture : json.at("pictures")) {
      if (picture.at("is_idr") == true) groups.push_back(0);
      ASSERT_FALSE(groups.empty());
      groups.back() += picture.at("bits").get<double>();
    }
    ASSERT_EQ(groups.size(), 3U);
    const double buffer_bits = 1000 * json.at("buffer_kbit").get<double>();
    for (const double bits : groups) {
      EXPECT_LE(bits, 1.02 * buffer_bits) << kbit << " kbit/s";
      EXPECT_GE(bits, 0.9 * buffer_bits) << kbit << " kbit/s";
    }
  }
}

TEST_F(EncodeRateTest, TheReportHasTheMeanQp) {
  const auto json = encode("out.264", {"--bitrate", "300"});
  double sum = 0;
  for (const auto& picture : json.at("pictures")) sum += picture.at("qp").get<double>();
  EXPECT_NEAR(json.at("mean_qp").get<double>(), sum / 36, 1e-9);
}

TEST_F(EncodeRateTest, QualityIsAroundItsQp) {
  const auto json = encode("out.264", {"--crf", "30"});
  EXPECT_EQ(json.at("rate_mode"), "crf");
  EXPECT_EQ(json.at("crf"), 30);
  EXPECT_NEAR(json.at("mean_qp").get<double>(), 30, 4);
  expect_decoded("out.264");
}

TEST_F(EncodeRateTest, PeopleAreShownTheRate) {
  const struct {
    std::vector<std::string> options;
    const char* words;
  } kCases[] = {
      {{"--bitrate", "300"}, "high profile, 300 kbit/s requested, mean QP "},
      {{"--crf", "30"}, "high profile, quality 30, mean QP "},
      {{"--qp", "30"}, "high profile, QP 30\n"},
  };
  for (const auto& [options, words] : kCases) {
    std::vector<std::string> arguments = {"encode",   "clip.y4m", "-o",       "out.264", "--force",
                                          "--search", "hexagon",  "--device", "tbb"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.exit_status, 0) << finished.err;
    EXPECT_NE(finished.out.find(words), std::string::npos) << finished.out;
  }
}

// 36 frames are three groups, of which each step of a batch has one span.
TEST_F(EncodeRateTest, TheTraceHasTheStages) {
  const auto json = encode("out.264", {"--bitrate", "300", "--trace", "trace.json"});
  EXPECT_EQ(json.at("frames"), 36);
  const std::map<std::string, int> spans = spans_by_row("trace.json");
  EXPECT_EQ(spans.at("host read"), 37);
  EXPECT_EQ(spans.at("host decode"), 36);
  EXPECT_EQ(spans.at("host write"), 36);
  // Each step has spans of the search, the rows and the slices.
  EXPECT_GE(spans.at("host encode 0"), 3 * 12);
  const std::string trace = bytes("trace.json");
  for (const std::string stage : {"analyse", "search", "encode rows", "write slices"}) {
    EXPECT_NE(trace.find('"' + stage + '"'), std::string::npos) << stage;
  }
}

TEST_F(EncodeRateTest, ForceReplacesFiles) {
  const std::vector<std::string> arguments = {
      "encode",  "clip.y4m", "-o",      "out.264",        "--search",
      "hexagon", "--device", "tbb",     "--frames",       "2",
      "--json",  "out.json", "--trace", "out.trace.json", "--reconstruction",
      "out.y4m"};
  EXPECT_EQ(run(arguments).exit_status, 0);
  const std::string stream = bytes("out.264");
  for (const char* const name : {"out.264", "out.json", "out.trace.json", "out.y4m"}) {
    put(name, "old");
  }
  expect_rejected(run(arguments), "exists already (--force replaces it)");
  EXPECT_EQ(bytes("out.264"), "old");
  std::vector<std::string> forced = arguments;
  forced.emplace_back("--force");
  EXPECT_EQ(run(forced).exit_status, 0);
  EXPECT_TRUE(bytes("out.264") == stream);
  for (const char* const name : {"out.json", "out.trace.json", "out.y4m"}) {
    EXPECT_NE(bytes(name), "old") << name;
  }
}

}  // namespace
}  // namespace millrace::end_to_end
