// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/auto/cost_fit.h>
#include <millrace/runtime/core/error.h>

#include <gtest/gtest.h>

#include <random>

namespace millrace {
namespace {

// Returns costs each of which dominates some run.
DeviceCosts true_costs() {
  DeviceCosts costs;
  costs.workers = 8;
  costs.of(Policy::kPersistentThreads) = {20e-6, 1e-6, 9e-6, 30e-9, 60e-9, 2e-9, 10e-9, 50e-9, 1.1};
  costs.of(Policy::kUberkernel) = {5e-6, 4e-6, 1e-6, 10e-9, 90e-9, 1e-9, 20e-9, 30e-9, 1};
  costs.of(Policy::kKernelPerType) = {8e-6, 6e-6, 2e-6, 15e-9, 95e-9, 1e-9, 40e-9, 20e-9, 0.9};
  return costs;
}

DeviceCosts with_workers(const LinkCosts& link = {}) {
  DeviceCosts costs;
  costs.workers = 8;
  costs.link = link;
  return costs;
}

struct Mix {
  double types;
  double gini_simpson;
};

// Returns runs of many shapes with a relative error of up to `noise`.
std::vector<MeasuredRun> measure(const DeviceCosts& costs, double noise) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> error(1 - noise, 1 + noise);
  std::vector<MeasuredRun> runs;
  for (const double roots : {1.0, 4.0, 100.0, 10'000.0, 1e6}) {
    for (const double growth : {1.0, 30.0}) {
      for (const double waves : {1.0, 10.0, 1000.0}) {
        for (const Mix& mix : {Mix{1, 0}, Mix{2, 0}, Mix{2, 0.1}, Mix{2, 0.5}}) {
          for (const double bytes : {16.0, 128.0}) {
            for (const double work : {0.0, 1e-6}) {
              const WorkFeatures features{.roots = roots,
                                          .items = roots * growth,
                                          .waves = waves,
                                          .types = mix.types,
                                          .gini_simpson = mix.gini_simpson,
                                          .item_bytes = bytes,
                                          .item_seconds = work};
              for (const Policy policy : kConcretePolicies) {
                const double seconds = predict_seconds(policy, features, costs);
                runs.push_back({policy, features, seconds * error(random)});
              }
            }
          }
        }
      }
    }
  }
  return runs;
}

void expect_near(const DeviceCosts& fitted, const DeviceCosts& costs, double most) {
  for (const Policy policy : kConcretePolicies) {
    for (int term = 0; term < kCostTerms; ++term) {
      const double right = costs.of(policy)[term];
      EXPECT_NEAR(fitted.of(policy)[term], right, most * right)
          << to_string(policy) << ", term " << term;
    }
  }
}

TEST(CostFit, FindsTheCostsThatMadeTheTimes) {
  const DeviceCosts fitted = fit_costs(measure(true_costs(), 0), with_workers()).costs;
  expect_near(fitted, true_costs(), 0.01);
  EXPECT_LT(fitted.residual, 0.001);
}

TEST(CostFit, FindsThemInNoiseToo) {
  const DeviceCosts fitted = fit_costs(measure(true_costs(), 0.05), with_workers()).costs;
  expect_near(fitted, true_costs(), 0.25);
  EXPECT_GT(fitted.residual, 0.01);
  EXPECT_LT(fitted.residual, 0.05);
}

// A policy that sorts by type has a cost of types but none of their mix; others have both.
TEST(CostFit, SeparatesTheCostOfTypesFromThatOfTheirMix) {
  DeviceCosts costs = true_costs();
  costs.of(Policy::kKernelPerType)[kCostOfMix] = 0;
  const DeviceCosts fitted = fit_costs(measure(costs, 0.02), with_workers()).costs;
  const CostVector& persistent = fitted.of(Policy::kPersistentThreads);
  EXPECT_NEAR(persistent[kCostOfType], 10e-9, 3e-9);
  EXPECT_NEAR(persistent[kCostOfMix], 50e-9, 8e-9);
  const CostVector& sorted = fitted.of(Policy::kKernelPerType);
  EXPECT_NEAR(sorted[kCostOfType], 40e-9, 4e-9);
  EXPECT_LT(sorted[kCostOfMix], 4e-9);
}

TEST(CostFit, SomeRunsThatWereDisturbedDoNotMatter) {
  std::vector<MeasuredRun> runs = measure(true_costs(), 0.02);
  for (std::size_t i = 0; i < runs.size(); i += 20) runs[i].seconds *= 30;
  expect_near(fit_costs(runs, with_workers()).costs, true_costs(), 0.25);
}

TEST(CostFit, AUnitOfWorkIsASecondOfTheUberkernel) {
  std::vector<MeasuredRun> runs = measure(true_costs(), 0);
  for (MeasuredRun& run : runs) run.work.item_seconds *= 1e6;
  const CostFit fit = fit_costs(runs, with_workers());
  expect_near(fit.costs, true_costs(), 0.01);
  EXPECT_NEAR(fit.unit_seconds, 1e-6, 1e-8);
}

TEST(CostFit, NoCostIsBelowZero) {
  // More items take less time, so plain least squares would give a root a negative cost.
  std::vector<MeasuredRun> runs;
  for (const Policy policy : kConcretePolicies) {
    runs.push_back({policy, {.roots = 1, .items = 1}, 2e-6});
    runs.push_back({policy, {.roots = 1000, .items = 1000}, 1e-6});
  }
  const DeviceCosts fitted = fit_costs(runs, {}).costs;
  for (const Policy policy : kConcretePolicies) {
    for (const double cost : fitted.of(policy)) EXPECT_GE(cost, 0);
  }
}

TEST(CostFit, RejectsRunsThatDetermineNoCosts) {
  const MeasuredRun run{Policy::kUberkernel, {.roots = 1, .items = 1}, 1e-6};
  EXPECT_THROW(fit_costs({run}, {}), Error);
  std::vector<MeasuredRun> runs;
  for (const Policy policy : kConcretePolicies) {
    runs.push_back({policy, {.roots = 1, .items = 1}, 0});
  }
  EXPECT_THROW(fit_costs(runs, {}), Error);
}

TEST(CostFit, KeepsTheLink) {
  const DeviceCosts fitted =
      fit_costs(measure(true_costs(), 0), with_workers({1e9, 2e9, 3e-6})).costs;
  EXPECT_EQ(fitted.workers, 8);
  EXPECT_EQ(fitted.link.up, 1e9);
  EXPECT_EQ(fitted.link.down, 2e9);
}

}  // namespace
}  // namespace millrace
