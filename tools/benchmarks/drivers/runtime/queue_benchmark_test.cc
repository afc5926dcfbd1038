// SPDX-License-Identifier: Apache-2.0

// `bench queues` and `bench stress` on small queues. Every run in them is checked, so a task that
// is lost or run twice ends the table, and counts as a failure of the stress.
#include <millrace/tools/benchmarks/drivers/runtime/queue_benchmark.h>
#include <millrace/tools/benchmarks/drivers/runtime/stress_benchmark.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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

class QueueBenchmarkTest : public testing::TestWithParam<std::string> {};

TEST_P(QueueBenchmarkTest, TheTableHasEveryWorkload) {
  testing::internal::CaptureStdout();
  benchmark_queues({.device = GetParam(), .is_quick = true});
  const std::string table = testing::internal::GetCapturedStdout();
  for (const char* const workload : {"tree 2^12", "tree 2^12, 256 B", "memory 2^15, block leaves",
                                     "geo", "bin", "chains", "flat", "copies", "one empty task"}) {
    EXPECT_THAT(table, HasSubstr(std::string("\n") + workload + "  "));
  }
}

TEST_P(QueueBenchmarkTest, StressEndsWithWhatItRan) {
  testing::internal::CaptureStdout();
  const std::size_t failures = stress_queues({.device = GetParam(), .runs = 20});
  const std::string out = testing::internal::GetCapturedStdout();
  EXPECT_EQ(failures, 0u) << out;
  EXPECT_TRUE(out.ends_with("\n20 runs, 0 failures\n")) << out;
}

INSTANTIATE_TEST_SUITE_P(EachDevice, QueueBenchmarkTest, testing::ValuesIn(device_names()),
                         [](const auto& test) { return conformance::name_of(test); });

TEST(QueueBenchmark, TheFileHasALineForEachOfTheTable) {
  const auto path = std::filesystem::path(testing::TempDir()) / "queues.csv";
  testing::internal::CaptureStdout();
  benchmark_queues({.device = "tbb", .csv = path.string(), .is_quick = true});
  const std::string table = testing::internal::GetCapturedStdout();
  std::ifstream file(path);
  const std::string csv(std::istreambuf_iterator<char>(file), {});
  constexpr int kLinesAbove = 3;  // The device, what is counted, and the names; one in the file.
  EXPECT_EQ(std::ranges::count(csv, '\n') - 1, std::ranges::count(table, '\n') - kLinesAbove);
  EXPECT_THAT(csv, HasSubstr("\n\"chains\",\"persistent\",400,0,"));
}

TEST(QueueBenchmark, AFileThatCannotBeWrittenIsSaid) {
  testing::internal::CaptureStdout();
  try {
    benchmark_queues({.device = "tbb", .csv = "/nowhere/queues.csv", .is_quick = true});
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kIo);
  }
  testing::internal::GetCapturedStdout();
}

TEST(StressQueues, NoRunStartsAfterTheTime) {
  testing::internal::CaptureStdout();
  stress_queues({.device = "tbb", .runs = 20, .seconds = 0});
  EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("\n0 runs, 0 failures\n"));
}

}  // namespace
}  // namespace millrace::tools
