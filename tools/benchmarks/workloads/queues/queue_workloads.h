// SPDX-License-Identifier: Apache-2.0

// Queues of tasks of many shapes, to be measured. Every run is checked.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_QUEUES_QUEUE_WORKLOADS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_QUEUES_QUEUE_WORKLOADS_H_

#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/runtime/tasks/task.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace millrace::tools {

// Sizes of the workloads.
struct QueueSizes {
  std::uint32_t tree;        // Elements, a power of two.
  std::uint32_t large_tree;  // Elements, a power of two.
  std::uint64_t geo_levels;  // Below the root.
  std::uint64_t bin_roots;
  std::uint32_t chains;
  std::uint32_t links;  // Links of a chain.
  std::size_t items;    // Items of a flat queue, 16 bytes each.
  std::size_t pieces;   // Pieces to copy, 512 bytes each.
};

// The published ones; geo and bin are about 9.6 M tasks in 15 waves and 6.7 M in 1,931.
inline constexpr QueueSizes kFullSizes{.tree = 1u << 24,
                                       .large_tree = 1u << 27,
                                       .geo_levels = 14,
                                       .bin_roots = 2000,
                                       .chains = 4096,
                                       .links = 1000,
                                       .items = 16'000'000,
                                       .pieces = 1'000'000};

// Sizes for simulated devices and for trials.
inline constexpr QueueSizes kSmallSizes{.tree = 1u << 12,
                                        .large_tree = 1u << 15,
                                        .geo_levels = 5,
                                        .bin_roots = 40,
                                        .chains = 40,
                                        .links = 10,
                                        .items = 2000,
                                        .pieces = 100};

// The work and the time of one run.
struct QueueRun {
  std::uint64_t tasks = 0;
  std::uint64_t waves = 0;
  double device_seconds = 0;      // RunReport::seconds.
  double wall_seconds = 0;        // Time of the call of run_tasks.
  Policy policy = Policy::kAuto;  // The policy that ran, if tasks ran.
  std::uint64_t switches = 0;     // RunReport::switches.
};

struct QueueWorkload {
  std::string name;
  // Throws kInternal unless each task ran once: their number, and a sum over all or all that they
  // wrote, is what the host computes.
  std::function<QueueRun(const RunOptions&)> run;
};

// A sum of `elements` elements that are computed, by tasks of so many bytes.
template <std::size_t kTaskBytes>
QueueWorkload make_tree(Queue& queue, std::uint32_t elements);

// A sum of `elements` 32-bit elements in memory, with leaves of this width.
template <TaskWidth kLeafWidth>
QueueWorkload make_read_tree(Queue& queue, std::uint32_t elements);

QueueWorkload make_geo(Queue& queue, const QueueSizes& sizes);
QueueWorkload make_bin(Queue& queue, const QueueSizes& sizes);

// The calls of the recursive definition of the n-th number of Fibonacci, n at most 90: 331,160,281
// for 40.
QueueWorkload make_calls(Queue& queue, std::uint32_t n);

QueueWorkload make_chains(Queue& queue, const QueueSizes& sizes);

// Makes `tasks` tasks that do nothing.
QueueWorkload make_nothing(Queue& queue, int tasks);

// The items of a flat queue, in device memory.
class FlatItems {
 public:
  FlatItems(Queue& queue, std::size_t count);
  QueueWorkload tasks() const;
  // Runs the same items by a kernel by hand (queue_loop_op.h); throws kUnsupported on a CPU.
  QueueWorkload loop() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// Pieces of two types to copy in device memory.
class CopyPieces {
 public:
  CopyPieces(Queue& queue, std::size_t count);
  QueueWorkload tasks() const;
  // Queue::copy of the same bytes, several times in a row; its times are for one.
  QueueWorkload copy() const;
  std::size_t bytes() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_QUEUES_QUEUE_WORKLOADS_H_
