// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/tasks/stress_workload.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/tools/benchmarks/harness/device_values.h>
#include <millrace/tools/benchmarks/harness/sampler.h>

namespace millrace::tools {
namespace {

constexpr std::string_view kSeed = "seed-";

// Returns the seed that an input such as "seed-17" names; nothing for other inputs.
std::optional<std::uint64_t> seed_of(std::string_view input) {
  if (!input.starts_with(kSeed)) return {};
  input.remove_prefix(kSeed.size());
  std::uint64_t seed = 0;
  const char* const end = input.data() + input.size();
  const auto [parsed, error] = std::from_chars(input.data(), end, seed);
  if (error != std::errc() || parsed != end) return {};
  return seed;
}

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
  return {to_host(queue, runs), damaged.value(), report.tasks_by_type};
}

StressOutcome run_shape(Queue& queue, const StressShape& shape, double& seconds) {
  switch (shape.kind) {
    case StressKind::kOneType: return run_shape<StressKind::kOneType>(queue, shape, seconds);
    case StressKind::kSizes: return run_shape<StressKind::kSizes>(queue, shape, seconds);
    default: return run_shape<StressKind::kWidths>(queue, shape, seconds);
  }
}

// Runs with successive seeds, each call as many as the last one.
class StressRuns {
 public:
  StressRuns(std::shared_ptr<Device> device, std::uint64_t first_seed, std::uint64_t runs)
      : device_(std::move(device)), next_seed_(first_seed), runs_(runs) {}

  // Returns the seconds of the runs, without drawing and checking.
  double run() {
    double seconds = 0;
    for (std::uint64_t i = 0; i < runs_; ++i) seconds += run_one();
    return seconds;
  }

 private:
  double run_one() {
    constexpr std::uint32_t kMostNodes = 20'000;
    constexpr std::uint32_t kMostSimulatedNodes = 300;
    const StressShape shape = draw_stress_shape(
        next_seed_++, device_->info().is_simulated ? kMostSimulatedNodes : kMostNodes);
    double seconds = 0;
    const std::string fault = fault_after_run(shape, seconds);
    if (fault.empty()) return seconds;
    throw Error(ErrorCode::kInternal, stress_failure(shape, fault));
  }

  // A run that fails is as wrong as one that loses tasks, unless the device is lost to all.
  std::string fault_after_run(const StressShape& shape, double& seconds) {
    try {
      return fault_of(shape, run_shape(queue_with(shape.task_memory_bytes), shape, seconds));
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kDeviceLost) {
        throw Error(error.code(), stress_failure(shape, error.what()));
      }
      return error.what();
    }
  }

  // Returns the queue that all runs with this memory for tasks share.
  Queue& queue_with(std::size_t task_memory_bytes) {
    std::unique_ptr<Queue>& queue = queues_[task_memory_bytes];
    if (!queue) queue = device_->make_queue({.task_memory_bytes = task_memory_bytes});
    return *queue;
  }

  const std::shared_ptr<Device> device_;
  std::uint64_t next_seed_;
  const std::uint64_t runs_;
  std::map<std::size_t, std::unique_ptr<Queue>> queues_;
};

PreparedWork prepare(const std::shared_ptr<Device>& device, const std::string& input,
                     std::uint64_t runs) {
  const auto all = std::make_shared<StressRuns>(device, *seed_of(input), runs);
  PreparedWork prepared;
  prepared.runs.push_back({.check =
                               [=] {
                                 all->run();
                                 return RunAmount{static_cast<double>(runs)};
                               },
                           .run = [=] { return all->run(); }});
  return prepared;
}

}  // namespace

std::string stress_failure(const StressShape& shape, const std::string& fault) {
  return to_text(shape) + ": " + fault + "; --input " + std::string(kSeed) +
         std::to_string(shape.seed) + " --size 1 begins with this run";
}

std::vector<Workload> stress_workloads() {
  Workload workload;
  workload.name = "tasks-stress";
  workload.what = "so many runs of random forests, policies and memory, each checked";
  workload.item_name = "runs";
  workload.inputs = {std::string(kSeed) + '1'};
  workload.input_rule = "seed-N, which begins with the seed N";
  workload.is_input = [](const std::string& input) { return seed_of(input).has_value(); };
  workload.sizes = SizeChoice{.cpu = {1000}, .gpu = {1000}, .quick = 50, .simulated = 20};
  workload.size_rule = "is at most 1000000000";
  workload.is_size = [](std::uint64_t size) { return size <= 1'000'000'000; };
  workload.prepare = &prepare;
  return {workload};
}

}  // namespace millrace::tools
