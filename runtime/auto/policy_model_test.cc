// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/auto/policy_model.h>

#include <gtest/gtest.h>

#include <optional>

namespace millrace {
namespace {

DeviceInfo cpu() {
  DeviceInfo device;
  device.compute_units = 2;
  return device;
}
DeviceInfo gpu() {
  DeviceInfo device;
  device.compute_units = 132;
  device.warp_width = 32;
  return device;
}

const WorkFeatures kTree{.roots = 1, .items = 100'000, .waves = 17};

TEST(PolicyModel, MoreOfAnythingNeverTakesLess) {
  for (const DeviceInfo& device : {cpu(), gpu()}) {
    const DeviceCosts costs = default_costs(device);
    for (const Policy policy : kConcretePolicies) {
      const double least = predict_seconds(policy, kTree, costs);
      for (double WorkFeatures::*figure : {&WorkFeatures::items, &WorkFeatures::waves,
                                           &WorkFeatures::types, &WorkFeatures::item_bytes}) {
        // Narrower trees with the same number of items have fewer doublings under persistent
        // threads.
        if (figure == &WorkFeatures::waves && policy == Policy::kPersistentThreads) continue;
        WorkFeatures more = kTree;
        more.*figure *= 2;
        EXPECT_GE(predict_seconds(policy, more, costs), least) << to_string(policy);
      }
      WorkFeatures longer = kTree;
      longer.item_seconds = 1e-6;
      EXPECT_GT(predict_seconds(policy, longer, costs), least) << to_string(policy);
    }
  }
}

TEST(PolicyModel, JoinsFavorPersistentThreads) {
  for (const DeviceInfo& device : {cpu(), gpu()}) {
    const DeviceCosts costs = default_costs(device);
    for (const Policy policy : kConcretePolicies) {
      WorkFeatures tree = kTree;
      const double without = predict_seconds(policy, tree, costs);
      tree.opens_joins = true;
      EXPECT_EQ(predict_seconds(policy, tree, costs) < without,
                policy == Policy::kPersistentThreads);
    }
  }
}

TEST(PolicyModel, AWaveUsesNoMoreWorkersThanItHasItems) {
  DeviceCosts costs;
  costs.workers = 100;
  costs.of(Policy::kUberkernel)[kCostOfWork] = 1;
  WorkFeatures work{.roots = 10, .items = 40, .waves = 4, .item_seconds = 1};
  EXPECT_DOUBLE_EQ(predict_seconds(Policy::kUberkernel, work, costs), 4);
  work.waves = 1;
  EXPECT_DOUBLE_EQ(predict_seconds(Policy::kUberkernel, work, costs), 1);
  costs.workers = 2;
  EXPECT_DOUBLE_EQ(predict_seconds(Policy::kUberkernel, work, costs), 20);
}

TEST(PolicyModel, LaunchesOfATypeEachCountByType) {
  DeviceCosts costs;
  costs.of(Policy::kUberkernel)[kCostOfWave] = 1;
  costs.of(Policy::kKernelPerType)[kCostOfWave] = 1;
  const WorkFeatures work{.roots = 1, .items = 30, .waves = 10, .types = 3};
  EXPECT_DOUBLE_EQ(predict_seconds(Policy::kUberkernel, work, costs), 10);
  EXPECT_DOUBLE_EQ(predict_seconds(Policy::kKernelPerType, work, costs), 30);
}

TEST(PolicyModel, AMixCostsByItsIndexAndIsEvenWhereItIsNotKnown) {
  DeviceCosts costs;
  costs.workers = 2;
  costs.of(Policy::kUberkernel)[kCostOfType] = 1;
  costs.of(Policy::kUberkernel)[kCostOfMix] = 8;
  const auto seconds = [&](double types, const std::optional<double>& mix) {
    const WorkFeatures work{.roots = 10, .items = 10, .types = types, .gini_simpson = mix};
    return predict_seconds(Policy::kUberkernel, work, costs);
  };
  EXPECT_DOUBLE_EQ(seconds(2, 0), 5);
  EXPECT_DOUBLE_EQ(seconds(2, 0.25), 5 + 10);
  EXPECT_DOUBLE_EQ(seconds(2, 0.5), 5 + 20);
  EXPECT_DOUBLE_EQ(seconds(2, std::nullopt), seconds(2, 0.5));
  EXPECT_DOUBLE_EQ(seconds(4, std::nullopt), 5 + 30);
  EXPECT_DOUBLE_EQ(seconds(1, std::nullopt), 0);
}

// Sorting costs 3 for each item, and mixed types cost 8.
TEST(PolicyModel, SortsByTypeWhereDivergenceIsDearAndTypesAreMixed) {
  DeviceCosts costs;
  costs.of(Policy::kPersistentThreads)[kCostOfRun] = 1e9;
  costs.of(Policy::kUberkernel)[kCostOfMix] = 8;
  costs.of(Policy::kKernelPerType)[kCostOfType] = 3;
  WorkFeatures work{.roots = 1000, .items = 1000, .types = 2, .spawns = false};
  EXPECT_EQ(choose_policy(work, costs), Policy::kKernelPerType) << "of an unknown mix";
  work.gini_simpson = 0.5;
  EXPECT_EQ(choose_policy(work, costs), Policy::kKernelPerType);
  work.gini_simpson = 0.095;
  EXPECT_EQ(choose_policy(work, costs), Policy::kUberkernel);
  work.gini_simpson = 0;
  EXPECT_EQ(choose_policy(work, costs), Policy::kUberkernel);
}

TEST(PolicyModel, DefaultsOfAnEvenMixOfTwoTypesAreAsMeasured) {
  const auto nanoseconds = [](Policy policy, const DeviceInfo& device) {
    const CostVector costs = default_costs(device).of(policy);
    return (costs[kCostOfType] + 0.5 * costs[kCostOfMix]) * 1e9;
  };
  EXPECT_DOUBLE_EQ(nanoseconds(Policy::kPersistentThreads, cpu()), 5);
  EXPECT_DOUBLE_EQ(nanoseconds(Policy::kUberkernel, cpu()), 4.7);
  EXPECT_DOUBLE_EQ(nanoseconds(Policy::kKernelPerType, cpu()), 6);
  EXPECT_DOUBLE_EQ(nanoseconds(Policy::kPersistentThreads, gpu()), 100);
  EXPECT_DOUBLE_EQ(nanoseconds(Policy::kUberkernel, gpu()), 100);
  EXPECT_DOUBLE_EQ(nanoseconds(Policy::kKernelPerType, gpu()), 800);
}

TEST(PolicyModel, DefaultsOfOneWaveAreLessWhereAllAreOfOneType) {
  for (const DeviceInfo& device : {cpu(), gpu()}) {
    const DeviceCosts costs = default_costs(device);
    WorkFeatures mixed{.roots = 1e6, .items = 1e6, .types = 2, .spawns = false};
    WorkFeatures same = mixed;
    same.gini_simpson = 0;
    for (const Policy policy : kConcretePolicies) {
      EXPECT_LE(predict_seconds(policy, same, costs), predict_seconds(policy, mixed, costs));
    }
    EXPECT_LT(predict_seconds(Policy::kUberkernel, same, costs),
              predict_seconds(Policy::kUberkernel, mixed, costs));
  }
}

// Compares waves that cost 1 each with items that cost 1 each.
TEST(PolicyModel, TheChoiceTurnsWhereCostsCross) {
  DeviceCosts costs;
  costs.of(Policy::kUberkernel)[kCostOfWave] = 1;
  costs.of(Policy::kKernelPerType)[kCostOfRun] = 1e9;
  costs.of(Policy::kPersistentThreads)[kCostOfSpawn] = 1;
  WorkFeatures work{.roots = 1, .items = 101, .waves = 99};
  EXPECT_EQ(choose_policy(work, costs), Policy::kUberkernel);
  work.waves = 101;
  EXPECT_EQ(choose_policy(work, costs), Policy::kPersistentThreads);
}

TEST(PolicyModel, ImpliedWorkIsWhatPredictsTheTime) {
  const DeviceCosts costs = default_costs(cpu());
  for (const Policy policy : kConcretePolicies) {
    WorkFeatures work = kTree;
    work.item_seconds = 3e-6;
    const double seconds = predict_seconds(policy, work, costs);
    EXPECT_NEAR(implied_item_seconds(policy, kTree, seconds, costs), 3e-6, 1e-12);
    EXPECT_EQ(implied_item_seconds(policy, kTree, 0, costs), 0);
  }
}

TEST(PolicyModel, DefaultsTakeAFlatQueueInOneWave) {
  WorkFeatures flat{.roots = 1e6, .items = 1e6, .types = 2, .spawns = false};
  for (const double mix : {0.0, 0.1, 0.5}) {
    flat.gini_simpson = mix;
    EXPECT_EQ(choose_policy(flat, default_costs(cpu())), Policy::kUberkernel) << mix;
    EXPECT_EQ(choose_policy(flat, default_costs(gpu())), Policy::kUberkernel) << mix;
  }
}

// Compares with measurements on an H200: 4,096 chains of 1,000 links, and a tree of 4 M tasks.
TEST(PolicyModel, DefaultsOfAGpuTakeNarrowWavesForPersistentThreads) {
  const DeviceCosts costs = default_costs(gpu());
  EXPECT_EQ(choose_policy({.roots = 4096, .items = 4096e3, .waves = 1000}, costs),
            Policy::kPersistentThreads);
  EXPECT_EQ(choose_policy({.roots = 1, .items = 4.2e6, .waves = 22}, costs), Policy::kUberkernel);
}

TEST(PolicyModel, DefaultsSayWhereTheyAreFrom) {
  DeviceInfo h200 = gpu();
  h200.description = "NVIDIA H200";
  EXPECT_EQ(default_costs(h200).source, "defaults for an H200");
  EXPECT_NE(default_costs(gpu()).source, default_costs(h200).source);
  EXPECT_EQ(default_costs(gpu()).workers, 132 * 1024);
}

}  // namespace
}  // namespace millrace
