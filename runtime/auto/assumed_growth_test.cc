// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/auto/assumed_growth.h>

#include <gtest/gtest.h>

namespace millrace {
namespace {

DeviceInfo device_of(int compute_units, int warp_width) {
  DeviceInfo device;
  device.compute_units = compute_units;
  device.warp_width = warp_width;
  return device;
}
DeviceInfo cpu() { return device_of(2, 1); }
DeviceInfo gpu() { return device_of(132, 32); }

TEST(AssumedGrowth, OnlySetsThatSpawnAreAssumedToGrow) {
  WorkFeatures known{.roots = 100, .spawns = false};
  EXPECT_EQ(assumed_growth(known).items, 100);
  EXPECT_EQ(assumed_growth(known).waves, 1);
  known.spawns = true;
  EXPECT_GT(assumed_growth(known).items, 100);
  EXPECT_GT(assumed_growth(known).waves, 1);
}

TEST(AssumedGrowth, SeveralRootsAreAssumedToBeginChains) {
  for (const double roots : {2, 64, 1024, 4096}) {
    const WorkFeatures assumed = assumed_growth({.roots = roots});
    EXPECT_EQ(assumed.items, 32'768);
    EXPECT_EQ(assumed.waves, 32'768 / roots) << "as wide as the roots";
    for (const DeviceInfo& device : {cpu(), gpu()}) {
      EXPECT_EQ(choose_policy(assumed, default_costs(device)), Policy::kPersistentThreads) << roots;
    }
  }
  EXPECT_EQ(assumed_growth({.roots = 1}).waves, 16) << "a tree that doubles 15 times";
  EXPECT_EQ(choose_policy(assumed_growth({.roots = 1}), default_costs(gpu())), Policy::kUberkernel);
  const WorkFeatures joins = assumed_growth({.roots = 4, .opens_joins = true});
  EXPECT_EQ(joins.waves, 21) << "a tree that doubles 20 times";
}

TEST(AssumedGrowth, JoinsFavorPersistentThreads) {
  for (const DeviceInfo& device : {cpu(), gpu()}) {
    const WorkFeatures known{.roots = 1, .types = 4, .item_bytes = 24, .opens_joins = true};
    EXPECT_EQ(choose_policy(assumed_growth(known), default_costs(device)),
              Policy::kPersistentThreads);
  }
}

}  // namespace
}  // namespace millrace
