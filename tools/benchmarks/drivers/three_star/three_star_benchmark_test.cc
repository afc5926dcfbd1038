// SPDX-License-Identifier: Apache-2.0

// `bench three-star` on few points. It checks counts itself.
#include <millrace/tools/benchmarks/drivers/three_star/three_star_benchmark.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <millrace/runtime/core/error.h>

namespace millrace::tools {
namespace {

using testing::HasSubstr;

TEST(ThreeStarBenchmark, HasRowsOfAllThatADeviceCan) {
  const auto svg = std::filesystem::path(testing::TempDir()) / "three_star.svg";
  for (const std::string device : {"tbb", "simt:0"}) {
    testing::internal::CaptureStdout();
    benchmark_three_stars({.device = device,
                           .seconds = 1e-3,
                           .points = {400, 800},
                           .is_clustered = device == "tbb",
                           .svg = svg.string()});
    const std::string table = testing::internal::GetCapturedStdout();
    for (const char* const word : {"count", "compressed", "every id"}) {
      EXPECT_THAT(table, HasSubstr(word));
    }
    const auto has = [&](const char* what) { return table.find(what) != table.npos; };
    EXPECT_EQ(has("count, one thread"), device == "tbb");
    EXPECT_EQ(has("clustered ones, each, to even ones"), device == "tbb");
    EXPECT_EQ(has("written out to the host"), device != "tbb");
    EXPECT_EQ(has("a copy of as many"), device != "tbb");
    std::stringstream drawn;
    drawn << std::ifstream(svg).rdbuf();
    EXPECT_THAT(drawn.str(), HasSubstr("3-stars of random points"));
    EXPECT_THAT(drawn.str(), HasSubstr("every id"));
  }
}

TEST(ThreeStarBenchmark, LeavesRowsOutOnRequest) {
  testing::internal::CaptureStdout();
  benchmark_three_stars({.device = "simt:0",
                         .seconds = 1e-3,
                         .points = {300},
                         .what = {"compressed", "written-out", "count-one-thread"}});
  const std::string table = testing::internal::GetCapturedStdout();
  for (const char* const word : {"compressed", "written out to the host"}) {
    EXPECT_THAT(table, HasSubstr(word));
  }
  for (const char* const word : {"every id", "every 3-star", "a copy of as many"}) {
    EXPECT_THAT(table, testing::Not(HasSubstr(word)));
  }
}

TEST(ThreeStarBenchmark, RefusesWhatADeviceCannotBeMeasuredWith) {
  try {
    testing::internal::CaptureStdout();
    benchmark_three_stars({.seconds = 1e-3, .points = {300}, .what = {"copy", "written-out"}});
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_THAT(error.what(), HasSubstr("--what has no search that tbb can be measured with"));
  }
  testing::internal::GetCapturedStdout();
}

TEST(ThreeStarBenchmark, SaysWhichFileItCannotWrite) {
  try {
    testing::internal::CaptureStdout();
    benchmark_three_stars({.seconds = 1e-3, .points = {300}, .svg = "/nowhere/three_star.svg"});
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kIo);
    EXPECT_THAT(error.what(), HasSubstr("/nowhere/three_star.svg"));
  }
  testing::internal::GetCapturedStdout();
}

}  // namespace
}  // namespace millrace::tools
