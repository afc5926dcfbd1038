// SPDX-License-Identifier: Apache-2.0

// The rate of arithmetic of a device, which bounds work that reads little.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_ARITHMETIC_ARITHMETIC_PROBE_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_ARITHMETIC_ARITHMETIC_PROBE_H_

#include <millrace/runtime/core/queue.h>
#include <millrace/tools/benchmarks/harness/device_sum.h>
#include <millrace/tools/benchmarks/workloads/arithmetic/arithmetic_op.h>

#include <cstdint>
#include <memory>

namespace millrace::tools {

// Used by one thread at a time. The queue must outlive it.
class ArithmeticProbe {
 public:
  ArithmeticProbe(Queue& queue, ArithmeticKind kind);

  // Returns false if the device has no such arithmetic: a GPU's backend without the kernels.
  bool is_there() const;

  // Runs once: on a CPU on a thread for each of the device's units, by the widest vectors, and on a
  // GPU on all threads that it holds. Returns its time and operations.
  ArithmeticRun run();

 private:
  ArithmeticRun run_on_cores() const;

  Queue& queue_;
  const ArithmeticKind kind_;
  const bool is_cpu_;
  const std::uint32_t iterations_;
  DeviceSum<std::uint32_t> sum_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_ARITHMETIC_ARITHMETIC_PROBE_H_
