// SPDX-License-Identifier: Apache-2.0

// Results of `millrace idct`: its report and its files.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tools/video/libav_clips.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

namespace millrace::end_to_end {
namespace {

constexpr double kPsnrTolerance = 0.01;

// The columns of a table of numbers by their names.
using Table = std::map<std::string, std::vector<double>>;

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
  return fields;
}

Table read_csv(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> names = split(line);
  Table table;
  while (std::getline(in, line)) {
    const std::vector<std::string> fields = split(line);
    EXPECT_EQ(fields.size(), names.size()) << line;
    for (std::size_t i = 0; i < names.size(); ++i) {
      table[names[i]].push_back(std::stod(fields.at(i)));
    }
  }
  return table;
}

class IdctResultsTest : public EndToEndTest {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    write_y4m(path("clip.y4m"), clip_);
  }

  const Clip clip_ = {.width = 96, .height = 64, .frames = 4};
};

TEST_F(IdctResultsTest, JsonDescribesTheClip) {
  const auto json = run_idct({"clip.y4m"});
  EXPECT_EQ(json.at("frames"), clip_.frames);
  EXPECT_EQ(json.at("width"), clip_.width);
  EXPECT_EQ(json.at("height"), clip_.height);
  EXPECT_EQ(json.at("macroblocks"), clip_.frames * (96 / 16) * (64 / 16));
  EXPECT_EQ(json.at("qp"), 28);
  EXPECT_GE(json.at("share_8x8"), 0.0);
  EXPECT_LE(json.at("share_8x8"), 1.0);
  EXPECT_TRUE(json.at("share_8x8").is_number_float());
  EXPECT_TRUE(json.at("psnr_y_db").is_number_float());
  EXPECT_GT(json.at("copy_gb_s"), 0.0);
}

TEST_F(IdctResultsTest, JsonHasARunForEachDeviceAndPolicy) {
  const auto json = run_idct({"clip.y4m", "--device", "tbb", "--device", "tbb"});
  std::set<std::string> policies;
  for (const auto& run : json.at("runs")) {
    EXPECT_EQ(run.at("device"), "tbb");
    EXPECT_EQ(run.at("ran"), run.at("policy"));
    policies.insert(run.at("policy"));
    EXPECT_GT(run.at("macroblocks_per_s"), 0.0);
    EXPECT_GT(run.at("gb_s"), 0.0);
    EXPECT_NEAR(run.at("fraction_of_copy"),
                run.at("gb_s").get<double>() / json.at("copy_gb_s").get<double>(), 1e-6);
  }
  EXPECT_EQ(json.at("runs").size(), 3U);
  EXPECT_EQ(policies, (std::set<std::string>{"persistent", "uberkernel", "kernel-per-type"}));
}

TEST_F(IdctResultsTest, PolicySelectsOne) {
  const auto runs = run_idct({"clip.y4m", "--device", "tbb", "--policy", "uberkernel"}).at("runs");
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].at("policy"), "uberkernel");
}

TEST_F(IdctResultsTest, AutoSaysWhichPolicyRan) {
  const Finished table =
      run({"idct", "clip.y4m", "--device", "tbb", "--policy", "auto", "--json", "result.json"});
  const auto runs = nlohmann::json::parse(bytes("result.json")).at("runs");
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].at("policy"), "auto");
  const std::string ran = runs[0].at("ran");
  EXPECT_EQ((std::set<std::string>{"persistent", "uberkernel", "kernel-per-type"}).count(ran), 1U);
  EXPECT_NE(table.out.find("auto (" + ran + ")"), table.out.npos) << table.out;
}

TEST_F(IdctResultsTest, AllPoliciesGiveTheSamePicturesAndFeatures) {
  run_idct({"clip.y4m", "--policy", "kernel-per-type", "--out-dir", "."});
  const std::string pictures = bytes("clip-idct.y4m");
  const std::string features = bytes("clip-idct.csv");
  for (const char* policy : {"persistent", "uberkernel", "auto"}) {
    run_idct({"clip.y4m", "--policy", policy});
    EXPECT_EQ(bytes("clip-idct.y4m"), pictures) << policy;
    EXPECT_EQ(bytes("clip-idct.csv"), features) << policy;
  }
}

TEST_F(IdctResultsTest, JsonGoesToAFileBesideTheTable) {
  const Finished finished = run({"idct", "clip.y4m", "--json", "result.json"});
  EXPECT_EQ(finished.exit_status, 0);
  EXPECT_EQ(finished.err, "");
  for (const char* word : {"clip.y4m: 96x64, 4 frames", "persistent", "clip-idct.csv",
                           "clip-idct.y4m", "result.json"}) {
    EXPECT_NE(finished.out.find(word), finished.out.npos) << word << " in\n" << finished.out;
  }
  EXPECT_EQ(nlohmann::json::parse(bytes("result.json")).at("frames"), 4);
  EXPECT_EQ(names(),
            (std::set<std::string>{"clip.y4m", "clip-idct.csv", "clip-idct.y4m", "result.json"}));
}

TEST_F(IdctResultsTest, OutputsGoToTheFolderRequested) {
  std::filesystem::create_directory(path("out"));
  const auto json = run_idct({"clip.y4m", "--out-dir", "out"});
  EXPECT_EQ(json.at("csv"), "out/clip-idct.csv");
  EXPECT_EQ(json.at("y4m"), "out/clip-idct.y4m");
  EXPECT_EQ(read_y4m(path("out/clip-idct.y4m")).frames.size(), 4U);
  EXPECT_EQ(names(), (std::set<std::string>{"clip.y4m", "out"}));
}

TEST_F(IdctResultsTest, CsvHasALineAFrame) {
  const auto json = run_idct({"clip.y4m"});
  const Table table = read_csv(path("clip-idct.csv"));
  EXPECT_EQ(table.at("frame"), (std::vector<double>{0, 1, 2, 3}));
  double mean_error = 0;
  for (const double psnr : table.at("psnr_y_db")) {
    EXPECT_GT(psnr, 20);
    EXPECT_LT(psnr, 80);
    mean_error += std::pow(10, -psnr / 10) / clip_.frames;
  }
  EXPECT_NEAR(-10 * std::log10(mean_error), json.at("psnr_y_db"), kPsnrTolerance);
  for (const char* column : {"share_8x8", "zero_coefficient_share"}) {
    for (const double value : table.at(column)) {
      EXPECT_GE(value, 0) << column;
      EXPECT_LE(value, 1) << column;
    }
  }
  for (const double energy : table.at("residual_energy")) EXPECT_GT(energy, 0);
  for (const double blockiness : table.at("blockiness")) {
    EXPECT_GT(blockiness, 0.2);
    EXPECT_LT(blockiness, 5);
  }
}

TEST_F(IdctResultsTest, PicturesAreAsFarFromTheSourceAsReported) {
  const auto json = run_idct({"clip.y4m"});
  const Y4m pictures = read_y4m(path("clip-idct.y4m"));
  EXPECT_EQ(pictures.width, clip_.width);
  EXPECT_EQ(pictures.height, clip_.height);
  EXPECT_EQ(static_cast<int>(pictures.frames.size()), clip_.frames);
  EXPECT_NEAR(luma_psnr_db(read_y4m(path("clip.y4m")), pictures), json.at("psnr_y_db"),
              kPsnrTolerance);
}

TEST_F(IdctResultsTest, QualityFallsAsTheQuantiserGrows) {
  double last = 100;
  for (const char* qp : {"4", "16", "28", "40", "51"}) {
    const double psnr = run_idct({"clip.y4m", "--qp", qp}).at("psnr_y_db");
    EXPECT_LT(psnr, last) << "QP " << qp;
    last = psnr;
  }
}

TEST_F(IdctResultsTest, FramesStopsEarly) {
  const auto json = run_idct({"clip.y4m", "--frames", "2"});
  EXPECT_EQ(json.at("frames"), 2);
  EXPECT_EQ(json.at("macroblocks"), 2 * 6 * 4);
  EXPECT_EQ(read_csv(path("clip-idct.csv")).at("frame").size(), 2U);
  EXPECT_EQ(read_y4m(path("clip-idct.y4m")).frames.size(), 2U);
}

TEST_F(IdctResultsTest, FramesBeyondTheEndAreTheWholeClip) {
  EXPECT_EQ(run_idct({"clip.y4m", "--frames", "1000"}).at("frames"), clip_.frames);
}

TEST_F(IdctResultsTest, ANameThatIsNotUtf8IsNoObstacle) {
  const std::string name = "bad\xff.y4m";
  write_y4m(path(name), {.frames = 1});
  EXPECT_EQ(run_idct({name}).at("clip"), "bad\xEF\xBF\xBD.y4m");
  EXPECT_EQ(names().count("bad\xff-idct.y4m"), 1U);
}

TEST_F(IdctResultsTest, LibavformatReadsTheSamePictures) {
  run_idct({"clip.y4m"});
  const std::vector<std::string> pictures = tools::libav_pictures(path("clip-idct.y4m"));
  EXPECT_EQ(pictures.size(), static_cast<std::size_t>(clip_.frames));
  EXPECT_TRUE(pictures == read_y4m(path("clip-idct.y4m")).frames);
}

}  // namespace
}  // namespace millrace::end_to_end
