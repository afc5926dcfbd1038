// SPDX-License-Identifier: Apache-2.0

// Cases made for the purpose, whose times are known.
#include <millrace/runtime/auto/run_history.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/auto/auto_runs.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <typeinfo>
#include <vector>

namespace millrace::tools {
namespace {

constexpr AutoRunCounts kCounts = {.first = 5, .settling = 5};

class AutoRunsTest : public testing::Test {
 protected:
  // kAuto chooses the uberkernel in two runs after the first runs, then persistent threads. The
  // uberkernel is the fastest fixed policy.
  AutoCase counted(double seconds) {
    return [this, seconds](Policy policy) {
      runs_.push_back(policy);
      AutoRun run{policy == Policy::kUberkernel ? seconds : 2 * seconds, 50, policy};
      if (policy != Policy::kAuto) return run;
      const auto count = std::ranges::count(runs_, Policy::kAuto);
      const bool is_uberkernel = count <= kCounts.first + 2;
      run.policy = is_uberkernel ? Policy::kUberkernel : Policy::kPersistentThreads;
      // The first runs take 1, 4, 9, 16 and 25 seconds.
      if (count <= kCounts.first) run.seconds = static_cast<double>(count * count);
      return run;
    };
  }

  static const WorkRun& run_of(const PreparedWork& work, Policy policy) {
    return *std::ranges::find(work.runs, to_string(policy), &WorkRun::policy);
  }

  std::vector<Policy> runs_;
};

TEST_F(AutoRunsTest, HaveEachPolicyOnce) {
  const PreparedWork work = auto_runs(counted(1), kCounts);
  ASSERT_EQ(work.runs.size(), std::size(kAllPolicies) + 1);
  for (const Policy policy : kAllPolicies) {
    EXPECT_EQ(std::ranges::count(work.runs, to_string(policy), &WorkRun::policy), 1);
  }
}

TEST_F(AutoRunsTest, TheCheckOfAutoSettlesIt) {
  const PreparedWork work = auto_runs(counted(2), kCounts);
  const RunAmount amount = run_of(work, Policy::kAuto).check();
  EXPECT_EQ(std::ranges::count(runs_, Policy::kAuto), kCounts.first + 5);
  EXPECT_EQ(amount.items, 50);
  EXPECT_EQ(amount.values, (std::map<std::string, double>{{"first run s", 9},
                                                          {"first run of best", 4.5},
                                                          {"runs under persistent", 3},
                                                          {"runs under uberkernel", 2}}));
}

// Runs of 0.4 ms: three fill the millisecond before each first run.
TEST_F(AutoRunsTest, AFirstRunComesBehindRunsOfTheFastestPolicy) {
  const PreparedWork work = auto_runs(counted(0.4e-3), {.settling = 1});
  run_of(work, Policy::kAuto).check();
  std::vector<Policy> expected;
  for (int i = 0; i < kCounts.first; ++i) {
    expected.insert(expected.end(), 3, Policy::kUberkernel);
    expected.push_back(Policy::kAuto);
  }
  expected.push_back(Policy::kAuto);  // The settling run.
  ASSERT_GT(runs_.size(), expected.size());
  EXPECT_EQ(std::vector<Policy>(runs_.end() - std::ssize(expected), runs_.end()), expected);
}

TEST_F(AutoRunsTest, NothingIsKnownInAFirstRun) {
  const WorkKey key{.roots = typeid(int), .device = "any"};
  std::vector<bool> known;
  const AutoCase work = [&](Policy policy) {
    if (policy != Policy::kAuto) return AutoRun{1, 50, policy};
    RunHistory& history = RunHistory::instance();
    const RunChoice choice = history.choose(key, {.roots = 1}, DeviceCosts{});
    known.push_back(choice.is_known);
    history.add(key, choice, {.policy = choice.policy, .tasks_by_type = {50}}, 1);
    return AutoRun{1, 50, choice.policy};
  };
  run_of(auto_runs(work, {.first = 3, .settling = 2}), Policy::kAuto).check();
  EXPECT_EQ(known, (std::vector<bool>{false, false, false, false, true}));
}

TEST_F(AutoRunsTest, TheCheckOfAFixedPolicyIsOneRun) {
  const PreparedWork work = auto_runs(counted(1), kCounts);
  const RunAmount amount = run_of(work, Policy::kKernelPerType).check();
  EXPECT_EQ(runs_, std::vector<Policy>{Policy::kKernelPerType});
  EXPECT_EQ(amount.items, 50);
  EXPECT_TRUE(amount.values.empty());
}

// Runs of 0.4 ms: three fill the millisecond before the one that is timed.
TEST_F(AutoRunsTest, ATimedRunComesBehindOthersOfItsPolicy) {
  const PreparedWork work = auto_runs(counted(0.4e-3), kCounts);
  EXPECT_EQ(run_of(work, Policy::kUberkernel).run(), 0.4e-3);
  EXPECT_EQ(runs_, std::vector<Policy>(4, Policy::kUberkernel));
}

TEST_F(AutoRunsTest, RepeatTheFastestPolicyForWhatChanceDoes) {
  const PreparedWork work = auto_runs(
      [this](Policy policy) {
        runs_.push_back(policy);
        return AutoRun{policy == Policy::kUberkernel ? 2e-3 : 3e-3, 50, policy};
      },
      kCounts);
  const WorkRun& again = work.runs.back();
  EXPECT_EQ(again.policy, "");
  EXPECT_EQ(again.strategy, kBestAgain);
  EXPECT_EQ(again.check().items, 50);
  runs_.clear();
  EXPECT_EQ(again.run(), 2e-3);
  EXPECT_EQ(runs_, std::vector<Policy>(2, Policy::kUberkernel));
}

TEST_F(AutoRunsTest, AWrongResultReachesTheCaller) {
  const PreparedWork work =
      auto_runs([](Policy) -> AutoRun { throw Error(ErrorCode::kInternal, "wrong"); }, kCounts);
  for (const WorkRun& run : work.runs) {
    EXPECT_THROW(run.check(), Error);
    EXPECT_THROW(run.run(), Error);
  }
}

}  // namespace
}  // namespace millrace::tools
