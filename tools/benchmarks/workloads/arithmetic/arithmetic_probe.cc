// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/internal/op_table.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/arithmetic/arithmetic_probe.h>
#include <millrace/tools/benchmarks/workloads/arithmetic/arithmetic_simd.h>

#include <algorithm>
#include <barrier>
#include <thread>
#include <vector>

namespace millrace::tools {
namespace {

// Some hundreds of microseconds, beside which a launch is little.
std::uint32_t iterations_for(const DeviceInfo& device) {
  constexpr std::uint32_t kOfDevice = 100'000;
  constexpr std::uint32_t kOfSimulated = 10;
  return device.is_simulated ? kOfSimulated : kOfDevice;
}

}  // namespace

ArithmeticProbe::ArithmeticProbe(Queue& queue, ArithmeticKind kind)
    : queue_(queue),
      kind_(kind),
      is_cpu_(queue.device().info().shares_host_memory && !queue.device().info().is_simulated),
      iterations_(iterations_for(queue.device().info())),
      sum_(queue) {}

bool ArithmeticProbe::is_there() const {
  return is_cpu_ || OpTable<ArithmeticOp>::find(queue_) != nullptr;
}

ArithmeticRun ArithmeticProbe::run() {
  if (is_cpu_) return run_on_cores();
  return OpTable<ArithmeticOp>::at(queue_)(queue_, kind_, iterations_, sum_.data());
}

// The threads begin together, and the time ends with the last of them.
ArithmeticRun ArithmeticProbe::run_on_cores() const {
  const int cores = std::max(queue_.device().info().compute_units, 1);
  std::vector<double> results(static_cast<std::size_t>(cores));
  std::barrier start(cores + 1);
  std::vector<std::jthread> threads;
  for (double& result : results) {
    threads.emplace_back([&, this] {
      start.arrive_and_wait();
      result = calculate(kind_, iterations_);
    });
  }
  ArithmeticRun run;
  run.seconds = seconds_of([&] {
    start.arrive_and_wait();
    for (std::jthread& thread : threads) thread.join();
  });
  run.operations = cores * arithmetic_lanes(kind_) * arithmetic_operations(kind_, iterations_);
  return run;
}

}  // namespace millrace::tools
