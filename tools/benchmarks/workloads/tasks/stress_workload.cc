// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/command/example_devices.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/tools/benchmarks/harness/device_sum.h>
#include <millrace/tools/benchmarks/harness/device_values.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/tasks/stress_runs.h>
#include <millrace/tools/benchmarks/workloads/tasks/stress_shape.h>
#include <millrace/tools/benchmarks/workloads/tasks/stress_workload.h>
#include <millrace/tools/benchmarks/workloads/tasks/waiting_stress.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

// The roots of the forest.
template <class Tasks>
TaskList<Tasks> roots_of(const StressShape& shape, const StressForest* forest) {
  TaskList<Tasks> roots;
  for (std::uint32_t node = 0; node < shape.roots; ++node) {
    visit_type<Tasks>(stress_type(shape.kind, shape.seed, node),
                      [&]<class T>() { roots.push(T::make(forest, node)); });
  }
  return roots;
}

// Runs the shape, adds the seconds of the run alone, and returns what it left behind.
template <StressKind kKind>
StressOutcome run_shape(Queue& queue, const StressShape& shape, double& seconds) {
  const Buffer<std::uint32_t> first_child = to_device(queue, shape.first_child);
  Buffer<std::uint32_t> runs = to_device(queue, std::vector<std::uint32_t>(shape.nodes()));
  DeviceSum<std::uint32_t> damaged(queue);
  damaged.clear();
  const Buffer<StressForest> forest = to_device(
      queue,
      std::vector<StressForest>{{first_child.data(), runs.data(), damaged.data(), shape.seed}});
  const auto roots = roots_of<StressTasks<kKind>>(shape, forest.data());
  RunReport report;
  seconds += seconds_of([&] { report = run_tasks(queue, roots, {.policy = shape.policy}); });
  const std::vector<std::uint32_t> counts = to_host(queue, runs);
  return {{counts.begin(), counts.end()}, damaged.value(), report.tasks_by_type};
}

StressOutcome run_shape(Queue& queue, const StressShape& shape, double& seconds) {
  switch (shape.kind) {
    case StressKind::kOneType: return run_shape<StressKind::kOneType>(queue, shape, seconds);
    case StressKind::kSizes: return run_shape<StressKind::kSizes>(queue, shape, seconds);
    case StressKind::kWidths: return run_shape<StressKind::kWidths>(queue, shape, seconds);
    default: break;
  }
  WaitingStressResult result = run_waiting_stress(examples::ExampleDevices(queue), shape);
  seconds += result.seconds;
  return std::move(result.outcome);
}

// The queues of a device, by their options.
class Queues {
 public:
  explicit Queues(std::shared_ptr<Device> device) : device_(std::move(device)) {}

  // Returns the queue that all runs with these options share.
  Queue& queue_for(const StressShape& shape) {
    std::unique_ptr<Queue>& queue = queues_[{shape.task_memory_bytes, shape.join_capacity}];
    if (!queue) {
      queue = device_->make_queue(
          {.task_memory_bytes = shape.task_memory_bytes, .join_capacity = shape.join_capacity});
    }
    return *queue;
  }

 private:
  const std::shared_ptr<Device> device_;
  std::map<std::pair<std::size_t, std::size_t>, std::unique_ptr<Queue>> queues_;
};

PreparedWork prepare_forests(const std::shared_ptr<Device>& device, const std::string& input,
                             std::uint64_t runs) {
  constexpr std::uint32_t kMostNodes = 20'000;
  constexpr std::uint32_t kMostSimulatedNodes = 300;
  const std::uint32_t most = device->info().is_simulated ? kMostSimulatedNodes : kMostNodes;
  const auto queues = std::make_shared<Queues>(device);
  const auto all = std::make_shared<StressRuns>(
      *stress_seed(input), runs, [=](std::uint64_t seed) { return draw_stress_shape(seed, most); },
      [=](const StressShape& shape, double& seconds) {
        return run_shape(queues->queue_for(shape), shape, seconds);
      });
  PreparedWork prepared;
  prepared.runs.push_back({.check =
                               [=] {
                                 all->run();
                                 return RunAmount{static_cast<double>(runs)};
                               },
                           .run = [=] { return all->run_some(); }});
  return prepared;
}

}  // namespace

std::vector<Workload> stress_workloads() {
  Workload workload;
  workload.name = "tasks-stress";
  workload.what = "SIZE runs of random forests, policies and memory, each checked";
  take_stress_seeds(workload);
  workload.prepare = &prepare_forests;
  return {workload};
}

}  // namespace millrace::tools
