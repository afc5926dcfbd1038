// SPDX-License-Identifier: Apache-2.0

// Random forests of tasks, and what must be true after one has run: each node ran once.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_STRESS_SHAPE_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_STRESS_SHAPE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <millrace/runtime/tasks/policy.h>
#include <millrace/tools/benchmarks/workloads/queues/stress_tasks.h>

namespace millrace::tools {

// The forest, the policy and the queue's memory for tasks that a seed stands for.
struct StressShape {
  std::uint64_t seed = 0;
  StressKind kind = StressKind::kOneType;
  Policy policy = Policy::kPersistentThreads;
  std::size_t task_memory_bytes = 0;
  std::uint32_t bushiness = 1;             // Mean number of children; 1 is mostly chains.
  std::uint32_t roots = 0;                 // Nodes 0 to roots - 1.
  std::vector<std::uint32_t> first_child;  // StressForest's.

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(first_child.size() - 1); }
};

// Returns the same shape, of 1 to `most_nodes` nodes, for the same arguments.
StressShape draw_stress_shape(std::uint64_t seed, std::uint32_t most_nodes);

// "seed 7 (uberkernel, 300 nodes, 5 roots, bushiness 8, two sizes, 65536 bytes)"
std::string to_text(const StressShape& shape);

// What a run of a forest left behind.
struct StressOutcome {
  std::vector<std::uint32_t> runs_of_nodes;
  std::uint32_t damaged_words = 0;
  std::vector<std::uint64_t> tasks_by_type;  // RunReport's.
};

// Returns what is wrong with the outcome; empty if every node ran once, as it was sent, and the
// report counts the nodes of each type.
std::string fault_of(const StressShape& shape, const StressOutcome& outcome);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_STRESS_SHAPE_H_
