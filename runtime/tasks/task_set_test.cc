// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/tasks/indexed_tasks.h>
#include <millrace/runtime/tasks/task_list.h>
#include <millrace/runtime/tasks/task_set.h>

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <utility>

namespace millrace {
namespace {

struct Byte {
  char value;
};
struct Pair {
  std::int32_t first;
  std::int32_t second;
  static constexpr std::size_t kScratchBytes = 100;
};
struct Wide {
  static constexpr TaskWidth kWidth = TaskWidth::kBlock;
  static constexpr std::size_t kScratchBytes = 4000;
  double values[3];
  char tail;
};
struct Largest {
  char bytes[kMaxTaskBytes];
};
struct TooLarge {
  char bytes[kMaxTaskBytes + 1];
};

using Set = TaskSet<Byte, Pair, Wide>;

static_assert(Task<Byte> && Task<Largest>);
static_assert(!Task<TooLarge> && !Task<std::string>);

// Made from arguments and an index, and not.
struct Scaled {
  struct Arguments {
    explicit Arguments(float* their_data) : data(their_data) {}
    float* data;
  };
  Arguments arguments;
  std::size_t index;
};
struct ScaledSet : TaskSet<Byte, Scaled> {
  using Arguments = Scaled::Arguments;
};
struct UnindexedSet : TaskSet<Byte> {
  using Arguments = Scaled::Arguments;
};
static_assert(HasIndexedRoots<ScaledSet>);
static_assert(!HasIndexedRoots<UnindexedSet>);
static_assert(!HasIndexedRoots<Set>);

TEST(TaskSet, AListHasArgumentsOnceTheyAreSet) {
  TaskList<ScaledSet> list;
  EXPECT_EQ(list.arguments(), nullptr);
  float data = 0;
  list.set_arguments(Scaled::Arguments(&data));
  ASSERT_NE(list.arguments(), nullptr);
  EXPECT_EQ(list.arguments()->data, &data);
  list.push(Byte{});
  EXPECT_EQ(list.take_last(1).arguments()->data, &data);
}

TEST(TaskSet, TagsAreTheIndicesOfTheTypes) {
  EXPECT_EQ(Set::tag_of<Byte>(), 0);
  EXPECT_EQ(Set::tag_of<Pair>(), 1);
  EXPECT_EQ(Set::tag_of<Wide>(), 2);
  EXPECT_TRUE((std::is_same_v<Set::Type<1>, Pair>));
  EXPECT_TRUE(Set::kContains<Wide>);
  EXPECT_FALSE(Set::kContains<Largest>);
}

TEST(TaskSet, ASlotHoldsTheLargestTypeAndIsAlignedForEach) {
  EXPECT_EQ(Set::kSlotBytes, 32u);
  EXPECT_EQ(Set::kSlotAlignment, alignof(double));
  EXPECT_EQ(sizeof(TaskSlot<Set>), 32u);
  EXPECT_EQ(alignof(TaskSlot<Set>), alignof(double));
  EXPECT_EQ(sizeof(TaskSlot<TaskSet<Byte>>), 1u);
  EXPECT_EQ(sizeof(TaskSlot<TaskSet<Byte, Largest>>), kMaxTaskBytes);
  EXPECT_TRUE(std::is_trivially_copyable_v<TaskSlot<Set>>);
}

TEST(TaskSet, WidthAndScratchAreWhatTheTypesSay) {
  EXPECT_EQ(width_of<Byte>(), TaskWidth::kLane);
  EXPECT_EQ(width_of<Wide>(), TaskWidth::kBlock);
  EXPECT_EQ(scratch_bytes_of<Byte>(), 0u);
  EXPECT_EQ(Set::kScratchBytes, 4000u);
}

TEST(TaskSet, ASlotGivesBackWhatWasStored) {
  TaskSlot<Set> slot;
  slot.store(Wide{{1, 2, 3}, 'x'});
  EXPECT_EQ(slot.get<Wide>().values[2], 3);
  EXPECT_EQ(slot.get<Wide>().tail, 'x');
  slot.store(Pair{-4, 5});
  EXPECT_EQ(slot.get<Pair>().first, -4);
  EXPECT_EQ(slot.get<Pair>().second, 5);
}

template <std::size_t kIndex>
struct Numbered {
  static constexpr std::size_t kItsIndex = kIndex;
  int value;
};

template <std::size_t... kIndices>
TaskSet<Numbered<kIndices>...> numbered_set(std::index_sequence<kIndices...>);
using LargeSet = decltype(numbered_set(std::make_index_sequence<255>()));

TEST(VisitType, CallsForTheTypeWithTheTag) {
  for (std::size_t tag = 0; tag < LargeSet::kTypes; ++tag) {
    int calls = 0;
    std::size_t visited = 0;
    visit_type<LargeSet>(static_cast<TaskTag>(tag), [&]<class T>() {
      ++calls;
      visited = T::kItsIndex;
    });
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(visited, tag);
  }
  EXPECT_EQ(LargeSet::tag_of<Numbered<254>>(), 254);
}

TEST(TaskList, KeepsTasksInTheirOrderWithTheirTypes) {
  TaskList<Set> list{Byte{'a'}, Wide{{1, 2, 3}, 'b'}};
  list.push(Pair{7, 8});
  ASSERT_EQ(list.size(), 3u);
  const auto view = list.view();
  EXPECT_EQ(view.tag(0), 0);
  EXPECT_EQ(view.tag(1), 2);
  EXPECT_EQ(view.tag(2), 1);
  EXPECT_EQ(view.get<Byte>(0).value, 'a');
  EXPECT_EQ(view.get<Wide>(1).tail, 'b');
  EXPECT_EQ(view.get<Pair>(2).second, 8);
  list.clear();
  EXPECT_TRUE(list.empty());
}

TEST(TaskList, OfOneTypeNeedsNoTags) {
  TaskList<TaskSet<Pair>> list{Pair{1, 2}};
  EXPECT_EQ(list.tag_data(), nullptr);
  EXPECT_EQ(list.view().tag(0), 0);
}

}  // namespace
}  // namespace millrace
