// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/tasks/memory/scaling_pool.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace millrace::h264 {
namespace {

ScalingLists lists_of(std::uint8_t value) {
  ScalingLists lists = {};
  lists.lists_8x8[1][63] = value;
  return lists;
}

TEST(ScalingPoolTest, EqualListsAreOneCopy) {
  ScalingPool pool;
  const auto first = pool.share(lists_of(1));
  EXPECT_EQ(pool.share(lists_of(1)), first);
  EXPECT_EQ(first->lists_8x8[1][63], 1);
  EXPECT_NE(pool.share(lists_of(2)), first);
}

TEST(ScalingPoolTest, CopiesThatNobodyHasAreRemoved) {
  ScalingPool pool;
  const std::weak_ptr<const ScalingLists> dropped = pool.share(lists_of(1));
  EXPECT_TRUE(dropped.expired());
  EXPECT_EQ(pool.share(lists_of(1))->lists_8x8[1][63], 1);
}

TEST(ScalingPoolTest, ManyListsKeepTheirCopies) {
  ScalingPool pool;
  std::vector<std::shared_ptr<const ScalingLists>> kept;
  for (int value = 0; value < 256; ++value) {
    pool.share(lists_of(static_cast<std::uint8_t>(value)));  // Dropped; makes the pool purge.
    kept.push_back(pool.share(lists_of(static_cast<std::uint8_t>(value / 2))));
  }
  for (int value = 0; value < 128; ++value) {
    EXPECT_EQ(pool.share(lists_of(static_cast<std::uint8_t>(value))),
              kept[2 * static_cast<std::size_t>(value)]);
  }
}

}  // namespace
}  // namespace millrace::h264
