// SPDX-License-Identifier: Apache-2.0

// Trees of tasks that are larger, or whose leaves read memory.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_TREE_WORKLOADS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_TREE_WORKLOADS_H_

#include <millrace/tools/benchmarks/workloads/queues/queue_workloads.h>
#include <millrace/tools/benchmarks/workloads/workload.h>

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tools {

// Inputs of trees by the bytes of a task.
inline constexpr char k16Bytes[] = "16-bytes";
inline constexpr char k32Bytes[] = "32-bytes";
inline constexpr char k64Bytes[] = "64-bytes";
inline constexpr char k256Bytes[] = "256-bytes";

// Least number of elements of a tree whose leaves read memory: two leaves of a block.
inline constexpr std::uint64_t kLeastReadTree = 8192;

// Inputs of trees by the width of their leaves: "lane", "warp" and "block".
std::vector<std::string> leaf_widths();

// The tree of an input; the number of elements is a power of two.
QueueWorkload make_tree_of(Queue& queue, const std::string& task_bytes, std::uint64_t elements);
QueueWorkload make_read_tree_of(Queue& queue, const std::string& leaf_width,
                                std::uint64_t elements);

// tasks-large-tree and tasks-read-tree.
std::vector<Workload> tree_workloads();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_TREE_WORKLOADS_H_
