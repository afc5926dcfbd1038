// SPDX-License-Identifier: Apache-2.0

// Tasks of every width in one set.
#ifndef MILLRACE_TESTS_CONFORMANCE_TASKS_WIDTH_TASKS_H_
#define MILLRACE_TESTS_CONFORMANCE_TASKS_WIDTH_TASKS_H_

#include <millrace/runtime/tasks/task_set.h>
#include <millrace/tests/conformance/tasks/conformance_tasks.h>

#include <cstddef>
#include <cstdint>

namespace millrace::conformance {

// More lanes than any device gives to an item.
MILLRACE_FUNCTION constexpr int most_lanes(TaskWidth width) {
  return width == TaskWidth::kLane ? 1 : width == TaskWidth::kWarp ? 64 : 1024;
}

struct WidthCounts {
  std::uint32_t* runs;   // One for each item.
  std::uint64_t* wrong;  // Items that did not see what their other lanes wrote.
  std::uint64_t items;
};

template <class Context>
MILLRACE_FUNCTION void spawn_width_node(Context& context, const WidthCounts& counts,
                                        std::uint64_t index);

// Node `index` of a heap with three children a node, whose lanes pass numbers round through
// scratch. It counts itself once.
template <TaskWidth width>
struct WidthNode {
  static constexpr TaskWidth kWidth = width;
  static constexpr std::size_t kScratchBytes = most_lanes(width) * sizeof(std::uint32_t);
  WidthCounts counts;
  std::uint64_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const int lane = context.lane();
    const int lanes = context.lanes();
    auto* const numbers = context.template scratch<std::uint32_t>(lanes);
    numbers[lane] = lane;
    context.sync();
    const std::uint32_t neighbour = numbers[(lane + 1) % lanes];
    context.sync();
    numbers[lane] = neighbour + static_cast<std::uint32_t>(index);
    context.sync();
    if (lane != 0) return;
    bool is_right = true;
    for (int i = 0; i < lanes; ++i) is_right = is_right && numbers[i] == (i + 1) % lanes + index;
    if (!is_right) context.add(counts.wrong, std::uint64_t{1});
    context.add(counts.runs + index, 1u);
    for (std::uint64_t child = 3 * index + 1; child < 3 * index + 4; ++child) {
      if (child < counts.items) spawn_width_node(context, counts, child);
    }
  }
};

template <class Context>
MILLRACE_FUNCTION void spawn_width_node(Context& context, const WidthCounts& counts,
                                        std::uint64_t index) {
  const std::uint64_t type = splitmix64(index) % 3;
  if (type == 0) context.spawn(WidthNode<TaskWidth::kLane>{counts, index});
  if (type == 1) context.spawn(WidthNode<TaskWidth::kWarp>{counts, index});
  if (type == 2) context.spawn(WidthNode<TaskWidth::kBlock>{counts, index});
}

using WidthTasks =
    TaskSet<WidthNode<TaskWidth::kLane>, WidthNode<TaskWidth::kWarp>, WidthNode<TaskWidth::kBlock>>;

struct SpawnedByLane {
  static constexpr bool kSpawns = false;
  std::uint32_t* runs;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(runs, 1u);
  }
};

// Every lane counts itself, and spawns as many tasks as its number leaves divided by 3, and one
// more: each counts at an index of its own, 3 to a lane.
template <TaskWidth width>
struct EachLaneSpawns {
  static constexpr TaskWidth kWidth = width;
  std::uint32_t* runs;
  std::uint64_t* lanes;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(lanes, std::uint64_t{1});
    const int lane = context.lane();
    for (int i = 0; i <= lane % 3; ++i) context.spawn(SpawnedByLane{runs + 3 * lane + i});
  }
};

// Adds its number to one of several sums, and each lane's number and one more to another.
template <TaskWidth width>
struct AddsTogether {
  static constexpr TaskWidth kWidth = width;
  static constexpr bool kSpawns = false;
  static constexpr std::uint64_t kSums = 5;
  std::uint64_t* sums;       // kSums elements.
  std::uint64_t* lane_sums;  // kSums elements.
  std::uint64_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const auto lane = static_cast<std::uint64_t>(context.lane());
    context.add_together(sums + index % kSums, lane == 0 ? index : 0);
    context.add_together(lane_sums + index / 3 % kSums, lane + 1);
    if (lane % 3 == 1) context.add(sums, lane);
    context.add_together(lane_sums + index % 2, lane);
  }
};

template <TaskWidth width>
struct EachLaneFails {
  static constexpr TaskWidth kWidth = width;
  int code;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.fail(code + context.lane());
  }
};

using TogetherTasks = TaskSet<AddsTogether<TaskWidth::kLane>, AddsTogether<TaskWidth::kWarp>,
                              AddsTogether<TaskWidth::kBlock>>;

using LaneTasks = TaskSet<EachLaneSpawns<TaskWidth::kLane>, EachLaneSpawns<TaskWidth::kWarp>,
                          EachLaneSpawns<TaskWidth::kBlock>, SpawnedByLane,
                          EachLaneFails<TaskWidth::kWarp>, EachLaneFails<TaskWidth::kBlock>>;

}  // namespace millrace::conformance

#endif  // MILLRACE_TESTS_CONFORMANCE_TASKS_WIDTH_TASKS_H_
