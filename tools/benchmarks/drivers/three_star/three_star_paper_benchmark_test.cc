// SPDX-License-Identifier: Apache-2.0

// `bench three-star-paper` on few points. It checks every set itself.
#include <millrace/tools/benchmarks/drivers/three_star/three_star_paper_benchmark.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <millrace/runtime/core/error.h>

namespace millrace::tools {
namespace {

using testing::HasSubstr;

std::ptrdiff_t occurrences(const std::string& text, const std::string& word) {
  std::ptrdiff_t count = 0;
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++count;
  return count;
}

TEST(ThreeStarPaperBenchmark, HasTheVariantsAndBarsOfThePaper) {
  const auto csv = std::filesystem::path(testing::TempDir()) / "three_star_paper.csv";
  const auto svg = std::filesystem::path(testing::TempDir()) / "three_star_paper.svg";
  for (const char* const device : {"tbb", "simt:1"}) {
    testing::internal::CaptureStdout();
    benchmark_three_stars_as_paper({.device = device,
                                    .seconds = 1e-3,
                                    .points = {300, 600},
                                    .csv = csv.string(),
                                    .svg = svg.string(),
                                    .rounds = 1});
    const std::string table = testing::internal::GetCapturedStdout();
    for (const char* const word :
         {"sequential", "baseline + streaming", "baseline + compression ",
          "baseline + compression + streaming", "our count ", "our count by one CPU thread",
          "our visit by one CPU thread", "LOAD", "COMP", "REPORT", "DataOut", "DECODE"}) {
      EXPECT_THAT(table, HasSubstr(word));
    }
    std::ifstream file(csv);
    std::size_t lines = 0;
    for (std::string line; std::getline(file, line);) {
      ++lines;
      EXPECT_EQ(std::count(line.begin(), line.end(), ','), 9);
    }
    EXPECT_EQ(lines, 2 * (4 + 5) + 1U);
    // A line for each of sequential code, four variants and our three searches; a profile for each
    // number of points, with a bar of five parts for each variant.
    std::stringstream drawn;
    drawn << std::ifstream(svg).rdbuf();
    const std::string picture = drawn.str();
    EXPECT_EQ(occurrences(picture, "class=\"series "), 8);
    EXPECT_EQ(occurrences(picture, "Each step by itself"), 2);
    EXPECT_EQ(occurrences(picture, ">DECODE<"), 2);
    EXPECT_EQ(occurrences(picture, "height=\"15\""), 2 * 4 * 5);
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
