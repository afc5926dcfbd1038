// SPDX-License-Identifier: Apache-2.0

// The kernel of queue_loop_op.h.
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/backends/gpu/run/run_buffers.h>
#include <millrace/runtime/core/internal/op_table.h>
#include <millrace/tools/benchmarks/workloads/queues/queue_loop_op.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {
namespace {

using tools::Quad;

MILLRACE_KERNEL void sum_items(const Quad* items, std::size_t count, std::uint32_t* sum) {
  const std::size_t threads = static_cast<std::size_t>(grid_blocks()) * block_threads();
  std::size_t index = static_cast<std::size_t>(block_index()) * block_threads() + thread_index();
  std::uint32_t total = 0;
  for (; index < count; index += threads) total += tools::sum_of(items[index]);
  for (int distance = warp_width() / 2; distance > 0; distance /= 2) {
    total += shuffle_down(total, distance);
  }
  if (lane_index() == 0) reduce_add(sum, total);
}

double run_sum_loop(Queue& queue, const Quad* items, std::size_t count, std::uint32_t* sum) {
  auto& gpu_queue = static_cast<GpuQueue&>(queue);
  double seconds = 0;
  gpu_queue.enqueue(
      [&] {
        const gpu::Properties& device = gpu_queue.gpu_device().properties();
        gpu::LaunchShape shape;
        shape.threads = std::min(256, device.max_threads_per_block);
        shape.blocks = device.multiprocessors * resident_blocks(sum_items, shape.threads, 0);
        StreamTimer timer;
        timer.start(gpu_queue.stream());
        launch(sum_items, shape, gpu_queue.stream(), items, count, sum);
        timer.stop(gpu_queue.stream());
        synchronize(gpu_queue.stream());
        seconds = timer.seconds();
      },
      GpuQueue::Start::kAtWait);
  queue.wait();
  return seconds;
}

const RegisterOp<tools::QueueLoopOp> registered(kBackend, &run_sum_loop);

}  // namespace
}  // namespace millrace::MILLRACE_GPU
