// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/recursion/fibonacci.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/tools/benchmarks/harness/device_sum.h>
#include <millrace/tools/benchmarks/peers/fork_join_peers.h>
#include <millrace/tools/benchmarks/peers/program_peer.h>
#include <millrace/tools/benchmarks/workloads/device_limits.h>
#include <millrace/tools/benchmarks/workloads/joins/fibonacci_pair_tasks.h>
#include <millrace/tools/benchmarks/workloads/joins/join_workloads.h>
#include <millrace/tools/benchmarks/workloads/joins/value_runs.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

// Calls of the recursive function, leaves included: 2 fib(n + 1) - 1.
double calls(int n) { return 2 * static_cast<double>(examples::fibonacci_by_additions(n + 1)) - 1; }

// The strategy whose calls return pairs of words; the others return a word.
constexpr char k16ByteValues[] = "16-byte-values";

// Waves keep the joins of half of all calls at a time: beyond this n they take more memory than
// devices have.
constexpr int kMostInWaves = 36;

bool has_memory_for(const DeviceInfo& device, Policy policy, int n) {
  const bool runs_waves = policy == Policy::kUberkernel || policy == Policy::kKernelPerType;
  return !runs_waves || n <= kMostInWaves || device.shares_host_memory;
}

// Adds runs whose calls return pairs.
void add_pairs(PreparedWork& prepared, const std::shared_ptr<Queue>& queue, int n) {
  const FibonacciPair right = {examples::fibonacci_by_additions(n),
                               static_cast<std::uint64_t>(calls(n))};
  ValueRuns<FibonacciPair> runs(right, {calls(n), 0, kTaskLimit}, [](const FibonacciPair& value) {
    return std::to_string(value.number) + " by " + std::to_string(value.calls) + " calls";
  });
  const auto result = std::make_shared<DeviceSum<FibonacciPair>>(*queue);
  for (const Policy policy : kAllPolicies) {
    if (!has_memory_for(queue->device().info(), policy, n)) continue;
    runs.add(policy, [=] {
      result->clear();
      return timed([&] {
        const FibonacciPairStart start{result->data(), static_cast<std::uint32_t>(n)};
        run_tasks(*queue, TaskList<FibonacciPairTasks>(start), {.policy = policy});
        return result->value();
      });
    });
  }
  PreparedWork pairs = runs.take();
  for (WorkRun& run : pairs.runs) {
    run.strategy = k16ByteValues;
    prepared.runs.push_back(std::move(run));
  }
}

PreparedWork prepare_calls(const std::shared_ptr<Device>& device, int n) {
  const std::shared_ptr<Queue> queue = device->make_queue();
  ValueRuns<std::uint64_t> runs(examples::fibonacci_by_additions(n), {calls(n), 0, kTaskLimit},
                                [](std::uint64_t value) { return std::to_string(value); });
  for (const Policy policy : kAllPolicies) {
    if (!has_memory_for(device->info(), policy, n)) continue;
    runs.add(policy, [=] {
      return timed([&] {
        return examples::compute_fibonacci(*queue, {.n = n, .run = {.policy = policy}}).value;
      });
    });
  }
  if (device->info().shares_host_memory && !device->info().is_simulated) {
    for (const ForkJoinPeer& peer : fork_join_peers()) {
      runs.add_peer(peer.name, [=] { return timed([&] { return peer.fibonacci(n); }); });
    }
    if (const std::optional<ProgramPeer> peer = program_peer()) {
      runs.add_peer(peer->name, [=] {
        const ProgramPeer::Result result = peer->run(n);
        return TimedValue<std::uint64_t>{result.value, result.seconds};
      });
    }
  }
  PreparedWork prepared = runs.take();
  add_pairs(prepared, queue, n);
  return prepared;
}

}  // namespace

Workload fibonacci_workload() {
  Workload workload;
  workload.name = "joins-fibonacci";
  workload.what = "the calls of Fibonacci number SIZE, without a cut-off, each a task with a join";
  workload.item_name = "calls";
  workload.strategies = {k16ByteValues};
  workload.sizes = SizeChoice{.cpu = {30, 36}, .gpu = {30, 40}, .quick = 20, .simulated = 8};
  workload.size_rule = "is 2 to 40";
  workload.is_size = [](std::uint64_t size) { return size >= 2 && size <= 40; };
  workload.prepare = [](const std::shared_ptr<Device>& device, const std::string&,
                        std::uint64_t size) {
    return prepare_calls(device, static_cast<int>(size));
  };
  return workload;
}

}  // namespace millrace::tools
