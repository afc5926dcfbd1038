// SPDX-License-Identifier: Apache-2.0

// The tasks of tasks-stress (stress_workload.h): nodes of a forest that the host has drawn.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_QUEUES_STRESS_TASKS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_QUEUES_STRESS_TASKS_H_

#include <millrace/runtime/tasks/task_set.h>
#include <millrace/tools/benchmarks/workloads/queues/queue_tasks.h>

#include <cstdint>

namespace millrace::tools {

// Node i has the children first_child[i] to first_child[i + 1] - 1. In device memory.
struct StressForest {
  const std::uint32_t* first_child;
  std::uint32_t* runs;     // Number of runs of each node.
  std::uint32_t* damaged;  // Words that did not arrive as they were sent.
  std::uint64_t seed;      // Seed of the nodes' types.
};

// Types of a forest's tasks.
enum class StressKind {
  kOneType,
  kSizes,   // Two types, of 16 and 192 bytes.
  kWidths,  // A lane's, a warp's and, for some, a block's.

  // Tasks of waiting_stress_tasks.h.
  kPlain,     // Nodes only spawn.
  kJoins,     // An inner node opens a join of its children.
  kCounters,  // Behind that, a node arrives at its parent's counter. On one device alone.
};

MILLRACE_FUNCTION inline TaskTag stress_type(StressKind kind, std::uint64_t seed,
                                             std::uint32_t index) {
  const auto draw = static_cast<int>(splitmix64(seed + index) % 16);
  if (kind == StressKind::kSizes) return draw < 6 ? 1 : 0;
  if (kind == StressKind::kWidths) return draw < 10 ? 0 : draw < 15 ? 1 : 2;
  return 0;
}

// Counts itself once and spawns its children, all lanes together.
template <StressKind kKind, TaskWidth width, int kWords>
struct StressNode {
  static constexpr TaskWidth kWidth = width;

  const StressForest* forest;
  std::uint32_t index;
  std::uint32_t words[kWords];  // The index turned over, as often as fits.

  MILLRACE_FUNCTION static StressNode make(const StressForest* forest, std::uint32_t index) {
    StressNode node;
    node.forest = forest;
    node.index = index;
    for (std::uint32_t& word : node.words) word = ~index;
    return node;
  }

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const;
};

template <StressKind kKind>
struct StressTasksOf;
template <>
struct StressTasksOf<StressKind::kOneType> {
  using Type = TaskSet<StressNode<StressKind::kOneType, TaskWidth::kLane, 1>>;
};
template <>
struct StressTasksOf<StressKind::kSizes> {
  using Type = TaskSet<StressNode<StressKind::kSizes, TaskWidth::kLane, 1>,
                       StressNode<StressKind::kSizes, TaskWidth::kLane, 45>>;
};
template <>
struct StressTasksOf<StressKind::kWidths> {
  using Type = TaskSet<StressNode<StressKind::kWidths, TaskWidth::kLane, 1>,
                       StressNode<StressKind::kWidths, TaskWidth::kWarp, 5>,
                       StressNode<StressKind::kWidths, TaskWidth::kBlock, 1>>;
};
template <StressKind kKind>
using StressTasks = typename StressTasksOf<kKind>::Type;

template <StressKind kKind, TaskWidth width, int kWords>
template <class Context>
MILLRACE_FUNCTION void StressNode<kKind, width, kWords>::operator()(Context& context) const {
  if (context.lane() == 0) {
    context.add(forest->runs + index, 1u);
    std::uint32_t wrong = 0;
    for (const std::uint32_t word : words) wrong += word == ~index ? 0 : 1;
    if (wrong > 0) context.add(forest->damaged, wrong);
  }
  const std::uint32_t end = forest->first_child[index + 1];
  const auto lanes = static_cast<std::uint32_t>(context.lanes());
  std::uint32_t child = forest->first_child[index] + static_cast<std::uint32_t>(context.lane());
  for (; child < end; child += lanes) {
    visit_type<StressTasks<kKind>>(stress_type(kKind, forest->seed, child),
                                   [&]<class T>() { context.spawn(T::make(forest, child)); });
  }
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_QUEUES_STRESS_TASKS_H_
