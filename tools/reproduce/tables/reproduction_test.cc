// SPDX-License-Identifier: Apache-2.0

// Tables made from measurements that were made up: nothing is measured.
#include <millrace/runtime/core/error.h>
#include <millrace/tools/reproduce/motion/stored_encodes.h>
#include <millrace/tools/reproduce/tables/reproduction.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

using testing::Contains;
using testing::HasSubstr;

class ReproductionTest : public testing::Test {
 protected:
  ReproductionTest() {
    results_.devices.emplace_back().name = "cuda:0";
    results_.devices.emplace_back().name = "tbb";
  }

  Measurement& add(const std::string& workload, const std::string& input, std::uint64_t size,
                   const std::string& strategy, double seconds) {
    Measurement& measurement = results_.measurements.emplace_back();
    measurement.workload = workload;
    measurement.input = input;
    measurement.size = size;
    measurement.device = "cuda:0";
    measurement.strategy = strategy;
    measurement.seconds = {seconds};
    measurement.median_seconds = seconds;
    measurement.items = 1;
    return measurement;
  }

  void add_unsupported(const std::string& workload, const std::string& input,
                       const std::string& strategy) {
    Measurement& measurement = add(workload, input, 10'000, strategy, 0);
    measurement.seconds.clear();
    measurement.status = MeasurementStatus::kUnsupported;
    measurement.message = "it has no memory of its own";
  }

  void add_sort(const std::string& input, std::uint64_t size, double original, double modified) {
    const std::map<std::string, double> operations = {
        {"reduction", 0.01},    {"scan", 0.02},   {"scatter", 0.03},  {"copy to device", 0.04},
        {"copy to host", 0.05}, {"bucketing", 0}, {"load balance", 0}};
    add("sort-paper", input, size, "original", original).values = operations;
    Measurement& after = add("sort-paper", input, size, "modified", modified);
    after.values = operations;
    after.values["partitions"] = 1;
    after.values["buckets"] = 256;
    add("sort-paper", input, size, "sort", 0.001);
  }

  Reproduction table(const std::string& subject, const std::string& name,
                     const std::string& device = "cuda:0") const {
    const auto done = reproduce(subject, MeasuredDevice(results_, device), {name});
    EXPECT_EQ(done.size(), 1u);
    return done.at(0);
  }

  Results results_;
};

TEST_F(ReproductionTest, OfSortsHasTheTimesThatWereMeasured) {
  add_sort("uniform", 10'000, 0.2, 0.3);
  add_sort("uniform", 1'000'000, 0.2, 0.1);
  const DataTable table1 = table("sort", "Table I").here;
  EXPECT_DOUBLE_EQ(table1.at("10000", "original").value(), 0.2e6);
  EXPECT_DOUBLE_EQ(table1.at("1000000", "modified").value(), 0.1e6);
  EXPECT_DOUBLE_EQ(table1.at("1000000", "sort()").value(), 0.001e6);
  const DataTable table2 = table("sort", "Table II").here;
  EXPECT_DOUBLE_EQ(table2.at("scan", "modified").value(), 20);
  EXPECT_DOUBLE_EQ(table2.at("total", "modified").value(), 100);
  EXPECT_NEAR(table2.at("overlap of output", "modified").value(), 50, 1e-9);
  EXPECT_THAT(table2.notes.back(), HasSubstr("1000000 keys, 256 buckets made by 1 passes"));
  const DataTable percents = table("sort", "Fig. 4").here;
  EXPECT_NEAR(percents.at("10000", "computation").value(), 40, 1e-9);
}

TEST_F(ReproductionTest, SaysWhyFiguresAreMissing) {
  add_unsupported("sort-paper", "uniform", "original");
  add_unsupported("sort-paper", "uniform", "modified");
  add("sort-paper", "uniform", 10'000, "sort", 0.001);
  const Reproduction table1 = table("sort", "Table I");
  EXPECT_FALSE(table1.here.at("10000", "original"));
  EXPECT_TRUE(table1.here.at("10000", "sort()"));
  EXPECT_THAT(table1.here.notes.front(), HasSubstr("cannot run here: it has no memory"));
  EXPECT_EQ(table1.findings.front().verdict, FindingVerdict::kUntested);
}

TEST_F(ReproductionTest, OfWhatWasNotMeasuredSaysSo) {
  for (const PaperTable& paper : paper_tables()) {
    const Reproduction none = table(paper.paper->subject, paper.name, "tbb");
    for (const Finding& finding : none.findings) {
      EXPECT_EQ(finding.verdict, FindingVerdict::kUntested) << paper.name << ": " << finding.claim;
    }
  }
  EXPECT_THAT(table("idct", "Fig. 5(a)", "tbb").here.notes.front(),
              HasSubstr("idct-paper was not measured"));
}

TEST_F(ReproductionTest, OfTransformsHasKernelsAndPolicies) {
  for (const auto& [access, seconds] :
       {std::pair("global", 0.004), {"shared", 0.003}, {"shared+texture", 0.002}}) {
    add("idct-paper", "mixed", 100, std::string("persistent+") + access, seconds)
        .values["kernel seconds"] = seconds / 2;
    add("idct-paper", "mixed", 100, std::string("uberkernel+") + access, 2 * seconds)
        .values["kernel seconds"] = seconds;
  }
  add("idct-paper", "mixed", 100, "tasks", 0.001).policy = "persistent";
  const DataTable accesses = table("idct", "Fig. 5(a)").here;
  EXPECT_DOUBLE_EQ(accesses.at("100", "GM").value(), 4);
  EXPECT_DOUBLE_EQ(accesses.at("100", "SM+Tex to GM").value(), 2);
  EXPECT_THAT(accesses.notes.back(), HasSubstr("2 times as fast as GM"));
  const DataTable algorithms = table("idct", "Fig. 5(c)").here;
  EXPECT_DOUBLE_EQ(algorithms.at("100", "uberkernel").value(), 4);
  EXPECT_DOUBLE_EQ(algorithms.at("100", "policy persistent").value(), 1);
  EXPECT_FALSE(algorithms.at("100", "policy uberkernel"));
}

TEST_F(ReproductionTest, OfThreeStarsComparesWithTheSequentialCode) {
  for (const auto& [points, stars] : {std::pair(100, 1000), {200, 8000}}) {
    for (const auto& [technique, seconds] :
         {std::pair("baseline", 0.4), {"streaming", 0.3}, {"compression", 0.2}, {"both", 0.1}}) {
      Measurement& variant = add("three-star-paper", "uniform", points, technique, seconds);
      variant.items = stars;
      variant.values = {{"LOAD", 0.1},     {"COMP", 0.2},    {"REPORT", 0.01},
                        {"DataOut", 0.02}, {"DECODE", 0.03}, {"sequential seconds", 50}};
    }
  }
  EXPECT_NEAR(table("three-star", "Fig. 9").here.at("200", "power").value(), 3, 1e-9);
  const DataTable times = table("three-star", "Fig. 10").here;
  EXPECT_DOUBLE_EQ(times.at("200", "both to sequential").value(), 500);
  EXPECT_FALSE(times.at("200", "count"));
  const DataTable profiles = table("three-star", "Fig. 11").here;
  EXPECT_DOUBLE_EQ(profiles.at("streaming", "COMP").value(), 200);
  EXPECT_NEAR(profiles.at("both", "saved").value(), 75, 1e-9);
}

TEST_F(ReproductionTest, OfMotionHasDifferencesAndSpeedUps) {
  const std::map<std::string, double> picture = {{"width", 640},
                                                 {"height", 480},
                                                 {"source width", 640},
                                                 {"source height", 480},
                                                 {"range", 32}};
  for (const auto& [strategy, cost, db] : {std::tuple("full-by-previous", 102.0, 30.0),
                                           {"full", 100.0, 30.5},
                                           {"hexagon", 204.0, 29.0}}) {
    Measurement& quality = add("motion-quality", "film.mp4", 0, strategy, 1);
    quality.values = picture;
    for (const int qp : {28, 32, 36, 40}) {
      quality.values["J, QP " + std::to_string(qp)] = cost;
      quality.values["PSNR, QP " + std::to_string(qp)] = db;
    }
  }
  const DataTable qualities = table("motion", "Table 2").here;
  EXPECT_NEAR(qualities.at("film.mp4, 640x480", "J, full").value(), 2, 1e-9);
  EXPECT_NEAR(qualities.at("mean", "predicted PSNR, full").value(), -0.5, 1e-9);
  EXPECT_NEAR(qualities.at("mean", "J, UMHexagonS").value(), -50, 1e-9);
  EXPECT_FALSE(qualities.at("mean", "rate, full"));

  for (const auto& [strategy, seconds, pictures] : {std::tuple("streamed", 1.0, 100),
                                                    {"resident", 0.5, 100},
                                                    {"core-full", 0.1, 1},
                                                    {"core-fast-full", 0.05, 1},
                                                    {"core-hexagon", 0.02, 1}}) {
    Measurement& time = add("motion-paper", "film.mp4", 0, strategy, seconds);
    time.values = picture;
    time.items = pictures;
  }
  const DataTable whole = table("motion", "Table 5").here;
  EXPECT_NEAR(whole.at("mean", "speed-up, full").value(), 10, 1e-9);
  const DataTable stage = table("motion", "Table 8").here;
  EXPECT_NEAR(stage.at("mean", "speed-up, UMHexagonS").value(), 4, 1e-9);
  EXPECT_FALSE(table("motion", "Table 6").here.at("mean", "speed-up, full"));
}

// Rates and PSNRs of encodes at the paper's QPs, by factors and differences.
std::map<std::string, double> curve_of(double factor, double db) {
  std::map<std::string, double> values;
  for (const int qp : {28, 32, 36, 40}) {
    values["kbit/s, QP " + std::to_string(qp)] = factor * 4000 * std::pow(2, (28 - qp) / 6.0);
    values["PSNR YUV, QP " + std::to_string(qp)] = 46 - 0.5 * (qp - 28) + db;
  }
  return values;
}

class EncodeReproductionTest : public ReproductionTest {
 protected:
  void add_encodes(const std::string& input, double width, double height) {
    Measurement& own = add("rd", input, 24, "paper", 2);
    own.items = 24;
    own.values = curve_of(1.1, 0);
    own.values["width"] = width;
    own.values["height"] = height;
    Measurement& x264 = add("rd", input, 24, "", 0.5);
    x264.peer = "x264 esa5";
    x264.items = 24;
    x264.values = curve_of(1, 0);
  }

  static StoredEncodes stored(const std::string& search, double factor, double pictures) {
    return {"JM 17.2 " + search, "film", pictures, curve_of(factor, 0), 120};
  }
};

TEST_F(EncodeReproductionTest, HasDeltasToStoredEncodesOfTheClip) {
  add_encodes("film.y4m", 1280, 720);
  add_encodes("other.y4m", 1280, 720);
  add_stored_encodes({stored("full", 1, 24), stored("UMHexagonS", 1.375, 0)}, "cuda:0", results_);
  const Reproduction of_720p = table("motion", "Table 3");
  const DataTable& here = of_720p.here;
  EXPECT_NEAR(here.at("film.y4m, 1280x720", "rate, full").value(), 10, 1e-6);
  EXPECT_LT(here.at("film.y4m, 1280x720", "PSNR, full").value(), 0);
  EXPECT_NEAR(here.at("film.y4m, 1280x720", "rate, UMHexagonS").value(), -20, 1e-6);
  EXPECT_FALSE(here.at("film.y4m, 1280x720", "rate, fast full"));
  EXPECT_NEAR(here.at("film.y4m, 1280x720", "rate, x264 esa5").value(), 10, 1e-6);
  EXPECT_FALSE(here.at("other.y4m, 1280x720", "rate, full"));
  EXPECT_NEAR(here.at("other.y4m, 1280x720", "rate, x264 esa5").value(), 10, 1e-6);
  EXPECT_NEAR(here.at("mean", "rate, full").value(), 10, 1e-6);
  EXPECT_THAT(here.notes, Contains(HasSubstr("figures cannot be compared row by row")));
  EXPECT_EQ(of_720p.findings[0].verdict, FindingVerdict::kFails);
  EXPECT_THAT(of_720p.findings[0].reason, HasSubstr("the bit rate rises by 10.0 %"));
  EXPECT_EQ(of_720p.findings[1].verdict, FindingVerdict::kHolds);
  EXPECT_FALSE(table("motion", "Table 2").here.at("film.y4m, 1280x720", "rate, full"));
}

TEST_F(EncodeReproductionTest, SaysWhichStoredEncodesAreNotCompared) {
  add_encodes("film.y4m", 640, 480);
  add_stored_encodes({stored("full", 1, 48)}, "cuda:0", results_);
  const DataTable here = table("motion", "Table 2").here;
  EXPECT_FALSE(here.at("film.y4m, 640x480", "rate, full"));
  EXPECT_THAT(here.notes, Contains(HasSubstr("there are no encodes of the JM")));
  EXPECT_THAT(here.notes,
              Contains("Not compared: JM 17.2 full has encoded 48 pictures of film.y4m, "
                       "and 24 are measured."));
}

TEST_F(EncodeReproductionTest, HasHoursThatFollowFromRates) {
  add_encodes("film.y4m", 1920, 1080);
  add("rd", "film.y4m", 24, "rd-high", 4).items = 24;
  add_stored_encodes({stored("full", 1, 24)}, "cuda:0", results_);
  const DataTable here = table("motion", "Table 13").here;
  // 12, 6, 48 and 0.2 pictures a second; 360000 pictures.
  EXPECT_NEAR(here.at("encode, paper, film.y4m, 1920x1080", "rate").value(), 12, 1e-9);
  EXPECT_NEAR(here.at("encode, paper, film.y4m, 1920x1080", "two hours").value(),
              360'000 / 12.0 / 3600, 1e-9);
  EXPECT_NEAR(here.at("encode, rd-high, film.y4m, 1920x1080", "two hours").value(),
              360'000 / 6.0 / 3600, 1e-9);
  EXPECT_NEAR(here.at("x264 esa5, film.y4m, 1920x1080", "rate").value(), 48, 1e-9);
  EXPECT_NEAR(here.at("JM 17.2 full, film.y4m, 1920x1080", "two hours").value(), 500, 1e-9);
  EXPECT_THAT(here.notes.front(), HasSubstr("Hours are computed, not measured"));
  EXPECT_THAT(here.notes, Contains(HasSubstr("of one core of another machine")));
  EXPECT_TRUE(table("motion", "Table 11").here.rows.empty());
}

TEST_F(EncodeReproductionTest, OfATextureIsInEachFormatAndSaysThatItIsNone) {
  add_encodes("moving-texture", 176, 144);
  for (const char* const name : {"Table 11", "Table 12", "Table 13"}) {
    const DataTable here = table("motion", name).here;
    EXPECT_TRUE(here.at("encode, paper, moving-texture, 176x144", "two hours")) << name;
    EXPECT_THAT(here.notes, Contains(HasSubstr("moving-texture is not of this format")));
  }
}

TEST_F(ReproductionTest, PlansWhatTheTablesNeedAlone) {
  DeviceInfo device;
  device.memory_bytes = std::size_t{1} << 36;
  const ReproductionPlan plan{device, Scale::kFull};
  const auto planned = plan_runs("sort", plan, {"Table III"});
  ASSERT_EQ(planned.size(), 1u);
  EXPECT_EQ(planned[0].input, "normal");
  EXPECT_EQ(planned[0].size, 100'000'000u);
  EXPECT_EQ(plan_runs("sort", plan, {"Table I"}).size(), 7u);
  EXPECT_TRUE(plan_runs("idct", plan, {"Table III"}).empty());
  const auto motion = plan_runs("motion", {device, Scale::kQuick}, {"Table 3", "Table 6"});
  ASSERT_EQ(motion.size(), 3u);
  EXPECT_EQ(motion[0].workload, "motion-quality");
  EXPECT_EQ(motion[0].size, 405u);
  const auto encodes = plan_runs("motion", plan, {"Table 11"});
  ASSERT_EQ(encodes.size(), 1u);
  EXPECT_EQ(encodes[0].workload, "rd");
  EXPECT_EQ(encodes[0].input, "moving-texture");
  EXPECT_EQ(encodes[0].choice.strategies, std::vector<std::string>{"paper"});
  EXPECT_THROW(plan_runs("video", plan, {}), Error);
}

TEST(MeasuredDevice, RejectsADeviceThatWasNotMeasured) {
  Results results;
  results.devices.emplace_back().name = "tbb";
  EXPECT_THROW(MeasuredDevice(results, "cuda:0"), Error);
  EXPECT_EQ(device_to_show(results), "tbb");
  DeviceRecord& gpu = results.devices.emplace_back();
  gpu.name = "cuda:0";
  gpu.warp_width = 32;
  EXPECT_EQ(device_to_show(results), "cuda:0");
}

}  // namespace
}  // namespace millrace::tools
