// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/device_values.h>
#include <millrace/tools/benchmarks/workloads/task_bench/device_graph.h>

#include <span>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

std::string text_of(const PointOutput& output) {
  return "step " + std::to_string(output.step) + ", point " + std::to_string(output.point);
}

[[noreturn]] void throw_wrong(const std::string& what) { throw Error(ErrorCode::kInternal, what); }

void check_output(const PointOutput& found, const PointOutput& right) {
  if (found == right) return;
  throw_wrong("the task of " + text_of(right) + " has not run; its output is " + text_of(found));
}

// Memory of a device has at least one element.
template <class T>
std::vector<T> not_empty(std::vector<T> values) {
  if (values.empty()) values.push_back(T{});
  return values;
}

}  // namespace

template <class T>
Buffer<T> DeviceGraph::make(std::size_t count) {
  return Buffer<T>(queue_.device().shared_from_this(), MemorySpace::kDevice, count);
}

DeviceGraph::DeviceGraph(Queue& queue, const GraphShape& shape)
    : queue_(queue),
      tables_(make_graph_tables(shape)),
      step_tables_(to_device(queue, tables_.step_tables)),
      list_begins_(to_device(queue, tables_.list_begins)),
      lists_(to_device(queue, not_empty(tables_.lists))),
      missing_(make<std::uint32_t>(tables_.missing.size())),
      outputs_(make<PointOutput>(tables_.missing.size())),
      errors_(make<std::uint32_t>(1)),
      device_graph_(make<TaskGraph>(1)),
      graph_{.width = tables_.width,
             .steps = tables_.steps,
             .roots = tables_.roots,
             .iterations = 0,
             .step_tables = step_tables_.data(),
             .list_begins = list_begins_.data(),
             .lists = lists_.data(),
             .missing = missing_.data(),
             .outputs = outputs_.data(),
             .errors = errors_.data()} {}

void DeviceGraph::reset(std::uint32_t iterations) {
  graph_.iterations = iterations;
  copy(queue_, device_graph_.span(),
       BufferSpan<const TaskGraph>(std::span<const TaskGraph>(&graph_, 1)));
  copy(queue_, missing_.span(),
       BufferSpan<const std::uint32_t>(std::span<const std::uint32_t>(tables_.missing)));
  fill_bytes(queue_, outputs_.span(), std::byte{0xff});  // Outputs of no step.
  fill_bytes(queue_, errors_.span(), std::byte{0});
  queue_.wait();
}

void DeviceGraph::check() {
  const std::uint32_t errors = to_host(queue_, errors_)[0];
  if (errors > 0) throw_wrong(std::to_string(errors) + " inputs or results of tasks were wrong");
  const std::vector<PointOutput> outputs = to_host(queue_, outputs_);
  for (std::uint32_t step = 0; step < tables_.steps; ++step) {
    const PointRange points = tables_.points[step];
    for (std::uint32_t i = 0; i < points.size(); ++i) {
      check_output(outputs[std::size_t{step} * tables_.width + i],
                   {step, std::int64_t{points.begin} + i});
    }
  }
}

}  // namespace millrace::tools
