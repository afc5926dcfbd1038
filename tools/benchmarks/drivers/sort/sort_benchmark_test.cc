// SPDX-License-Identifier: Apache-2.0

// `bench sort` on few keys. It checks its results itself.
#include <millrace/tools/benchmarks/drivers/sort/sort_benchmark.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <millrace/runtime/core/error.h>

namespace millrace::tools {
namespace {

using testing::HasSubstr;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(SortBenchmark, PrintsWritesAndDrawsItsRates) {
  const std::filesystem::path folder = testing::TempDir();
  const SortBenchmarkOptions options{
      .seconds = 1e-3, .most = 1000, .csv = folder / "sort.csv", .svg = folder / "sort.svg"};
  testing::internal::CaptureStdout();
  benchmark_sort(options);
  EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("few-distinct"));
  const std::string csv = text_of(options.csv);
  EXPECT_THAT(csv, HasSubstr("keys,uniform,1000,vqsort,"));
  EXPECT_THAT(csv, HasSubstr("pairs,zipf,1000,millrace,"));
  EXPECT_THAT(text_of(options.svg), HasSubstr("spreadsort</text>"));
}

TEST(SortBenchmark, RefusesADeviceWithMemoryOfItsOwn) {
  EXPECT_THROW(benchmark_sort({.device = "simt:0"}), Error);
}

TEST(SortBenchmark, SaysWhichFileItCannotWrite) {
  testing::internal::CaptureStdout();
  try {
    benchmark_sort({.seconds = 1e-3, .most = 1000, .svg = "/nowhere/sort.svg"});
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kIo);
    EXPECT_THAT(error.what(), HasSubstr("/nowhere/sort.svg"));
  }
  testing::internal::GetCapturedStdout();
}

}  // namespace
}  // namespace millrace::tools
