// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/bench/bench_table.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millrace::tools {
namespace {

using testing::HasSubstr;

TEST(BenchTable, LimitsAreInALine) {
  testing::internal::CaptureStdout();
  print_limits({{.device = "tbb", .name = "copy", .value = 12.34e9, .unit = "B/s"},
                {.device = "tbb", .name = "launch", .value = 5e-6, .unit = "s"}});
  EXPECT_THAT(testing::internal::GetCapturedStdout(),
              HasSubstr("limits of tbb: copy 12.3 GB/s, launch 5.00 µs\n"));
}

TEST(BenchTable, TimesAreInRowsAndReasonsInALineForAll) {
  Measurement good;
  good.workload = "sort-keys";
  good.input = "zipf";
  good.size = 1000;
  good.device = "tbb";
  good.policy = "auto";
  good.seconds = {1e-3, 1e-3};
  good.median_seconds = good.low_seconds = 1e-3;
  good.high_seconds = 1.1e-3;
  good.items = 1000;
  good.item_name = "keys";
  good.limit = "copy";
  good.limit_fraction = 0.25;
  Measurement short_one = good;
  short_one.median_seconds = short_one.low_seconds = 1e-6;
  short_one.high_seconds = 1.1e-6;
  Measurement missing = good;
  missing.status = MeasurementStatus::kUnsupported;
  missing.message = "no such library";
  missing.policy.clear();
  missing.peer = "CUB";
  Measurement other = missing;
  other.peer = "rocPRIM";
  Measurement wrong = missing;
  wrong.status = MeasurementStatus::kWrong;
  wrong.message = "out of order";
  wrong.peer = "bogosort";
  testing::internal::CaptureStdout();
  print_measurements({good, short_one, missing, other, wrong}, 2, 9);
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_THAT(text, HasSubstr("[2/9] sort-keys of zipf, size 1000, on tbb\n"));
  EXPECT_THAT(text, HasSubstr("1.00 ms   10.0 %     2  1.00 M keys/s"));
  EXPECT_THAT(text, HasSubstr("   1.00 µs   10.0 %     2  1.00 G keys/s"));
  EXPECT_THAT(text, HasSubstr("25.0 % of copy\n"));
  EXPECT_THAT(text, HasSubstr("  not supported: no such library (CUB, rocPRIM)\n"));
  EXPECT_THAT(text, HasSubstr("  WRONG: out of order (bogosort)\n"));
}

}  // namespace
}  // namespace millrace::tools
