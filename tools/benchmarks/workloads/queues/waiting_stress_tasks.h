// SPDX-License-Identifier: Apache-2.0

// Tasks of tasks-stress and group-stress that wait for tasks, and travel: nodes of a forest that
// the host has drawn. The value of a node is the sum of its own number and the weighted values of
// its children, which joins or counters bring to it.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_QUEUES_WAITING_STRESS_TASKS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_QUEUES_WAITING_STRESS_TASKS_H_

#include <millrace/runtime/host/splitmix64.h>
#include <millrace/runtime/tasks/join.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstdint>

namespace millrace::tools {

// Children of a node that opens a join, at most.
inline constexpr std::uint32_t kMostJoined = 16;

// Number of values of a node in a forest with counters. Lanes of one task write them.
inline constexpr std::uint32_t kCountedValues = 4;

// Returns one of a node's own numbers; `which` is less than kCountedValues.
MILLRACE_FUNCTION constexpr std::uint64_t stress_number(std::uint64_t seed, std::uint32_t node,
                                                        std::uint32_t which = 0) {
  return splitmix64(~seed + std::uint64_t{kCountedValues} * node + which);
}

// Returns the factor of the value of a node's i-th child, so that children that are exchanged
// change the sum. It is odd: each bit of a value counts.
MILLRACE_FUNCTION constexpr std::uint64_t stress_weight(std::uint32_t i) {
  return 2 * std::uint64_t{i} + 1;
}

// Returns true for about `of_16` of 16 nodes. `salt` makes independent choices.
MILLRACE_FUNCTION constexpr bool is_stress_choice(std::uint64_t seed, std::uint32_t node,
                                                  std::uint32_t salt, std::uint32_t of_16) {
  return splitmix64(splitmix64(seed + salt) + node) % 16 < of_16;
}

// The forest on one device, in its memory. Node i has the children first_child[i] to
// first_child[i + 1] - 1; nodes below `roots` have no parent.
struct WaitingForest {
  const std::uint32_t* first_child;
  std::uint64_t* runs;     // Number of runs of each node.
  std::uint64_t* sums;     // Values of the roots: one each, or kCountedValues with counters.
  std::uint64_t* damaged;  // Number of tasks that did not arrive as they were sent.
  std::uint64_t seed;
  std::uint32_t roots;
  std::uint32_t growing_of_16;  // Nodes of 16 whose join grows while it is open.

  // Only counters use it; else null.
  const std::uint32_t* parents;
  std::uint32_t* missing;     // Children of each node that have not arrived.
  std::uint64_t* values;      // kCountedValues of each node, written without atomic operations.
  std::uint32_t warps_of_16;  // Nodes of 16 whose values a warp adds up.

  MILLRACE_FUNCTION bool grows(std::uint32_t node) const {
    return is_stress_choice(seed, node, 1, growing_of_16);
  }
  MILLRACE_FUNCTION bool is_warps(std::uint32_t node) const {
    return is_stress_choice(seed, node, 2, warps_of_16);
  }

  // Counts a run of a node, whose task has this copy of its inverted index.
  template <class Context>
  MILLRACE_FUNCTION void count(Context& context, std::uint32_t node, std::uint32_t inverted) const {
    context.add(runs + node, std::uint64_t{1});
    if (inverted != ~node) context.add(damaged, std::uint64_t{1});
  }

  // Gives the value of a node to its parent, or adds it to the sums.
  template <class Context>
  MILLRACE_FUNCTION void report(Context& context, const Join<std::uint64_t>& parent,
                                std::uint32_t node, std::uint64_t value) const {
    if (node < roots) {
      context.add(sums + node, value);
    } else {
      context.arrive(parent, value);
    }
  }
};

// Sums the values of a node and arrives at its parent's counter. The last child to arrive starts
// it.
template <TaskWidth width>
struct ArrivingNode {
  static constexpr bool kTravels = true;
  static constexpr TaskWidth kWidth = width;
  std::uint32_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const;
};

// Calls start(task) with the task that sums the values of a node.
template <class Start>
MILLRACE_FUNCTION void start_counted(const WaitingForest& forest, std::uint32_t node,
                                     const Start& start) {
  if (forest.is_warps(node)) {
    start(ArrivingNode<TaskWidth::kWarp>{node});
  } else {
    start(ArrivingNode<TaskWidth::kLane>{node});
  }
}

template <TaskWidth width>
template <class Context>
MILLRACE_FUNCTION void ArrivingNode<width>::operator()(Context& context) const {
  const WaitingForest& forest = context.arguments();
  const std::uint32_t first = forest.first_child[index];
  const std::uint32_t end = forest.first_child[index + 1];
  const auto lanes = static_cast<std::uint32_t>(context.lanes());
  auto which = static_cast<std::uint32_t>(context.lane());
  for (; which < kCountedValues; which += lanes) {
    std::uint64_t value = stress_number(forest.seed, index, which);
    for (std::uint32_t child = first; child < end; ++child) {
      value += stress_weight(child - first) * forest.values[kCountedValues * child + which];
    }
    forest.values[kCountedValues * index + which] = value;
    if (index < forest.roots) context.add(forest.sums + kCountedValues * index + which, value);
  }
  context.sync();
  if (context.lane() != 0 || index < forest.roots) return;
  const std::uint32_t parent = forest.parents[index];
  start_counted(forest, parent,
                [&](const auto& task) { context.arrive(&forest.missing[parent], task); });
}

// Spawns its children. With counters, a node without children begins the way up.
struct SpawningNode {
  static constexpr bool kTravels = true;
  std::uint32_t index;
  std::uint32_t inverted;

  MILLRACE_FUNCTION static SpawningNode make(std::uint32_t index) { return {index, ~index}; }

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const WaitingForest& forest = context.arguments();
    forest.count(context, index, inverted);
    const std::uint32_t first = forest.first_child[index];
    const std::uint32_t end = forest.first_child[index + 1];
    for (std::uint32_t child = first; child < end; ++child) context.spawn(make(child));
    if (first < end || forest.missing == nullptr) return;
    start_counted(forest, index, [&](const auto& task) { context.spawn(task); });
  }
};

// The continuation of a node: its children have left their values.
struct JoinedSum {
  static constexpr bool kTravels = true;
  static constexpr int kPriority = 1;  // It ends a join.
  Join<std::uint64_t> parent;
  std::uint32_t index;
  std::uint64_t values[kMostJoined];

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const WaitingForest& forest = context.arguments();
    const std::uint32_t children = forest.first_child[index + 1] - forest.first_child[index];
    std::uint64_t value = stress_number(forest.seed, index);
    for (std::uint32_t i = 0; i < children; ++i) value += stress_weight(i) * values[i];
    forest.report(context, parent, index, value);
  }
};

// A node of a forest with joins.
struct JoiningNode {
  static constexpr bool kTravels = true;
  static constexpr std::uint32_t kJoins = 1;
  Join<std::uint64_t> parent;
  std::uint32_t index;
  std::uint32_t inverted;

  MILLRACE_FUNCTION static JoiningNode make(const Join<std::uint64_t>& parent,
                                            std::uint32_t index) {
    return {parent, index, ~index};
  }

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const;
};

// Spawns one child of a node whose join grows, and the task for the next one, which the join then
// waits for, too. It holds one arrival.
struct JoinGrowth {
  static constexpr bool kTravels = true;
  Join<std::uint64_t> parents[kMostJoined];  // Handles for the children's values.
  std::uint32_t first_child;
  std::uint32_t next;
  std::uint32_t children;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (next + 1 < children) {
      context.expect(parents[next].without_value(), 1);
      JoinGrowth rest = *this;
      ++rest.next;
      context.spawn(rest);
    }
    context.spawn(JoiningNode::make(parents[next], first_child + next));
  }
};

template <class Context>
MILLRACE_FUNCTION void JoiningNode::operator()(Context& context) const {
  const WaitingForest& forest = context.arguments();
  forest.count(context, index, inverted);
  const std::uint32_t first = forest.first_child[index];
  const std::uint32_t children = forest.first_child[index + 1] - first;
  if (children == 0) {
    return forest.report(context, parent, index, stress_number(forest.seed, index));
  }
  const bool grows = forest.grows(index);
  const auto join = context.open_join(grows ? 1 : children, JoinedSum{parent, index, {}});
  if (grows) {
    JoinGrowth growth{{}, first, 0, children};
    for (std::uint32_t i = 0; i < children; ++i) growth.parents[i] = join.to(&JoinedSum::values, i);
    context.spawn(growth);
    return;
  }
  for (std::uint32_t i = 0; i < children; ++i) {
    context.spawn(JoiningNode::make(join.to(&JoinedSum::values, i), first + i));
  }
}

struct WaitingStressTasks
    : TaskSet<SpawningNode, JoiningNode, JoinGrowth, JoinedSum, ArrivingNode<TaskWidth::kLane>,
              ArrivingNode<TaskWidth::kWarp>> {
  using Arguments = WaitingForest;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_QUEUES_WAITING_STRESS_TASKS_H_
