// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/tools/benchmarks/harness/device_sum.h>
#include <millrace/tools/benchmarks/harness/device_values.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/peers/sum_peer.h>
#include <millrace/tools/benchmarks/workloads/device_limits.h>
#include <millrace/tools/benchmarks/workloads/tasks/sum_tasks.h>
#include <millrace/tools/benchmarks/workloads/tasks/sum_workloads.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <string>

namespace millrace::tools {
namespace {

// Runs tasks that sum `count` values.
using RunSum = RunReport (*)(Queue& queue, const SumArguments& arguments, std::size_t count,
                             const RunOptions& options);

// A shape of the tasks that sum n values, and the peer that does the same.
struct Shape {
  const char* name;
  const char* what;
  RunSum run;
  std::uint64_t (*tasks)(std::uint64_t count);
  SumPeer peer;
};

RunReport run_flat(Queue& queue, const SumArguments& arguments, std::size_t count,
                   const RunOptions& options) {
  return run_tasks(queue, IndexedTasks<FlatSum>{.count = count, .arguments = arguments}, options);
}

RunReport run_spawn(Queue& queue, const SumArguments& arguments, std::size_t count,
                    const RunOptions& options) {
  return run_tasks(queue, TaskList<FanSum>(SpawnAll{arguments, count}), options);
}

RunReport run_halves(Queue& queue, const SumArguments& arguments, std::size_t count,
                     const RunOptions& options) {
  return run_tasks(queue,
                   TaskList<TreeSum>(SpawnHalves{arguments, 0, static_cast<std::uint32_t>(count)}),
                   options);
}

// The values 1 to `count` and their sum, in a device's memory.
class Sums {
 public:
  Sums(const std::shared_ptr<Device>& device, const Shape& shape, std::size_t count)
      : queue_(device->make_queue()),
        shape_(shape),
        values_(to_device(*queue_, first_numbers(count))),
        sum_(*queue_) {}

  // Returns the seconds of a run under the policy.
  double run(Policy policy) {
    sum_.clear();
    RunReport report;
    const double seconds = seconds_of([&] {
      report =
          shape_.run(*queue_, {values_.data(), sum_.data()}, values_.size(), {.policy = policy});
    });
    expect("the number of tasks", report.tasks(), tasks());
    expect("the sum", static_cast<std::uint64_t>(sum_.value()), right_sum());
    return seconds;
  }

  // Returns the seconds of a run by the peer. The device's memory must be the host's.
  double run_peer() {
    std::int64_t sum = 0;
    const double seconds = seconds_of([&] {
      sum = shape_.peer.sum({values_.data(), values_.size()});
    });
    expect("the peer's sum", static_cast<std::uint64_t>(sum), right_sum());
    return seconds;
  }

  RunAmount amount() const { return {static_cast<double>(tasks()), 0, kTaskLimit}; }

 private:
  static std::vector<std::int64_t> first_numbers(std::size_t count) {
    std::vector<std::int64_t> values(count);
    std::iota(values.begin(), values.end(), 1);
    return values;
  }

  static void expect(const char* what, std::uint64_t found, std::uint64_t right) {
    if (found == right) return;
    throw Error(ErrorCode::kInternal, std::string(what) + " is " + std::to_string(found) +
                                          "; right is " + std::to_string(right));
  }

  std::uint64_t tasks() const { return shape_.tasks(values_.size()); }
  std::uint64_t right_sum() const {
    const std::uint64_t count = values_.size();
    return count * (count + 1) / 2;
  }

  const std::shared_ptr<Queue> queue_;
  const Shape shape_;
  const Buffer<std::int64_t> values_;
  DeviceSum<std::int64_t> sum_;
};

// `run` checks itself.
WorkRun checked(const std::shared_ptr<Sums>& sums, const std::function<double()>& run) {
  return {.check =
              [=] {
                run();
                return sums->amount();
              },
          .run = run};
}

PreparedWork prepare_sums(const std::shared_ptr<Device>& device, const Shape& shape,
                          std::size_t count) {
  const auto sums = std::make_shared<Sums>(device, shape, count);
  PreparedWork prepared;
  for (const Policy policy : kAllPolicies) {
    prepared.runs.push_back(checked(sums, [=] { return sums->run(policy); }));
    prepared.runs.back().policy = to_string(policy);
  }
  if (device->info().shares_host_memory) {
    prepared.runs.push_back(checked(sums, [=] { return sums->run_peer(); }));
    prepared.runs.back().peer = shape.peer.name;
  }
  return prepared;
}

Workload sum_workload(const Shape& shape, const SizeChoice& sizes) {
  Workload workload;
  workload.name = shape.name;
  workload.what = shape.what;
  workload.item_name = "tasks";
  workload.sizes = sizes;
  workload.size_rule = "is at most 100000000";
  workload.is_size = [](std::uint64_t size) { return size <= 100'000'000; };
  workload.prepare = [shape](const std::shared_ptr<Device>& device, const std::string&,
                             std::uint64_t size) { return prepare_sums(device, shape, size); };
  return workload;
}

}  // namespace

std::vector<Workload> sum_workloads() {
  const Shape flat = {"tasks-empty-flat", "a flat queue that sums SIZE numbers, a task each",
                      &run_flat, [](std::uint64_t count) { return count; }, kParallelForSum};
  const Shape spawn = {"tasks-empty-spawn", "the same tasks, all spawned by one", &run_spawn,
                       [](std::uint64_t count) { return count + 1; }, kTaskGroupSum};
  const Shape halves = {"tasks-empty-halves", "the same sum, by tasks that halve their range",
                        &run_halves, [](std::uint64_t count) { return 2 * count - 1; },
                        kHalvedTaskGroupSum};
  SizeChoice sizes{.cpu = {1'000'000}, .gpu = {1'000'000}, .quick = 100'000, .simulated = 500};
  const Workload first = sum_workload(flat, sizes);
  const Workload last = sum_workload(halves, sizes);
  sizes.gpu = {100'000};  // One lane spawns them all.
  return {first, sum_workload(spawn, sizes), last};
}

}  // namespace millrace::tools
