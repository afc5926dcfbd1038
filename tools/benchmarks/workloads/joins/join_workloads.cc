// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/joins/join_workloads.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <millrace/docs/examples/recursion/fibonacci.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/peers/fork_join_peers.h>
#include <millrace/tools/benchmarks/workloads/device_limits.h>
#include <millrace/tools/benchmarks/workloads/joins/cholesky_workload.h>
#include <millrace/tools/benchmarks/workloads/joins/merge_sort_workload.h>

namespace millrace::tools {
namespace {

// Runs that compute a number of Fibonacci, each call a task.
class FibonacciRuns {
 public:
  explicit FibonacciRuns(int n) : n_(n), right_(examples::fibonacci_by_additions(n)) {}

  // `compute` returns the number.
  WorkRun run_of(const std::function<std::uint64_t()>& compute) const {
    const FibonacciRuns runs = *this;
    return {.check =
                [runs, compute] {
                  runs.expect(compute());
                  return RunAmount{runs.calls(), 0, kTaskLimit};
                },
            .run =
                [runs, compute] {
                  std::uint64_t value = 0;
                  const double seconds = seconds_of([&] { value = compute(); });
                  runs.expect(value);
                  return seconds;
                }};
  }

 private:
  void expect(std::uint64_t value) const {
    if (value == right_) return;
    throw Error(ErrorCode::kInternal,
                "the value is " + std::to_string(value) + "; right is " + std::to_string(right_));
  }

  // Calls of the recursive function, leaves included: 2 fib(n + 1) - 1.
  double calls() const {
    return 2 * static_cast<double>(examples::fibonacci_by_additions(n_ + 1)) - 1;
  }

  int n_;
  std::uint64_t right_;
};

PreparedWork prepare_fibonacci(const std::shared_ptr<Device>& device, int n) {
  const std::shared_ptr<Queue> queue = device->make_queue();
  const FibonacciRuns runs(n);
  PreparedWork prepared;
  for (const Policy policy : kAllPolicies) {
    prepared.runs.push_back(runs.run_of([=] {
      return examples::compute_fibonacci(*queue, {.n = n, .run = {.policy = policy}}).value;
    }));
    prepared.runs.back().policy = to_string(policy);
  }
  if (!device->info().shares_host_memory || device->info().is_simulated) return prepared;
  for (const ForkJoinPeer& peer : fork_join_peers()) {
    prepared.runs.push_back(runs.run_of([=] { return peer.fibonacci(n); }));
    prepared.runs.back().peer = peer.name;
  }
  return prepared;
}

}  // namespace

std::vector<Workload> join_workloads() {
  Workload fibonacci;
  fibonacci.name = "joins-fibonacci";
  fibonacci.what = "the calls of a number of Fibonacci, without a cut-off, each a task with a join";
  fibonacci.item_name = "calls";
  fibonacci.sizes = SizeChoice{.cpu = {24, 30}, .gpu = {24, 30, 35}, .quick = 20, .simulated = 8};
  fibonacci.size_rule = "is 2 to 40";
  fibonacci.is_size = [](std::uint64_t size) { return size >= 2 && size <= 40; };
  fibonacci.prepare = [](const std::shared_ptr<Device>& device, const std::string&,
                         std::uint64_t size) {
    return prepare_fibonacci(device, static_cast<int>(size));
  };
  return {fibonacci, cholesky_workload(), merge_sort_workload()};
}

}  // namespace millrace::tools
