// SPDX-License-Identifier: Apache-2.0

// A graph of Task Bench in memory that a device reads: tables of its dependences, and what its
// tasks write. Tasks of all contenders do the same: they check their inputs, compute, and write
// their output.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_GRAPH_TASK_GRAPH_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_GRAPH_TASK_GRAPH_H_

#include <millrace/runtime/core/target_function.h>
#include <millrace/tools/benchmarks/workloads/task_bench/graph/compute_kernel.h>

#include <cstddef>
#include <cstdint>

namespace millrace::tools {

// The output of a task, as in Task Bench.
struct PointOutput {
  std::int64_t step;
  std::int64_t point;

  bool operator==(const PointOutput&) const = default;
};

// The indices of other tasks that a task has something to do with.
struct TaskIndices {
  const std::uint32_t* data;
  std::uint32_t count;

  MILLRACE_FUNCTION std::uint32_t operator[](std::uint32_t i) const { return data[i]; }
};

// A step, and where its lists are in the graph's tables.
struct StepTable {
  std::uint32_t first_point;
  std::uint32_t inputs;      // Position in `list_begins` of the first point's inputs.
  std::uint32_t dependents;  // Position in `list_begins` of its dependents.
};

// A task has the index step * width + its position among the points of the step. A list has tasks
// of a neighbouring step, by their positions there.
struct TaskGraph {
  std::uint32_t width;
  std::uint32_t steps;
  std::uint32_t roots;       // Tasks without inputs, which have the first indices.
  std::uint32_t iterations;  // The kernel's.
  const StepTable* step_tables;
  const std::uint32_t* list_begins;
  const std::uint32_t* lists;
  std::uint32_t* missing;  // Number of inputs of each task that have not arrived.
  PointOutput* outputs;    // Indexed by task.
  std::uint32_t* errors;   // Number of inputs and results that were wrong.

  MILLRACE_FUNCTION std::uint32_t step_of(std::size_t index) const {
    return static_cast<std::uint32_t>(index) / width;
  }
  MILLRACE_FUNCTION std::uint32_t position_of(std::size_t index) const {
    return static_cast<std::uint32_t>(index) % width;
  }

  // Positions, in the step before and in the next one.
  MILLRACE_FUNCTION TaskIndices inputs_of(std::uint32_t step, std::uint32_t position) const {
    return list(step_tables[step].inputs + position);
  }
  MILLRACE_FUNCTION TaskIndices dependents_of(std::uint32_t step, std::uint32_t position) const {
    return list(step_tables[step].dependents + position);
  }

  // Runs one lane's portion of a task, but for its arrivals. Returns the number of errors that the
  // lane has seen.
  MILLRACE_FUNCTION std::uint32_t run_lane(std::uint32_t step, std::uint32_t position, int lane,
                                           int lanes) const {
    std::uint32_t errors_here = 0;
    if (step > 0) {
      const TaskIndices inputs = inputs_of(step, position);
      const std::size_t before = std::size_t{step - 1} * width;
      for (std::uint32_t i = lane; i < inputs.count; i += lanes) {
        const PointOutput& input = outputs[before + inputs[i]];
        const std::int64_t point = std::int64_t{step_tables[step - 1].first_point} + inputs[i];
        if (input.step != std::int64_t{step} - 1 || input.point != point) ++errors_here;
      }
    }
    if (!(compute_lane(iterations, lane, lanes) > 0)) ++errors_here;
    if (lane == 0) outputs[std::size_t{step} * width + position] = output_of(step, position);
    return errors_here;
  }

  MILLRACE_FUNCTION PointOutput output_of(std::uint32_t step, std::uint32_t position) const {
    return {step, std::int64_t{step_tables[step].first_point} + position};
  }

 private:
  MILLRACE_FUNCTION TaskIndices list(std::uint32_t number) const {
    return {lists + list_begins[number], list_begins[number + 1] - list_begins[number]};
  }
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_GRAPH_TASK_GRAPH_H_
