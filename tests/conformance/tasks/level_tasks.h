// SPDX-License-Identifier: Apache-2.0

// Task sets with levels.
#ifndef MILLRACE_TESTS_CONFORMANCE_TASKS_LEVEL_TASKS_H_
#define MILLRACE_TESTS_CONFORMANCE_TASKS_LEVEL_TASKS_H_

#include <millrace/runtime/host/splitmix64.h>
#include <millrace/runtime/tasks/join.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>

namespace millrace::conformance {

// Rows of cells, each at a level of its own. A cell needs all of the row before, so a row that
// begins too early has wrong values.
struct LevelRows {
  std::uint32_t rows;
  std::uint32_t columns;
  std::uint64_t* values;  // Indexed by row.
  std::uint64_t* sums;    // The sum of each row's echoes.
  std::uint32_t* wrong;   // Tasks that ran at a wrong level or observed a wrong sum.

  // Levels skip numbers, and the last is the largest there is.
  MILLRACE_FUNCTION std::uint32_t level(std::uint32_t row) const {
    return row + 1 == rows ? ~std::uint32_t{0} : 3 + row * row * 1000;
  }
  MILLRACE_FUNCTION static std::uint64_t value(std::uint64_t sum_before, std::uint32_t column) {
    return splitmix64(sum_before + column);
  }
};

// Spawned at level 0, so it runs at the level of its parent.
struct LevelEcho {
  static constexpr bool kUsesLevels = true;
  LevelRows table;
  std::uint32_t row;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (context.level() != table.level(row)) context.add(table.wrong, 1u);
    context.add(table.sums + row, std::uint64_t{1});
  }
};

struct LevelCell {
  LevelRows table;
  std::uint32_t row;
  std::uint32_t column;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    std::uint64_t sum = 0;
    if (row > 0) {
      const std::uint64_t* const before = table.values + std::size_t{row - 1} * table.columns;
      for (std::uint32_t i = 0; i < table.columns; ++i) sum += before[i];
      if (table.sums[row - 1] != table.columns) context.add(table.wrong, 1u);
    }
    table.values[std::size_t{row} * table.columns + column] = LevelRows::value(sum, column);
    if (context.level() != table.level(row)) context.add(table.wrong, 1u);
    context.spawn_at(0, LevelEcho{table, row});
  }
};

// Spawns all cells, the last row first.
struct LevelTable {
  LevelRows table;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    for (std::uint32_t row = table.rows; row-- > 0;) {
      for (std::uint32_t i = 0; i < table.columns; ++i) {
        context.spawn_at(table.level(row), LevelCell{table, row, i});
      }
    }
  }
};
using LevelRowTasks = TaskSet<LevelTable, LevelCell, LevelEcho>;

// Node `index` of a forest: its children are node kRoots + 2 * index and the next one, at random
// levels around the current one. It counts at its index, or at `items` if it runs at a wrong level.
struct LevelTwig {
  static constexpr bool kUsesLevels = true;
  static constexpr std::uint64_t kRoots = 300;

  std::uint32_t* runs;
  std::uint64_t items;
  std::uint64_t index;
  std::uint32_t level;  // The level at which the task is to run.
  std::uint32_t failing_level;

  // Three of eight children request a lower level, and two the same.
  MILLRACE_FUNCTION static std::uint32_t level_of(std::uint64_t index, std::uint32_t parent) {
    const auto random = static_cast<std::uint32_t>(splitmix64(index) >> 40);
    const std::uint32_t step = random % 8;
    if (step < 3) return random % (parent + 1);
    return parent + (step < 5 ? 0 : random / 8 % 4 * 25);
  }

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (context.level() >= failing_level) return context.fail(77);
    context.add(runs + (context.level() == level ? index : items), 1u);
    for (std::uint64_t child = kRoots + 2 * index; child < kRoots + 2 * index + 2; ++child) {
      if (child >= items) return;
      const std::uint32_t at = level_of(child, level);
      context.spawn_at(at, LevelTwig{runs, items, child, at < level ? level : at, failing_level});
    }
  }
};
using LevelTwigTasks = TaskSet<LevelTwig>;

// Stair `index` is at the level of this number. It spawns the next one, and tasks that wait until
// all stairs have run. Each counts at its index, or after all others if it runs at a wrong level.
struct LevelStair {
  static constexpr bool kUsesLevels = true;
  static constexpr std::uint32_t kWaiting = 20;

  std::uint32_t* runs;
  std::uint32_t stairs;
  std::uint32_t index;

  MILLRACE_FUNCTION std::uint32_t level() const { return index < stairs ? index : stairs; }

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const std::uint32_t all = stairs * (1 + kWaiting);
    context.add(runs + (context.level() == level() ? index : all), 1u);
    if (index >= stairs) return;
    for (std::uint32_t i = 0; i < kWaiting; ++i) {
      context.spawn_at(stairs, LevelStair{runs, stairs, stairs + kWaiting * index + i});
    }
    if (index + 1 < stairs) context.spawn_at(index + 1, LevelStair{runs, stairs, index + 1});
  }
};
using LevelStairTasks = TaskSet<LevelStair>;

struct WideLevelCounts {
  std::uint32_t* runs;  // Runs of the items, then of their leaves, then of wrong ones.
  std::size_t items;
};

// Item `index` of an indexed queue. It counts, and spawns a leaf that counts.
template <TaskWidth width>
struct WideLevelItem {
  static constexpr TaskWidth kWidth = width;
  static constexpr bool kUsesLevels = true;
  WideLevelCounts counts;
  std::size_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const;
};

struct WideLevelLeaf {
  static constexpr bool kSpawns = false;
  static constexpr bool kUsesLevels = true;
  std::uint32_t* runs;
  std::uint32_t* wrong;
  std::uint32_t level;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(context.level() == level ? runs : wrong, 1u);
  }
};

template <TaskWidth width>
template <class Context>
MILLRACE_FUNCTION void WideLevelItem<width>::operator()(Context& context) const {
  context.sync();
  if (context.lane() != 0) return;
  const std::size_t items = counts.items;
  context.add(counts.runs + index, 1u);
  const auto level = static_cast<std::uint32_t>(index % 5 * 1'000'000'000);
  context.spawn_at(level,
                   WideLevelLeaf{counts.runs + items + index, counts.runs + 2 * items, level});
}

struct WideLevelTasks : TaskSet<WideLevelItem<TaskWidth::kLane>, WideLevelItem<TaskWidth::kWarp>,
                                WideLevelItem<TaskWidth::kBlock>, WideLevelLeaf> {
  using Arguments = WideLevelCounts;
};

// Children at levels 1 to `count`, the last of which starts the continuation at its own level.
struct LevelJoinEnd {
  static constexpr bool kUsesLevels = true;
  std::uint64_t* result;
  std::uint32_t count;
  std::uint32_t sum;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (context.level() == count) context.add(result, std::uint64_t{sum} + 1);
  }
};

struct LevelJoinChild {
  Join<std::uint32_t> last;
  Join<> join;
  std::uint32_t value;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.arrive(last, value);
    context.arrive(join);
  }
};

struct LevelJoinRoot {
  static constexpr std::uint32_t kJoins = 1;
  std::uint64_t* result;
  std::uint32_t count;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const auto join = context.open_join(count + 1, LevelJoinEnd{result, count, 0});
    for (std::uint32_t i = 1; i <= count; ++i) {
      const auto last = i == count ? join.to(&LevelJoinEnd::sum) : Join<std::uint32_t>();
      context.spawn_at(i, LevelJoinChild{last, join, i});
    }
  }
};
using LevelJoinTasks = TaskSet<LevelJoinRoot, LevelJoinChild, LevelJoinEnd>;

// Lowers two words that are shared by all items.
struct LowerWords {
  static constexpr bool kSpawns = false;
  std::uint32_t* word;
  std::uint64_t* long_word;
  std::uint32_t* winners;  // Items that lowered the first.
  std::uint32_t index;

  MILLRACE_FUNCTION static std::uint64_t value(std::uint32_t index) { return splitmix64(index); }

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const auto high = static_cast<std::uint32_t>(value(index) >> 32);
    if (context.fetch_min(word, high) > high) context.add(winners, 1u);
    context.fetch_min(long_word, value(index));
  }
};
using LowerTasks = TaskSet<LowerWords>;

}  // namespace millrace::conformance

#endif  // MILLRACE_TESTS_CONFORMANCE_TASKS_LEVEL_TASKS_H_
