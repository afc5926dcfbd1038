// SPDX-License-Identifier: Apache-2.0

// The tasks of a graph of Task Bench. A finished task arrives at each of those that depend on it;
// counters of what they still miss are known beforehand.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_POINT_TASKS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_POINT_TASKS_H_

#include <millrace/runtime/tasks/task_set.h>
#include <millrace/tools/benchmarks/workloads/task_bench/graph/task_graph.h>

#include <cstddef>
#include <cstdint>

namespace millrace::tools {

struct PointTask {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  struct Arguments {
    const TaskGraph* graph;  // The device can read it.
  };
  Arguments arguments;
  std::size_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const TaskGraph& graph = *arguments.graph;
    const std::uint32_t step = graph.step_of(index);
    const std::uint32_t position = graph.position_of(index);
    // Loaded early, because the task does not wait for these loads while it computes.
    const TaskIndices dependents = graph.dependents_of(step, position);
    const std::uint32_t lane = context.lane();
    const std::uint32_t first = lane < dependents.count ? dependents[lane] : 0;
    const std::uint32_t errors = graph.run_lane(step, position, context.lane(), context.lanes());
    if (errors > 0) context.add(graph.errors, errors);
    context.sync();
    for (std::uint32_t i = lane; i < dependents.count; i += context.lanes()) {
      arrive(context, graph, step + 1, i == lane ? first : dependents[i]);
    }
  }

 private:
  template <class Context>
  MILLRACE_FUNCTION void arrive(Context& context, const TaskGraph& graph, std::uint32_t step,
                                std::uint32_t position) const {
    const std::size_t dependent = std::size_t{step} * graph.width + position;
    context.arrive(&graph.missing[dependent], PointTask{arguments, dependent});
  }
};

struct PointTasks : TaskSet<PointTask> {
  using Arguments = PointTask::Arguments;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_POINT_TASKS_H_
