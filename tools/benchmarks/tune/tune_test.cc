// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tools/benchmarks/tune/tune.h>
#include <millrace/tools/benchmarks/tune/tune_design.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

using conformance::device_names;

class TuneTest : public testing::TestWithParam<std::string> {
 protected:
  std::shared_ptr<Device> device_ = open_device(GetParam());
};

TEST_P(TuneTest, EachPolicyRunsEachWorkloadAndTheCostsAreThose) {
  const TuneResult result = tune(device_, /*seconds=*/0, {});
  std::set<std::pair<std::string, Policy>> cells;
  std::set<std::string> workloads;
  for (const TunedRun& tuned : result.runs) {
    EXPECT_GT(tuned.run.seconds, 0) << tuned.workload;
    EXPECT_GT(tuned.predicted_seconds, 0) << tuned.workload;
    EXPECT_EQ(tuned.predicted_seconds,
              predict_seconds(tuned.run.policy, tuned.run.work, result.costs));
    cells.emplace(tuned.workload, tuned.run.policy);
    workloads.insert(tuned.workload);
  }
  EXPECT_EQ(cells.size(), workloads.size() * std::size(kConcretePolicies));
  EXPECT_EQ(cells.size(), result.runs.size());
  for (const CostVector& costs : result.costs.policies) {
    EXPECT_TRUE(std::ranges::all_of(costs, [](double cost) { return cost >= 0; }));
    EXPECT_GT(costs[kCostOfRun] + costs[kCostOfWave], 0);
  }
  EXPECT_GT(result.costs.residual, 0);
  EXPECT_EQ(result.costs.link.up > 0, !device_->info().shares_host_memory);
}

TEST_P(TuneTest, StopsOnRequest) {
  std::stop_source stop;
  stop.request_stop();
  try {
    tune(device_, 1e6, stop.get_token());
    FAIL() << "it went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCancelled);
  }
}

INSTANTIATE_TEST_SUITE_P(EachDevice, TuneTest, testing::ValuesIn(device_names()),
                         [](const auto& test) { return conformance::name_of(test); });

}  // namespace
}  // namespace millrace::tools
