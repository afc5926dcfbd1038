// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cpu/host/kept_objects.h>
#include <millrace/backends/cpu/run/kept_lists.h>
#include <millrace/runtime/tasks/task_list.h>
#include <millrace/runtime/tasks/task_set.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace millrace::cpu {
namespace {

struct Number {
  std::uint64_t value;
  template <class Context>
  void operator()(Context&) const {}
};
using Set = TaskSet<Number>;

TaskList<Set> list_of(std::size_t count) {
  TaskList<Set> list;
  list.reserve(count);
  list.push(Number{1});
  return list;
}

using Lists = std::vector<WorkerList<Set>>;

TEST(KeptListsTest, GivesEmptyListsThatHaveTheirMemory) {
  KeptLists<Set> lists;
  Lists list(3);
  list[0].tasks = list_of(10);
  list[2].tasks = list_of(1000);
  const auto* const memory = list[2].tasks.slot_data();
  lists.keep(std::move(list));
  const Lists taken = lists.take(2);
  ASSERT_EQ(taken.size(), 3u);
  EXPECT_TRUE(taken[2].tasks.empty());
  EXPECT_EQ(taken[0].tasks.memory_bytes(), 10 * sizeof(TaskSlot<Set>));
  EXPECT_EQ(taken[1].tasks.memory_bytes(), 0u);
  EXPECT_EQ(taken[2].tasks.slot_data(), memory);
  EXPECT_GE(taken[2].tasks.memory_bytes(), 1000 * sizeof(Number));
}

TEST(KeptListsTest, AddsListsUpToTheNumberThatIsWanted) {
  KeptLists<Set> lists;
  EXPECT_EQ(lists.take(3).size(), 3u);
  Lists list(1);
  list[0].tasks = list_of(10);
  lists.keep(std::move(list));
  const Lists taken = lists.take(4);
  ASSERT_EQ(taken.size(), 4u);
  EXPECT_EQ(taken[0].tasks.memory_bytes(), 10 * sizeof(TaskSlot<Set>));
  EXPECT_EQ(taken[3].tasks.memory_bytes(), 0u);
}

TEST(KeptListsTest, KeepsNoMoreThanItsMost) {
  constexpr std::size_t kMost = KeptLists<Set>::kMostBytes;
  constexpr std::size_t kHalf = kMost / 2 / sizeof(TaskSlot<Set>);
  KeptLists<Set> lists;
  Lists list(5);
  list[0].tasks = list_of(2 * kHalf + 1);
  list[1].tasks = list_of(kHalf);
  list[2].tasks = list_of(kHalf + 1);
  list[3].tasks = list_of(kHalf);
  list[4].tasks = list_of(1);
  lists.keep(std::move(list));
  const Lists taken = lists.take(0);
  ASSERT_EQ(taken.size(), 5u);
  EXPECT_EQ(taken[0].tasks.memory_bytes(), 0u);
  EXPECT_EQ(taken[1].tasks.memory_bytes(), kMost / 2);
  EXPECT_EQ(taken[2].tasks.memory_bytes(), 0u);
  EXPECT_EQ(taken[3].tasks.memory_bytes(), kMost / 2);
  EXPECT_EQ(taken[4].tasks.memory_bytes(), 0u);
}

TEST(KeptObjectsTest, HasOneOfEachType) {
  KeptObjects objects;
  objects.of<int>() = 7;
  objects.of<KeptLists<Set>>().keep(Lists(2));
  EXPECT_EQ(objects.of<int>(), 7);
  EXPECT_EQ(objects.of<KeptLists<Set>>().take(0).size(), 2u);
}

}  // namespace
}  // namespace millrace::cpu
