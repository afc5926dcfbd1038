// SPDX-License-Identifier: Apache-2.0

// The kernels of arithmetic_op.h.
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/backends/gpu/run/run_buffers.h>
#include <millrace/runtime/core/internal/op_table.h>
#include <millrace/tools/benchmarks/workloads/arithmetic/arithmetic_op.h>

#include <algorithm>
#include <cstdint>

namespace millrace::MILLRACE_GPU {
namespace {

using tools::ArithmeticKind;
using tools::ArithmeticRun;
using tools::kArithmeticValues;

// Sums of neighbours, which no compiler can compute without the steps between.
MILLRACE_KERNEL void add_neighbours(std::uint32_t iterations, std::uint32_t* sum) {
  std::uint32_t values[kArithmeticValues];
  for (int i = 0; i < kArithmeticValues; ++i) {
    values[i] = static_cast<std::uint32_t>(thread_index() + i);
  }
  for (std::uint32_t step = 0; step < iterations; ++step) {
    for (int i = 0; i < kArithmeticValues; i += 2) values[i] += values[i + 1];
    for (int i = 1; i < kArithmeticValues; i += 2) {
      values[i] += values[(i + 1) % kArithmeticValues];
    }
  }
  std::uint32_t total = 0;
  for (const std::uint32_t value : values) total += value;
  if (total == 1) reduce_add(sum, total);
}

MILLRACE_KERNEL void multiply_and_add(std::uint32_t iterations, std::uint32_t* sum) {
  double values[kArithmeticValues];
  for (int i = 0; i < kArithmeticValues; ++i) values[i] = 1 + 0.1 * (thread_index() + i);
  for (std::uint32_t step = 0; step < iterations; ++step) {
    for (double& value : values) value = value * 0.999 + 0.001;
  }
  double total = 0;
  for (const double value : values) total += value;
  if (total == 0) reduce_add(sum, 1U);
}

template <class Kernel>
ArithmeticRun run_kernel(GpuQueue& queue, Kernel kernel, ArithmeticKind kind,
                         std::uint32_t iterations, std::uint32_t* sum) {
  ArithmeticRun run;
  queue.enqueue(
      [&] {
        const gpu::Properties& device = queue.gpu_device().properties();
        gpu::LaunchShape shape;
        shape.threads = std::min(256, device.max_threads_per_block);
        shape.blocks = device.multiprocessors * resident_blocks(kernel, shape.threads, 0);
        StreamTimer timer;
        timer.start(queue.stream());
        launch(kernel, shape, queue.stream(), iterations, sum);
        timer.stop(queue.stream());
        synchronize(queue.stream());
        run.seconds = timer.seconds();
        run.operations = static_cast<double>(shape.blocks) * shape.threads *
                         tools::arithmetic_operations(kind, iterations);
      },
      GpuQueue::Start::kAtWait);
  queue.wait();
  return run;
}

ArithmeticRun run_arithmetic(Queue& queue, ArithmeticKind kind, std::uint32_t iterations,
                             std::uint32_t* sum) {
  auto& gpu_queue = static_cast<GpuQueue&>(queue);
  return kind == ArithmeticKind::kAdditions
             ? run_kernel(gpu_queue, add_neighbours, kind, iterations, sum)
             : run_kernel(gpu_queue, multiply_and_add, kind, iterations, sum);
}

const RegisterOp<tools::ArithmeticOp> registered(kBackend, &run_arithmetic);

}  // namespace
}  // namespace millrace::MILLRACE_GPU
