// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/tasks/internal/level_queue.h>
#include <millrace/runtime/tasks/internal/run_levels.h>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

namespace millrace {
namespace {

struct Number {
  static constexpr bool kUsesLevels = true;
  std::uint32_t value;
};
struct Letter {
  char value;
};
using Set = TaskSet<Number, Letter>;

constexpr std::uint32_t kLast = ~std::uint32_t{0};

std::vector<std::uint32_t> numbers(const TaskList<Set>& list) {
  std::vector<std::uint32_t> values;
  for (std::size_t i = 0; i < list.size(); ++i) {
    EXPECT_EQ(list.view().tag(i), 0);
    values.push_back(list.view().get<Number>(i).value);
  }
  return values;
}

TEST(TaskListLevels, AreThoseOfTheTasks) {
  TaskList<Set> list(Number{1});
  EXPECT_FALSE(list.has_levels());
  list.push_at(0, Number{2});
  EXPECT_FALSE(list.has_levels());
  list.push_at(kLast, Letter{'a'});
  list.push(Number{3});
  TaskList<Set> first(Number{0});
  first.append(list);
  first.push_at(7, Number{4});
  const std::vector<std::uint32_t> levels = {0, 0, 0, kLast, 0, 7};
  ASSERT_EQ(first.size(), levels.size());
  for (std::size_t i = 0; i < levels.size(); ++i) EXPECT_EQ(first.level(i), levels[i]) << i;
  first.clear();
  EXPECT_FALSE(first.has_levels());
  first.push(Number{1});
  EXPECT_EQ(first.level(0), 0u);
}

TEST(LevelQueue, GivesTheLowestLevelFirst) {
  LevelQueue<Set> queue;
  EXPECT_TRUE(queue.empty());
  queue.push(9, Number{1});
  queue.push(kLast, Letter{'x'});
  queue.push(2, Number{2});
  queue.push(9, Number{3});
  EXPECT_EQ(queue.size(), 4u);
  EXPECT_EQ(queue.lowest(), 2u);
  EXPECT_EQ(numbers(queue.take_lowest()), std::vector<std::uint32_t>{2});
  queue.push(2, Number{4});  // A level may come again.
  EXPECT_EQ(numbers(queue.take_lowest()), std::vector<std::uint32_t>{4});
  EXPECT_EQ(numbers(queue.take_lowest()), (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(queue.lowest(), kLast);
  EXPECT_EQ(queue.take_lowest().view().get<Letter>(0).value, 'x');
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.size(), 0u);
}

TEST(LevelQueue, TakesTheTasksOfAnother) {
  LevelQueue<Set> queue;
  LevelQueue<Set> other;
  queue.push(1, Number{1});
  queue.push(5, Number{2});
  other.push(5, Number{3});
  other.push(3, Number{4});
  queue.take(other);
  EXPECT_TRUE(other.empty());
  EXPECT_EQ(queue.size(), 4u);
  other.push(3, Number{5});
  queue.take(other);
  queue.push(5, Number{6});
  EXPECT_EQ(numbers(queue.take_lowest()), std::vector<std::uint32_t>{1});
  EXPECT_EQ(numbers(queue.take_lowest()), (std::vector<std::uint32_t>{4, 5}));
  EXPECT_EQ(numbers(queue.take_lowest()), (std::vector<std::uint32_t>{2, 3, 6}));
}

TEST(RunLevels, ReturnsAllTasksWithTheirLevels) {
  RunLevels<Set> levels;
  levels.current = 4;
  levels.later.push(8, Number{1});
  levels.later.push(6, Number{2});
  EXPECT_EQ(levels.later_tasks(), 2u);
  TaskList<Set> ready(Number{0});
  const TaskList<Set> all = levels.take_all(std::move(ready));
  EXPECT_FALSE(levels.has_later());
  EXPECT_EQ(numbers(all), (std::vector<std::uint32_t>{0, 2, 1}));
  EXPECT_EQ(all.level(0), 4u);
  EXPECT_EQ(all.level(1), 6u);
  EXPECT_EQ(all.level(2), 8u);
}

TEST(RunLevels, ArePassedOneAfterAnotherWithTheRestOfTheDeadline) {
  TaskList<Set> roots;
  roots.push_at(3, Number{1});
  roots.push_at(1, Number{2});
  RunLevels<Set> levels;
  std::vector<std::uint32_t> passed;
  const RunOptions options{.deadline = std::chrono::hours(1)};
  run_by_level(roots, options, levels, [&](const auto& tasks, const RunOptions& left) {
    EXPECT_GT(left.deadline.count(), 0);
    EXPECT_LE(left.deadline, options.deadline);
    passed.push_back(levels.current);
    EXPECT_EQ(tasks.size(), 1u);
    if (levels.current == 1) levels.later.push(2, Number{3});
  });
  EXPECT_EQ(passed, (std::vector<std::uint32_t>{1, 2, 3}));
}

}  // namespace
}  // namespace millrace
