// SPDX-License-Identifier: Apache-2.0

// `bench host-sort` and `bench sort-paper` on few keys. They check every output themselves.
#include <millrace/tools/benchmarks/drivers/sort/host_sort_benchmark.h>
#include <millrace/tools/benchmarks/drivers/sort/sort_paper_benchmark.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <millrace/runtime/core/error.h>

namespace millrace::tools {
namespace {

using testing::HasSubstr;

std::size_t lines_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::size_t lines = 0;
  for (std::string line; std::getline(file, line);) ++lines;
  return lines;
}

TEST(HostSortBenchmark, HasALineForEachKindOfSort) {
  const auto csv = std::filesystem::path(testing::TempDir()) / "host_sort.csv";
  testing::internal::CaptureStdout();
  benchmark_host_sort(
      {.device = "simt:0", .seconds = 1e-3, .most = 1000, .csv = csv.string(), .rounds = 1});
  const std::string table = testing::internal::GetCapturedStdout();
  for (const char* const kind : {"keys ", "pairs ", "argsort ", "zipf "}) {
    EXPECT_THAT(table, HasSubstr(kind));
  }
  // 3 kinds in 2 memories and of 8 distributions, and a head.
  EXPECT_EQ(lines_of(csv), 3U * (2 + 8) + 1);
}

TEST(SortPaperBenchmark, HasTheRowsOfThePaper) {
  testing::internal::CaptureStdout();
  benchmark_sort_paper({.device = "simt:1", .seconds = 1e-3, .most = 10'000, .rounds = 1});
  const std::string table = testing::internal::GetCapturedStdout();
  for (const char* const row :
       {"uniform: pairs", "normal: pairs", "reduction", "scan", "scatter", "copy to device",
        "copy to host", "bucketing", "load balance", "overlap of output", "total"}) {
    EXPECT_THAT(table, HasSubstr(row));
  }
}

TEST(HostSortBenchmark, NeedsADeviceWithMemoryOfItsOwn) {
  EXPECT_THROW(benchmark_host_sort({.device = "tbb"}), Error);
}

}  // namespace
}  // namespace millrace::tools
