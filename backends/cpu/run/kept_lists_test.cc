// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cpu/host/kept_objects.h>
#include <millrace/backends/cpu/run/kept_lists.h>
#include <millrace/runtime/tasks/task_list.h>
#include <millrace/runtime/tasks/task_set.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <utility>

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

TEST(KeptListsTest, GivesAnEmptyListWithTheMemoryOfAnEarlierOne) {
  KeptLists<Set> lists;
  TaskList<Set> list = list_of(1000);
  const auto* const memory = list.slot_data();
  lists.keep(std::move(list));
  const TaskList<Set> taken = lists.take();
  EXPECT_TRUE(taken.empty());
  EXPECT_EQ(taken.slot_data(), memory);
  EXPECT_GE(taken.memory_bytes(), 1000 * sizeof(Number));
  EXPECT_EQ(lists.take().memory_bytes(), 0u);
}

TEST(KeptListsTest, GivesListsInTheOrderInWhichTheyWereKept) {
  KeptLists<Set> lists;
  lists.keep(list_of(10));
  lists.keep({});
  lists.keep(list_of(20));
  EXPECT_EQ(lists.take().memory_bytes(), 10 * sizeof(TaskSlot<Set>));
  EXPECT_EQ(lists.take().memory_bytes(), 0u);
  EXPECT_EQ(lists.take().memory_bytes(), 20 * sizeof(TaskSlot<Set>));
}

// As runs of different numbers of workers do.
TEST(KeptListsTest, KeepsTheOrderWhereNotAllAreTaken) {
  KeptLists<Set> lists;
  std::size_t kept = 0;
  std::size_t taken = 0;
  for (; kept < 5; ++kept) lists.keep(list_of(1 + kept));
  for (int run = 0; run < 100; ++run) {
    for (int i = 0; i < 3; ++i, ++taken) {
      EXPECT_EQ(lists.take().memory_bytes(), (1 + taken) * sizeof(TaskSlot<Set>));
    }
    for (int i = 0; i < 3; ++i, ++kept) lists.keep(list_of(1 + kept));
  }
}

TEST(KeptListsTest, KeepsNoMoreThanItsMost) {
  constexpr std::size_t kMost = KeptLists<Set>::kMostBytes;
  constexpr std::size_t kHalf = kMost / 2 / sizeof(TaskSlot<Set>);
  KeptLists<Set> lists;
  lists.keep(list_of(2 * kHalf + 1));
  EXPECT_EQ(lists.take().memory_bytes(), 0u);
  lists.keep(list_of(kHalf));
  lists.keep(list_of(kHalf));
  lists.keep(list_of(1));
  EXPECT_EQ(lists.take().memory_bytes(), kMost / 2);
  lists.keep(list_of(1));
  EXPECT_EQ(lists.take().memory_bytes(), kMost / 2);
  EXPECT_EQ(lists.take().memory_bytes(), 0u);
  EXPECT_EQ(lists.take().memory_bytes(), sizeof(TaskSlot<Set>));
}

TEST(KeptObjectsTest, HasOneOfEachType) {
  KeptObjects objects;
  objects.of<int>() = 7;
  objects.of<KeptLists<Set>>().keep(list_of(10));
  EXPECT_EQ(objects.of<int>(), 7);
  EXPECT_GT(objects.of<KeptLists<Set>>().take().memory_bytes(), 0u);
}

}  // namespace
}  // namespace millrace::cpu
