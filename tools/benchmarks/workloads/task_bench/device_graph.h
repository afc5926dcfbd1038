// SPDX-License-Identifier: Apache-2.0

// A graph of Task Bench in a device's memory.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_DEVICE_GRAPH_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_DEVICE_GRAPH_H_

#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/tools/benchmarks/workloads/task_bench/graph/graph_shape.h>
#include <millrace/tools/benchmarks/workloads/task_bench/graph/graph_tables.h>
#include <millrace/tools/benchmarks/workloads/task_bench/graph/task_graph.h>

#include <cstddef>
#include <cstdint>

namespace millrace::tools {

// Used by one thread at a time; the queue must outlive it. Throws what make_graph_tables and Buffer
// throw.
class DeviceGraph {
 public:
  DeviceGraph(Queue& queue, const GraphShape& shape);

  // Prepares a run: no task has run, and each has so many iterations. Waits for the queue.
  void reset(std::uint32_t iterations);

  // Throws kInternal unless every task has run once since reset(), after its inputs, as far as what
  // was written shows. Waits for the queue.
  void check();

  const GraphTables& tables() const { return tables_; }
  const TaskGraph& graph() const { return graph_; }               // Used on the host.
  const TaskGraph* data() const { return device_graph_.data(); }  // Used on the device.

 private:
  template <class T>
  Buffer<T> make(std::size_t count);

  Queue& queue_;
  GraphTables tables_;
  Buffer<StepTable> step_tables_;
  Buffer<std::uint32_t> list_begins_;
  Buffer<std::uint32_t> lists_;
  Buffer<std::uint32_t> missing_;
  Buffer<PointOutput> outputs_;
  Buffer<std::uint32_t> errors_;
  Buffer<TaskGraph> device_graph_;
  TaskGraph graph_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_DEVICE_GRAPH_H_
