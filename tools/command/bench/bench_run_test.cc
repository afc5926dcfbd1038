// SPDX-License-Identifier: Apache-2.0

// Plans of workloads made for the purpose.
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/bench/bench_run.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace millrace::tools {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class BenchRunTest : public testing::Test {
 protected:
  BenchRunTest() {
    options_.out = (std::filesystem::path(testing::TempDir()) / "bench.json").string();
    options_.force = true;
    workload_.name = "work";
    workload_.prepare = [](const auto&, const std::string&, std::uint64_t) {
      WorkRun run;
      run.check = [] { return RunAmount{1, 0, "launch"}; };
      run.run = [] { return 0.1; };
      return PreparedWork{"", {run}};
    };
    for (const auto& device : devices_) plan_.push_back({&workload_, device, "", 1});
  }

  static std::vector<LimitRecord> some_limits(const std::shared_ptr<Device>& device) {
    LimitRecord launch;
    launch.device = device->info().name;
    launch.name = "launch";
    launch.value = 0.05;
    launch.unit = "s";
    return {launch};
  }

  // Ignores what it prints.
  void run(BenchResults& results, const BenchRun::MeasureLimits& measure_limits) {
    MeasureOptions options;
    options.seconds = 1e-3;
    options.energy_seconds = 0;
    BenchRun bench(plan_, {}, options, results, measure_limits);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    try {
      bench.run();
    } catch (...) {
      testing::internal::GetCapturedStdout();
      testing::internal::GetCapturedStderr();
      throw;
    }
    testing::internal::GetCapturedStdout();
    said_ = testing::internal::GetCapturedStderr();
  }

  const std::vector<std::shared_ptr<Device>> devices_ = {open_device("tbb"), open_device("simt:0")};
  BenchOptions options_;
  Workload workload_;
  std::vector<Configuration> plan_;
  std::string said_;
};

TEST_F(BenchRunTest, MeasuresTheOthersWhereLimitsOfADeviceFail) {
  BenchResults results(options_, new_results(options_, {devices_.begin(), devices_.end()}));
  run(results, [&](const std::shared_ptr<Device>& device, double, const auto&) {
    if (device == devices_[0]) throw Error(ErrorCode::kOutOfMemory, "there is no memory");
    return some_limits(device);
  });
  EXPECT_THAT(said_, HasSubstr("millrace: tbb: its limits are not known: there is no memory\n"));
  const Results& all = results.results();
  EXPECT_TRUE(all.is_complete);
  ASSERT_THAT(all.measurements, SizeIs(2));
  EXPECT_EQ(all.measurements[0].status, MeasurementStatus::kOk);
  EXPECT_FALSE(all.measurements[0].limit_fraction);
  EXPECT_EQ(all.measurements[1].limit_fraction, 0.5);
  ASSERT_THAT(all.limits, SizeIs(1));
  EXPECT_EQ(all.limits[0].device, "simt:0");
}

TEST_F(BenchRunTest, AGroupHasARecordOfItsOwnAndNoLimits) {
  const DeviceSet group(devices_);
  workload_.prepare_group = [prepare = workload_.prepare](const auto& devices, const auto& input,
                                                          std::uint64_t size) {
    return prepare(devices.front(), input, size);
  };
  plan_ = {{&workload_, group, "", 1}};
  BenchResults results(options_, new_results(options_, {group}));
  run(results, [](const auto&, double, const auto&) -> std::vector<LimitRecord> {
    ADD_FAILURE() << "limits of a group";
    return {};
  });
  const Results read = read_results(options_.out);
  ASSERT_THAT(read.devices, SizeIs(3));
  EXPECT_EQ(read.devices[2].name, "tbb,simt:0");
  EXPECT_EQ(read.devices[2].members, (std::vector<std::string>{"tbb", "simt:0"}));
  EXPECT_TRUE(read.devices[2].is_simulated);
  ASSERT_THAT(read.measurements, SizeIs(1));
  EXPECT_EQ(read.measurements[0].device, "tbb,simt:0");
  EXPECT_EQ(read.measurements[0].status, MeasurementStatus::kOk);
  EXPECT_TRUE(results.has(plan_[0]));
}

TEST_F(BenchRunTest, ARankTakesTheDecisionsOfAnother) {
  options_.out.clear();
  BenchResults results(options_, new_results(options_, {devices_.begin(), devices_.end()}));
  MeasureOptions options;
  options.decided = [](bool) { return true; };
  options.prints = false;
  BenchRun bench(plan_, {}, options, results, {});
  testing::internal::CaptureStdout();
  bench.run();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_TRUE(results.results().measurements.empty());
  EXPECT_TRUE(results.results().is_complete);
}

TEST_F(BenchRunTest, AnInterruptWhileLimitsAreMeasuredEndsIt) {
  BenchResults results(options_, new_results(options_, {devices_.begin(), devices_.end()}));
  EXPECT_THROW(run(results,
                   [](const auto&, double, const auto&) -> std::vector<LimitRecord> {
                     throw Error(ErrorCode::kCancelled, "interrupted");
                   }),
               Error);
  EXPECT_FALSE(results.results().is_complete);
}

}  // namespace
}  // namespace millrace::tools
