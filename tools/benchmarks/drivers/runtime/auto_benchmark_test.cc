// SPDX-License-Identifier: Apache-2.0

// `bench auto` on small cases, each of which checks its results.
#include <millrace/tools/benchmarks/drivers/runtime/auto_benchmark.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>

namespace millrace::tools {
namespace {

using conformance::device_names;
using testing::HasSubstr;
using testing::Not;

class AutoBenchmarkTest : public testing::TestWithParam<std::string> {};

TEST_P(AutoBenchmarkTest, TheTableHasEveryCase) {
  testing::internal::CaptureStdout();
  EXPECT_TRUE(benchmark_auto({.device = GetParam(), .is_quick = true}));  // It has no bars.
  const std::string table = testing::internal::GetCapturedStdout();
  const DeviceInfo info = open_device(GetParam())->info();
  const char* const searches = info.is_simulated ? "3-stars of 100" : "3-stars of 400";
  for (const char* const name : {"idct 100, 50 % of 8x8", "tree 2^11", "tree 2^10, 256 B",
                                 "memory 2^14, block leaves", "geo of 4 levels", "bin of 20 roots",
                                 "chains 20 x 10", "flat 1000", "copies 50", searches}) {
    EXPECT_THAT(table, HasSubstr(std::string("\n") + name + " "));
  }
  const bool has_sorts = table.find("\nsort 70000, uniform") != std::string::npos;
  EXPECT_EQ(has_sorts, info.shares_host_memory);
}

INSTANTIATE_TEST_SUITE_P(EachDevice, AutoBenchmarkTest, testing::ValuesIn(device_names()),
                         [](const auto& test) { return conformance::name_of(test); });

TEST(AutoBenchmark, TheFileHasALineForEachCase) {
  const auto path = std::filesystem::path(testing::TempDir()) / "auto.csv";
  testing::internal::CaptureStdout();
  benchmark_auto({.device = "tbb", .csv = path.string(), .is_quick = true});
  testing::internal::GetCapturedStdout();
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(text, HasSubstr("case,persistent,"));
  EXPECT_THAT(text, HasSubstr("\n\"chains 20 x 10\","));
}

TEST(AutoBenchmark, OnlyTheCasesThatAreAskedFor) {
  testing::internal::CaptureStdout();
  EXPECT_TRUE(benchmark_auto({.device = "tbb", .cases = "chains", .is_quick = true}));
  const std::string table = testing::internal::GetCapturedStdout();
  EXPECT_THAT(table, HasSubstr("\nchains 20 x 10 "));
  EXPECT_THAT(table, Not(HasSubstr("\nflat ")));
  testing::internal::CaptureStdout();
  EXPECT_THROW(benchmark_auto({.device = "tbb", .cases = "no such case", .is_quick = true}), Error);
  testing::internal::GetCapturedStdout();
}

TEST(AutoBenchmark, AFileThatCannotBeWrittenIsAnError) {
  testing::internal::CaptureStdout();
  EXPECT_THROW(
      benchmark_auto({.device = "tbb", .csv = "/no such folder/auto.csv", .is_quick = true}),
      Error);
  testing::internal::GetCapturedStdout();
}

}  // namespace
}  // namespace millrace::tools
