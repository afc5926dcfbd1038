// `bench three-star-paper` on few points. It checks every set itself.
#include <millrace/tools/benchmark/three_star_paper_benchmark.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include <millrace/runtime/error.h>

namespace millrace::tools {
namespace {

using testing::HasSubstr;

TEST(ThreeStarPaperBenchmark, HasTheVariantsAndBarsOfThePaper) {
  const auto csv = std::filesystem::path(testing::TempDir()) / "three_star_paper.csv";
  for (const char* const device : {"tbb", "simt:1"}) {
    testing::internal::CaptureStdout();
    benchmark_three_stars_as_paper({.device = device,
                                    .seconds = 1e-3,
                                    .points = {300, 600},
                                    .csv = csv.string(),
                                    .rounds = 1});
    const std::string table = testing::internal::GetCapturedStdout();
    for (const char* const word : {"sequential", "baseline + streaming", "baseline + compression ",
                                   "baseline + compression + streaming", "our count", "LOAD",
                                   "COMP", "REPORT", "DataOut", "DECODE"}) {
      EXPECT_THAT(table, HasSubstr(word));
    }
    std::ifstream file(csv);
    std::size_t lines = 0;
    for (std::string line; std::getline(file, line);) {
      ++lines;
      EXPECT_EQ(std::count(line.begin(), line.end(), ','), 9);
    }
    EXPECT_EQ(lines, 2 * (4 + 3) + 1U);
  }
}

TEST(ThreeStarPaperBenchmark, SaysWhichFileItCannotWrite) {
  try {
    benchmark_three_stars_as_paper({.csv = "/nowhere/three_star.csv"});
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kIo);
    EXPECT_THAT(error.what(), HasSubstr("/nowhere/three_star.csv"));
  }
}

}  // namespace
}  // namespace millrace::tools
