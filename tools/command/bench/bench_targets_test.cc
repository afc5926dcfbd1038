// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/bench/bench_targets.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millrace::tools {
namespace {

using testing::HasSubstr;

Measurement measured() {
  Measurement each;
  each.workload = "sort-keys";
  each.input = "zipf";
  each.size = 1000;
  each.device = "tbb";
  each.policy = "auto";
  each.seconds.assign(6, 2e-6);
  each.median_seconds = each.low_seconds = each.high_seconds = 2e-6;
  each.items = 1000;
  each.item_name = "keys";
  return each;
}

Results results() {
  Results all;
  all.machine.label = "lab";
  DeviceRecord& device = all.devices.emplace_back();
  device.name = "tbb";
  device.description = "A processor";
  all.measurements = {measured()};
  return all;
}

TargetSet targets() {
  Target rate;
  rate.of.workload = "sort-*";
  rate.bar = 4e8;
  rate.source = "a paper";
  Target time = rate;
  time.figure = FigureKind::kTime;
  time.is_least = false;
  time.bar = 1e-6;
  TargetSet set;
  set.file = "lab.json";
  set.label = "lab";
  set.targets = {rate, time};
  return set;
}

TEST(BenchTargets, AreATableWithTheirSum) {
  testing::internal::CaptureStdout();
  print_targets(targets(), results());
  const std::string text = testing::internal::GetCapturedStdout();
  const std::string blank(std::string("95 % interval").size() + 4, ' ');
  EXPECT_THAT(text,
              HasSubstr("\n  sort-keys, zipf, size 1000, on tbb  auto       rate    500 M keys/s" +
                        blank + "at least 400 M keys/s  met     a paper\n"));
  EXPECT_THAT(text, HasSubstr("  time         2.00 µs" + blank +
                              "      at most 1.00 µs  missed  a paper\n"));
  EXPECT_THAT(text, HasSubstr("targets of lab.json: 1 met, 1 missed, 0 not known, "
                              "0 without a figure\n"));
}

TEST(BenchTargets, OfAnotherMachineAreALine) {
  TargetSet set = targets();
  set.label = "office";
  testing::internal::CaptureStdout();
  print_targets(set, results());
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "targets of lab.json are for label 'office'; this machine has label 'lab', device 'A "
            "processor', so nothing is compared\n");
}

TEST(BenchTargets, ThatCannotBeReadAreAnError) {
  EXPECT_THROW(read_target_files({testing::TempDir() + "/none.json"}), Error);
}

}  // namespace
}  // namespace millrace::tools
