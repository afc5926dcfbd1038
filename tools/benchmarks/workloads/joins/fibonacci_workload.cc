// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/recursion/fibonacci.h>
#include <millrace/tools/benchmarks/peers/fork_join_peers.h>
#include <millrace/tools/benchmarks/workloads/device_limits.h>
#include <millrace/tools/benchmarks/workloads/joins/join_workloads.h>
#include <millrace/tools/benchmarks/workloads/joins/value_runs.h>

#include <cstdint>
#include <memory>
#include <string>

namespace millrace::tools {
namespace {

// Calls of the recursive function, leaves included: 2 fib(n + 1) - 1.
double calls(int n) { return 2 * static_cast<double>(examples::fibonacci_by_additions(n + 1)) - 1; }

// Waves keep the joins of half of all calls at a time: beyond this n they take more memory than
// devices have.
constexpr int kMostInWaves = 36;

PreparedWork prepare(const std::shared_ptr<Device>& device, int n) {
  const std::shared_ptr<Queue> queue = device->make_queue();
  ValueRuns<std::uint64_t> runs(examples::fibonacci_by_additions(n), {calls(n), 0, kTaskLimit},
                                [](std::uint64_t value) { return std::to_string(value); });
  for (const Policy policy : kAllPolicies) {
    const bool runs_waves = policy == Policy::kUberkernel || policy == Policy::kKernelPerType;
    if (runs_waves && n > kMostInWaves && !device->info().shares_host_memory) continue;
    runs.add(policy, [=] {
      return timed([&] {
        return examples::compute_fibonacci(*queue, {.n = n, .run = {.policy = policy}}).value;
      });
    });
  }
  if (!device->info().shares_host_memory || device->info().is_simulated) return runs.take();
  for (const ForkJoinPeer& peer : fork_join_peers()) {
    runs.add_peer(peer.name, [=] { return timed([&] { return peer.fibonacci(n); }); });
  }
  return runs.take();
}

}  // namespace

Workload fibonacci_workload() {
  Workload workload;
  workload.name = "joins-fibonacci";
  workload.what = "the calls of Fibonacci number SIZE, without a cut-off, each a task with a join";
  workload.item_name = "calls";
  workload.sizes = SizeChoice{.cpu = {30, 36}, .gpu = {30, 40}, .quick = 20, .simulated = 8};
  workload.size_rule = "is 2 to 40";
  workload.is_size = [](std::uint64_t size) { return size >= 2 && size <= 40; };
  workload.prepare = [](const std::shared_ptr<Device>& device, const std::string&,
                        std::uint64_t size) { return prepare(device, static_cast<int>(size)); };
  return workload;
}

}  // namespace millrace::tools
