#include <millrace/tools/command/bench_table.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millrace::tools {
namespace {

using testing::HasSubstr;

TEST(BenchTable, NumbersHaveThreeDigitsAndAUnit) {
  EXPECT_EQ(short_time(1.2345e-3), "1.23 ms");
  EXPECT_EQ(short_time(12.345e-6), "12.3 us");
  EXPECT_EQ(short_time(0.99999), "1.00 s");
  EXPECT_EQ(short_time(123.4), "123 s");
  EXPECT_EQ(short_rate(42.13e6, "keys/s"), "42.1 M keys/s");
  EXPECT_EQ(short_rate(999.6e3, "B/s"), "1.00 M B/s");
  EXPECT_EQ(short_rate(5, "frames/s"), "5.00 frames/s");
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
  print_measurements({good, missing, other, wrong}, 2, 9);
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_THAT(text, HasSubstr("[2/9] sort-keys of zipf, size 1000, on tbb\n"));
  EXPECT_THAT(text, HasSubstr("1.00 ms   10.0 %     2  1.00 M keys/s"));
  EXPECT_THAT(text, HasSubstr("25.0 % of copy\n"));
  EXPECT_THAT(text, HasSubstr("  not supported: no such library (CUB, rocPRIM)\n"));
  EXPECT_THAT(text, HasSubstr("  WRONG: out of order (bogosort)\n"));
}

}  // namespace
}  // namespace millrace::tools
