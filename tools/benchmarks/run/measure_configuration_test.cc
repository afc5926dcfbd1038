// SPDX-License-Identifier: Apache-2.0

// Workloads that are wrong, missing, failing or fine, made for the purpose.
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/timeline/timeline.h>
#include <millrace/tools/benchmarks/run/measure_configuration.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <string>

namespace millrace::tools {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Counts what is used up by reading it.
class CountingProbe : public DeviceProbe {
 public:
  ConditionRecord conditions() override {
    ConditionRecord record;
    record.clock_hz = ++reads_;
    if (hot_reads) record.is_throttled = reads_ <= *hot_reads;
    return record;
  }
  std::optional<double> joules() override {
    ++energy_reads;
    return has_energy ? std::optional(joules_) : std::nullopt;
  }
  std::string driver() override { return ""; }

  void use(double joules) { joules_ += joules; }

  bool has_energy = false;
  std::optional<int> hot_reads;  // The clock is throttled at so many reads.
  int energy_reads = 0;

 private:
  double reads_ = 0;
  double joules_ = 0;
};

class MeasureConfigurationTest : public testing::Test {
 protected:
  MeasureConfigurationTest() {
    workload_.name = "work";
    workload_.item_name = "elements";
    workload_.prepare = [this](const auto&, const std::string&, std::uint64_t) {
      return PreparedWork{"fnv1a64:1", runs_};
    };
    options_.now = [this] { return now_; };
    options_.results_path = (std::filesystem::path(testing::TempDir()) / "bench.json").string();
  }

  // One that is right and takes a tenth of a second on the clock of these tests.
  WorkRun good(const std::string& policy, int& timed) {
    return {.policy = policy,
            .check =
                [] {
                  return RunAmount{1000, 400, "copy"};
                },
            .run =
                [this, &timed] {
                  ++timed;
                  now_ += 0.1;
                  probe_.use(2);
                  return 0.1;
                }};
  }

  static WorkRun bad(const std::string& policy, ErrorCode code, int& timed) {
    WorkRun run;
    run.policy = policy;
    run.check = [code]() -> RunAmount { throw Error(code, "as it is meant to be"); };
    run.run = [&timed] { return ++timed, 0.1; };
    return run;
  }

  std::vector<Measurement> measure(const RunSelection& choice = {}) {
    LimitRecord copy;
    copy.name = "copy";
    copy.value = 8000;
    copy.unit = "B/s";
    return measure_configuration({&workload_, device_, "some", 7}, choice, {copy}, probe_,
                                 options_);
  }

  const std::shared_ptr<Device> device_ = open_device("tbb");
  Workload workload_;
  std::vector<WorkRun> runs_;
  CountingProbe probe_;
  MeasureOptions options_;
  double now_ = 0;  // On a real clock the number of runs would be the machine's.
  int timed_ = 0;
};

// The clock at the begin of a run is the number of the read.
TEST_F(MeasureConfigurationTest, RunsBeginOnceTheDeviceIsCoolButWaitNotForEver) {
  for (const int hot_reads : {0, 3, 1000}) {
    probe_ = {};
    probe_.hot_reads = hot_reads;
    int pauses = 0;
    options_.pause = [&pauses] { ++pauses; };
    runs_ = {good("auto", timed_)};
    const Measurement run = measure().at(0);
    EXPECT_EQ(pauses, std::min(hot_reads, MeasureOptions::kMostPauses));
    EXPECT_EQ(run.before.clock_hz, pauses + 1);
    EXPECT_EQ(run.before.is_throttled, hot_reads == 1000);
  }
}

TEST_F(MeasureConfigurationTest, AResultHasTimesAmountsAndConditions) {
  runs_ = {good("auto", timed_)};
  const auto measurements = measure();
  ASSERT_THAT(measurements, SizeIs(1));
  const Measurement& run = measurements[0];
  EXPECT_EQ(run.status, MeasurementStatus::kOk);
  EXPECT_EQ(run.workload, "work");
  EXPECT_EQ(run.input, "some");
  EXPECT_EQ(run.input_hash, "fnv1a64:1");
  EXPECT_EQ(run.size, 7U);
  EXPECT_EQ(run.device, "tbb");
  EXPECT_EQ(run.policy, "auto");
  EXPECT_EQ(run.item_name, "elements");
  EXPECT_THAT(run.seconds, SizeIs(6));
  EXPECT_EQ(run.median_seconds, 0.1);
  EXPECT_EQ(run.items, 1000);
  EXPECT_DOUBLE_EQ(run.limit_fraction.value(), 0.5);
  EXPECT_EQ(run.before.clock_hz, 1);
  EXPECT_EQ(run.after.clock_hz, 2);
  EXPECT_FALSE(run.joules);
}

TEST_F(MeasureConfigurationTest, WhatIsWrongIsReportedAndNeverTimed) {
  int wrong_timed = 0;
  runs_ = {bad("uberkernel", ErrorCode::kInternal, wrong_timed), good("auto", timed_)};
  const auto measurements = measure();
  ASSERT_THAT(measurements, SizeIs(2));
  EXPECT_EQ(measurements[0].status, MeasurementStatus::kWrong);
  EXPECT_THAT(measurements[0].message, HasSubstr("as it is meant to be"));
  EXPECT_THAT(measurements[0].seconds, IsEmpty());
  EXPECT_EQ(wrong_timed, 0);
  EXPECT_EQ(measurements[1].status, MeasurementStatus::kOk);
  EXPECT_GT(timed_, 0);
}

TEST_F(MeasureConfigurationTest, WhatIsNotSupportedDiffersFromWhatFails) {
  runs_ = {bad("uberkernel", ErrorCode::kUnsupported, timed_),
           bad("auto", ErrorCode::kOutOfMemory, timed_)};
  const auto measurements = measure();
  EXPECT_EQ(measurements[0].status, MeasurementStatus::kUnsupported);
  EXPECT_EQ(measurements[1].status, MeasurementStatus::kFailed);
  EXPECT_EQ(timed_, 0);
}

TEST_F(MeasureConfigurationTest, WhatFailsLaterHasNoTimes) {
  runs_ = {good("auto", timed_), good("uberkernel", timed_)};
  runs_[0].run = [this]() -> double {
    if (++timed_ > 5) throw Error(ErrorCode::kInternal, "wrong at last");
    return 0.1;
  };
  const auto measurements = measure();
  EXPECT_EQ(measurements[0].status, MeasurementStatus::kWrong);
  EXPECT_THAT(measurements[0].seconds, IsEmpty());
  EXPECT_EQ(measurements[1].status, MeasurementStatus::kOk);
}

TEST_F(MeasureConfigurationTest, AnInputThatCannotBeMadeIsOneMeasurement) {
  workload_.prepare = [](const auto&, const std::string&, std::uint64_t) -> PreparedWork {
    throw std::bad_alloc();
  };
  const auto measurements = measure();
  ASSERT_THAT(measurements, SizeIs(1));
  EXPECT_EQ(measurements[0].status, MeasurementStatus::kFailed);
  EXPECT_FALSE(measurements[0].message.empty());
}

TEST_F(MeasureConfigurationTest, OnlyChosenPoliciesAndStrategiesRun) {
  int others = 0;
  runs_ = {good("auto", timed_), good("uberkernel", others), good("", timed_)};
  runs_[2].peer = "other";
  WorkRun& chosen = runs_.emplace_back(good("", timed_));
  chosen.strategy = "shared";
  WorkRun& left_out = runs_.emplace_back(good("", others));
  left_out.strategy = "global";
  const auto measurements = measure({{"auto"}, {"shared"}});
  ASSERT_THAT(measurements, SizeIs(3));
  EXPECT_EQ(measurements[0].policy, "auto");
  EXPECT_EQ(measurements[1].peer, "other");
  EXPECT_EQ(measurements[2].strategy, "shared");
  EXPECT_EQ(others, 0);
}

TEST_F(MeasureConfigurationTest, APolicyThatNoWayHasIsNotSupported) {
  runs_ = {good("", timed_)};
  const auto none = measure({{"persistent", "persistent"}, {}});
  ASSERT_THAT(none, SizeIs(2));
  EXPECT_EQ(none[0].status, MeasurementStatus::kOk);
  EXPECT_EQ(none[1].policy, "persistent");
  EXPECT_EQ(none[1].status, MeasurementStatus::kUnsupported);
  EXPECT_EQ(none[1].message, "there are no policies to choose from here");
  EXPECT_THAT(none[1].seconds, IsEmpty());

  runs_ = {good("auto", timed_)};
  const auto other = measure({{"persistent"}, {}});
  ASSERT_THAT(other, SizeIs(1));
  EXPECT_EQ(other[0].status, MeasurementStatus::kUnsupported);
  EXPECT_EQ(other[0].message, "this policy cannot be chosen here");
}

TEST_F(MeasureConfigurationTest, WhereNoWayIsLeftItIsSaid) {
  runs_ = {good("", timed_)};
  runs_[0].strategy = "global";
  const auto measurements = measure({{}, {"shared"}});
  ASSERT_THAT(measurements, SizeIs(1));
  EXPECT_EQ(measurements[0].strategy, "shared");
  EXPECT_EQ(measurements[0].status, MeasurementStatus::kUnsupported);
  EXPECT_EQ(timed_, 0);
}

TEST_F(MeasureConfigurationTest, EnergyIsThatOfARunByItself) {
  probe_.has_energy = true;
  runs_ = {good("auto", timed_)};
  EXPECT_DOUBLE_EQ(measure()[0].joules.value(), 2);
}

TEST_F(MeasureConfigurationTest, EnergyIsLeftOutWhereMostOfItIsNotOfTheTimedWork) {
  probe_.has_energy = true;
  runs_ = {good("auto", timed_)};
  runs_[0].run = [this] {
    now_ += 1e-3;  // Simulates the time to fill its input.
    probe_.use(2);
    return 1e-5;
  };
  const auto measurements = measure();
  EXPECT_EQ(measurements[0].status, MeasurementStatus::kOk);
  EXPECT_FALSE(measurements[0].joules);
}

TEST_F(MeasureConfigurationTest, WhatFailsWhileEnergyIsMeasuredKeepsItsTimes) {
  probe_.has_energy = true;
  runs_ = {good("auto", timed_), good("uberkernel", timed_)};
  runs_[0].run = [this] {
    if (probe_.energy_reads > 0) throw std::bad_alloc();
    return 0.1;
  };
  const auto measurements = measure();
  EXPECT_EQ(measurements[0].status, MeasurementStatus::kOk);
  EXPECT_FALSE(measurements[0].joules);
  EXPECT_TRUE(measurements[1].joules);
}

TEST_F(MeasureConfigurationTest, AStopThrowsAndKeepsNothing) {
  runs_ = {good("auto", timed_)};
  options_.is_stopped = [this] { return timed_ == 4; };
  try {
    measure();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCancelled);
  }
  EXPECT_EQ(timed_, 4);
}

TEST_F(MeasureConfigurationTest, ACheckThatAStopEndsThrowsAndIsNoFailure) {
  bool is_stopped = false;
  WorkRun run = good("auto", timed_);
  run.check = [&]() -> RunAmount {
    is_stopped = true;
    throw Error(ErrorCode::kCancelled, "interrupted");
  };
  runs_ = {run};
  options_.is_stopped = [&] { return is_stopped; };
  try {
    measure();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCancelled);
  }
  EXPECT_EQ(timed_, 0);
}

TEST_F(MeasureConfigurationTest, WhatStreamsIsTracedOnceOnRequest) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "traces";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  options_.traces = folder.string();
  int recorded = 0;
  runs_ = {good("auto", timed_), good("uberkernel", timed_)};
  runs_[0].is_streamed = true;
  runs_[0].run = [&] {
    if (Timeline::current() != nullptr) {
      ++recorded;
      const TimelineScope scope("host test", "a stage");
    }
    return 0.1;
  };
  const auto measurements = measure();
  EXPECT_EQ(recorded, 1);
  EXPECT_EQ(measurements[0].trace, "traces/bench-work-some-7-tbb-auto.json");
  EXPECT_EQ(measurements[1].trace, "");
  std::ifstream file(folder / "bench-work-some-7-tbb-auto.json");
  EXPECT_THAT(std::string(std::istreambuf_iterator<char>(file), {}), HasSubstr("a stage"));
}

TEST_F(MeasureConfigurationTest, ATraceIsNamedFromTheFolderOfTheResults) {
  const std::filesystem::path folder = testing::TempDir();
  std::filesystem::create_directories(folder / "results");
  std::filesystem::create_directories(folder / "others");
  options_.results_path = (folder / "results" / ".." / "results" / "bench.json").string();
  options_.traces = (folder / "results" / ".." / "others").string();
  options_.replaces_traces = true;
  runs_ = {good("auto", timed_)};
  runs_[0].is_streamed = true;
  EXPECT_EQ(measure()[0].trace, "../others/bench-work-some-7-tbb-auto.json");
}

}  // namespace
}  // namespace millrace::tools
