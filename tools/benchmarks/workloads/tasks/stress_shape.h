// SPDX-License-Identifier: Apache-2.0

// Random forests of tasks, and what must be true after one has run: each node ran once, and the
// sums by joins and counters are right.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_STRESS_SHAPE_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_STRESS_SHAPE_H_

#include <millrace/runtime/tasks/policy.h>
#include <millrace/tools/benchmarks/workloads/queues/stress_tasks.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace millrace::tools {

// Kinds that one device runs, and those that several devices can share.
inline constexpr StressKind kStressKinds[] = {StressKind::kOneType, StressKind::kSizes,
                                              StressKind::kWidths, StressKind::kJoins,
                                              StressKind::kCounters};
inline constexpr StressKind kSharedStressKinds[] = {StressKind::kPlain, StressKind::kJoins};

// True for the kinds that are run by WaitingStressTasks.
constexpr bool is_waiting(StressKind kind) {
  return kind == StressKind::kPlain || kind == StressKind::kJoins || kind == StressKind::kCounters;
}

// The forest, the policy and the queue's memory that a seed stands for.
struct StressShape {
  std::uint64_t seed = 0;
  StressKind kind = StressKind::kOneType;
  Policy policy = Policy::kPersistentThreads;
  std::size_t task_memory_bytes = 0;
  std::uint32_t bushiness = 1;             // Mean number of children; 1 is mostly chains.
  std::uint32_t roots = 0;                 // Nodes 0 to roots - 1.
  std::vector<std::uint32_t> first_child;  // StressForest's.

  // Only kinds that wait use these; else 0.
  std::size_t join_capacity = 0;               // The queue's.
  std::uint32_t growing_of_16 = 0;             // WaitingForest's.
  std::uint32_t warps_of_16 = 0;               // WaitingForest's.
  std::chrono::microseconds first_deadline{};  // Stops the run; what is left has twice as long.

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(first_child.size() - 1); }
};

// Returns the same shape, of one of the kinds and of 1 to `most_nodes` nodes, for the same
// arguments. At least `least_roots` nodes, at most `most_nodes`, are roots.
StressShape draw_stress_shape(std::uint64_t seed, std::uint32_t most_nodes,
                              std::span<const StressKind> kinds = kStressKinds,
                              std::uint32_t least_roots = 1);

// "seed 7 (uberkernel, 300 nodes, 5 roots, bushiness 8, two sizes, 65536 bytes)"
std::string to_text(const StressShape& shape);

// Returns the parent of each node; of roots, 0.
std::vector<std::uint32_t> parents_of(const StressShape& shape);

// Returns what WaitingForest::sums must be after a run of kJoins or kCounters; empty for others.
std::vector<std::uint64_t> sums_of(const StressShape& shape);

// The results of a run of a forest.
struct StressOutcome {
  std::vector<std::uint64_t> runs_of_nodes;
  std::uint64_t damaged_words = 0;
  std::vector<std::uint64_t> tasks_by_type;  // RunReport's.
  std::vector<std::uint64_t> sums = {};      // WaitingForest's.
};

// Returns what is wrong with the outcome; empty if every node ran once, as it was sent, the sums
// are right, and the report counts the tasks of each type.
std::string fault_of(const StressShape& shape, const StressOutcome& outcome);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_STRESS_SHAPE_H_
