// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/shared_sums.h>
#include <millrace/tools/benchmarks/harness/device_values.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/queues/waiting_stress_tasks.h>
#include <millrace/tools/benchmarks/workloads/tasks/waiting_stress.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

namespace millrace::tools {
namespace {

using Tasks = SharedTasks<WaitingStressTasks>;

// The forest in the memory of each device. It stays from one segment of a run to the next.
class ForestCopies {
 public:
  explicit ForestCopies(const StressShape& shape) : shape_(shape) {
    if (shape.kind != StressKind::kCounters) return;
    parents_ = parents_of(shape);
    for (std::uint32_t node = 0; node < shape.nodes(); ++node) {
      missing_.push_back(shape.first_child[node + 1] - shape.first_child[node]);
    }
    values_.resize(std::size_t{kCountedValues} * shape.nodes());
  }

  // Returns the forest on the queue's device, with everything but results. Thread-safe for
  // different queues.
  WaitingForest on(Queue& queue) {
    Arrays& arrays = arrays_of(queue);
    if (arrays.first_child.size() == 0) {
      arrays.first_child = to_device(queue, shape_.first_child);
      if (shape_.kind == StressKind::kCounters) {
        arrays.parents = to_device(queue, parents_);
        arrays.missing = to_device(queue, missing_);
        arrays.values = to_device(queue, values_);
      }
    }
    WaitingForest forest{};
    forest.first_child = arrays.first_child.data();
    forest.seed = shape_.seed;
    forest.roots = shape_.roots;
    forest.growing_of_16 = shape_.growing_of_16;
    forest.parents = arrays.parents.data();
    forest.missing = arrays.missing.data();
    forest.values = arrays.values.data();
    forest.warps_of_16 = shape_.warps_of_16;
    return forest;
  }

 private:
  struct Arrays {
    Buffer<std::uint32_t> first_child;
    Buffer<std::uint32_t> parents;
    Buffer<std::uint32_t> missing;
    Buffer<std::uint64_t> values;
  };

  Arrays& arrays_of(const Queue& queue) {
    const std::lock_guard lock(mutex_);
    return arrays_[&queue];
  }

  const StressShape& shape_;
  std::vector<std::uint32_t> parents_;
  std::vector<std::uint32_t> missing_;
  std::vector<std::uint64_t> values_;
  std::mutex mutex_;
  std::map<const Queue*, Arrays> arrays_;
};

TaskList<WaitingStressTasks> roots_of(const StressShape& shape) {
  TaskList<WaitingStressTasks> roots;
  for (std::uint32_t node = 0; node < shape.roots; ++node) {
    if (shape.kind == StressKind::kJoins) {
      roots.push(JoiningNode::make({}, node));
    } else {
      roots.push(SpawningNode::make(node));
    }
  }
  return roots;
}

void add_counts(const std::vector<std::uint64_t>& counts, std::vector<std::uint64_t>& sum) {
  for (std::size_t i = 0; i < counts.size(); ++i) sum[i] += counts[i];
}

// Runs the tasks, in segments if a deadline stops them, and adds what ran to `tasks_by_type`.
// Returns the report of the last segment.
SharedRunReport run_to_the_end(const examples::ExampleDevices& on, Tasks& tasks,
                               const StressShape& shape,
                               std::vector<std::uint64_t>& tasks_by_type) {
  RunOptions options{.policy = shape.policy,
                     .deadline = shape.first_deadline,
                     .keep_unfinished = shape.first_deadline.count() > 0};
  for (;;) {
    try {
      SharedRunReport report = on.run(tasks, options);
      add_counts(report.run.tasks_by_type, tasks_by_type);
      return report;
    } catch (const UnfinishedRun<WaitingStressTasks>& stopped) {
      if (stopped.code() != ErrorCode::kCancelled) throw;
      add_counts(stopped.tasks_by_type(), tasks_by_type);
      tasks.roots = stopped.remaining();
      options.deadline *= 2;
    }
  }
}

}  // namespace

WaitingStressResult run_waiting_stress(const examples::ExampleDevices& on,
                                       const StressShape& shape) {
  const std::size_t nodes = shape.nodes();
  const std::size_t sums = std::size_t{kCountedValues} * shape.roots;
  ForestCopies copies(shape);
  SharedSums results(nodes + sums + 1);  // WaitingForest's runs, sums and damaged.
  Tasks tasks{.roots = roots_of(shape),
              .prepare =
                  [&](Queue& queue) {
                    WaitingForest forest = copies.on(queue);
                    forest.runs = results.on(queue);
                    forest.sums = forest.runs + nodes;
                    forest.damaged = forest.sums + sums;
                    return forest;
                  },
              .finish = [&](Queue& queue) { results.take(queue); }};
  WaitingStressResult result;
  result.outcome.tasks_by_type.resize(WaitingStressTasks::kTypes);
  result.seconds = seconds_of([&] {
    result.devices = run_to_the_end(on, tasks, shape, result.outcome.tasks_by_type).devices;
  });
  const auto begin = results.totals().begin();
  const auto begin_sums = begin + static_cast<std::ptrdiff_t>(nodes);
  const auto end_sums = begin_sums + static_cast<std::ptrdiff_t>(sums);
  result.outcome.runs_of_nodes.assign(begin, begin_sums);
  result.outcome.sums.assign(begin_sums, end_sums);
  result.outcome.damaged_words = *end_sums;
  return result;
}

}  // namespace millrace::tools
