// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cpu/run/add_cache.h>

#include <gtest/gtest.h>

#include <limits>
#include <thread>
#include <vector>

namespace millrace::cpu {
namespace {

template <class T>
class AddCacheTest : public testing::Test {};
using Types =
    testing::Types<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(AddCacheTest, Types);

TYPED_TEST(AddCacheTest, AddsToTheTargetWhenFlushed) {
  TypeParam target = 5;
  AddCache cache;
  for (int i = 0; i < 10; ++i) cache.put(&target, TypeParam{3});
  EXPECT_EQ(target, TypeParam{5});
  cache.flush();
  EXPECT_EQ(target, TypeParam{35});
  cache.flush();
  EXPECT_EQ(target, TypeParam{35});
}

TYPED_TEST(AddCacheTest, AddsWhenItIsDestroyed) {
  TypeParam target = 1;
  {
    AddCache cache;
    cache.put(&target, TypeParam{2});
  }
  EXPECT_EQ(target, TypeParam{3});
}

TYPED_TEST(AddCacheTest, SeparatesMoreTargetsThanItHasEntries) {
  std::vector<TypeParam> targets(100);
  AddCache cache;
  for (int round = 1; round <= 3; ++round) {
    for (std::size_t i = 0; i < targets.size(); ++i) {
      cache.put(&targets[i], static_cast<TypeParam>(round * i));
    }
  }
  cache.flush();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    EXPECT_EQ(targets[i], static_cast<TypeParam>(6 * i));
  }
}

TYPED_TEST(AddCacheTest, TargetsThatShareAnEntryTakeTurns) {
  TypeParam targets[9] = {};  // The first and the last map to one entry in a cache of eight.
  AddCache cache;
  for (int i = 0; i < 1000; ++i) {
    cache.put(&targets[0], TypeParam{1});
    cache.put(&targets[8], TypeParam{2});
  }
  cache.flush();
  EXPECT_EQ(targets[0], TypeParam{1000});
  EXPECT_EQ(targets[8], TypeParam{2000});
}

TYPED_TEST(AddCacheTest, SharesTargetsWithOtherCaches) {
  TypeParam targets[3] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&targets] {
      AddCache cache;
      for (int i = 0; i < 3000; ++i) {
        cache.put(&targets[i % 3], TypeParam{1});
        if (i % 100 == 0) cache.flush();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const TypeParam target : targets) EXPECT_EQ(target, TypeParam{4000});
}

TEST(AddCache, SeparatesTypesOfOneAddress) {
  union {
    std::int64_t whole;
    std::int32_t half;
  } target = {.whole = 0};
  AddCache cache;
  cache.put(&target.whole, std::int64_t{1} << 40);
  cache.put(&target.half, 7);
  cache.put(&target.whole, std::int64_t{1} << 41);
  cache.flush();
  EXPECT_EQ(target.whole, (std::int64_t{3} << 40) + 7);
}

TEST(AddCache, SumsThatLeaveTheRangeWrapAroundAsAtomicsDo) {
  constexpr int kMax = std::numeric_limits<std::int32_t>::max();
  std::int32_t target = 0;
  AddCache cache;
  cache.put(&target, kMax);
  cache.put(&target, kMax);
  cache.put(&target, -kMax);
  cache.put(&target, -kMax + 3);
  cache.flush();
  EXPECT_EQ(target, 3);
}

}  // namespace
}  // namespace millrace::cpu
