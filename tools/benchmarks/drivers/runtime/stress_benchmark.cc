// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/drivers/runtime/stress_benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/tools/benchmarks/harness/device_values.h>
#include <millrace/tools/benchmarks/workloads/queues/stress_tasks.h>

namespace millrace::tools {
namespace {

const char* to_string(StressKind kind) {
  switch (kind) {
    case StressKind::kOneType: return "one type";
    case StressKind::kSizes: return "two sizes";
    default: return "three widths";
  }
}

// The forest, the policy and the memory that a seed stands for.
struct Shape {
  std::uint64_t seed;
  StressKind kind;
  Policy policy;
  std::size_t task_memory_bytes;
  std::uint32_t bushiness;  // 1 is mostly chains.
  std::uint32_t roots;
  std::vector<std::uint32_t> first_child;  // StressForest's.

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(first_child.size() - 1); }
};

Shape draw_shape(std::uint64_t seed, std::uint32_t most_nodes) {
  std::mt19937_64 random(seed);
  const auto one_of = [&random](const auto& choices) {
    return std::data(choices)[random() % std::size(choices)];
  };
  constexpr StressKind kKinds[] = {StressKind::kOneType, StressKind::kSizes, StressKind::kWidths};
  constexpr std::size_t kMemories[] = {0, 16 << 10, 64 << 10, 1 << 20};
  constexpr std::uint32_t kBushiness[] = {1, 2, 8, 200};
  Shape shape{.seed = seed,
              .kind = one_of(kKinds),
              .policy = one_of(kConcretePolicies),
              .task_memory_bytes = one_of(kMemories),
              .bushiness = one_of(kBushiness),
              .roots = 0,
              .first_child = {}};
  const auto nodes = static_cast<std::uint32_t>(1 + random() % most_nodes);
  const std::uint32_t kRoots[] = {1, 5, nodes / 2 + 1, nodes};
  shape.roots = std::min(one_of(kRoots), nodes);
  std::uint32_t next = shape.roots;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    shape.first_child.push_back(next);
    const bool must = node + 1 == next;  // Else the rest would be out of reach.
    const auto children = static_cast<std::uint32_t>(random() % (2 * shape.bushiness + 1));
    next = std::min(nodes, next + std::max(children, must ? 1u : 0u));
  }
  shape.first_child.push_back(next);
  return shape;
}

// The queues that runs share, one for each size of their memory.
class Queues {
 public:
  explicit Queues(std::shared_ptr<Device> device) : device_(std::move(device)) {}

  Queue& with(std::size_t task_memory_bytes) {
    std::unique_ptr<Queue>& queue = queues_[task_memory_bytes];
    if (!queue) queue = device_->make_queue({.task_memory_bytes = task_memory_bytes});
    return *queue;
  }

 private:
  std::shared_ptr<Device> device_;
  std::map<std::size_t, std::unique_ptr<Queue>> queues_;
};

// Runs the shape and returns a description of the failure; empty if there is none.
template <StressKind kKind>
std::string run_shape(Queue& queue, const Shape& shape) {
  using Tasks = StressTasks<kKind>;
  const Buffer<std::uint32_t> first_child = to_device(queue, shape.first_child);
  Buffer<std::uint32_t> runs = to_device(queue, std::vector<std::uint32_t>(shape.nodes()));
  DeviceSum<std::uint32_t> damaged(queue);
  damaged.clear();
  const Buffer<StressForest> forest = to_device(
      queue,
      std::vector<StressForest>{{first_child.data(), runs.data(), damaged.data(), shape.seed}});

  std::vector<std::uint64_t> expected(Tasks::kTypes);
  TaskList<Tasks> roots;
  for (std::uint32_t node = 0; node < shape.nodes(); ++node) {
    const TaskTag type = stress_type(kKind, shape.seed, node);
    ++expected[type];
    if (node >= shape.roots) continue;
    visit_type<Tasks>(type, [&]<class T>() { roots.push(T::make(forest.data(), node)); });
  }
  const RunReport report = run_tasks(queue, roots, {.policy = shape.policy});

  const std::vector<std::uint32_t> counts = to_host(queue, runs);
  for (std::uint32_t node = 0; node < shape.nodes(); ++node) {
    if (counts[node] == 1) continue;
    return "node " + std::to_string(node) + " of " + std::to_string(shape.nodes()) + " ran " +
           std::to_string(counts[node]) + " times";
  }
  if (damaged.value() > 0) return std::to_string(damaged.value()) + " words arrived damaged";
  return report.tasks_by_type == expected ? "" : "the report counts other tasks than ran";
}

std::string run_shape(Queue& queue, const Shape& shape) {
  try {
    switch (shape.kind) {
      case StressKind::kOneType: return run_shape<StressKind::kOneType>(queue, shape);
      case StressKind::kSizes: return run_shape<StressKind::kSizes>(queue, shape);
      default: return run_shape<StressKind::kWidths>(queue, shape);
    }
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kDeviceLost) throw;
    return error.what();
  }
}

void print_failure(const Shape& shape, const std::string& failure) {
  std::printf("FAILED seed %llu (%s, %u nodes, %u roots, bushiness %u, %s, %zu bytes): %s\n",
              static_cast<unsigned long long>(shape.seed), millrace::to_string(shape.policy),
              shape.nodes(), shape.roots, shape.bushiness, to_string(shape.kind),
              shape.task_memory_bytes, failure.c_str());
  std::fflush(stdout);
}

}  // namespace

std::size_t stress_queues(const StressOptions& options) {
  using Clock = std::chrono::steady_clock;
  constexpr std::uint32_t kMostNodes = 20'000;
  constexpr std::uint32_t kMostSimulatedNodes = 300;
  const std::shared_ptr<Device> device = open_device(options.device);
  const DeviceInfo& info = device->info();
  const std::uint32_t most_nodes = info.is_simulated ? kMostSimulatedNodes : kMostNodes;
  std::printf("%s: %s, seeds from %llu on\n", info.name.c_str(), info.description.c_str(),
              static_cast<unsigned long long>(options.seed));
  std::fflush(stdout);
  Queues queues(device);
  const Clock::time_point start = Clock::now();
  std::size_t runs = 0;
  std::size_t failures = 0;
  for (; runs < options.runs; ++runs) {
    if (std::chrono::duration<double>(Clock::now() - start).count() >= options.seconds) break;
    const Shape shape = draw_shape(options.seed + runs, most_nodes);
    const std::string failure = run_shape(queues.with(shape.task_memory_bytes), shape);
    if (failure.empty()) continue;
    print_failure(shape, failure);
    ++failures;
  }
  std::printf("%zu runs, %zu failures\n", runs, failures);
  return failures;
}

}  // namespace millrace::tools
