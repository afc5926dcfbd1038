// SPDX-License-Identifier: Apache-2.0

// Launches of kernels that do many small pieces of work of equal size.
#ifndef MILLRACE_BACKENDS_GPU_HOST_EVEN_LAUNCH_H_
#define MILLRACE_BACKENDS_GPU_HOST_EVEN_LAUNCH_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/gpu_queue.h>

#include <algorithm>
#include <cstddef>

namespace millrace::MILLRACE_GPU {

// Largest number of blocks per multiprocessor of an even launch; more blocks would only wait.
inline constexpr int kEvenBlocks = 8;

// Returns the shape of a launch of at least `target_threads` threads or, if these are more than
// kEvenBlocks blocks per multiprocessor, of fewer threads, each of which then does more of the
// work. Blocks have up to `block_threads` threads.
inline gpu::LaunchShape even_shape(const gpu::Properties& device, int block_threads,
                                   std::size_t target_threads) {
  gpu::LaunchShape shape;
  shape.threads = std::min(block_threads, device.max_threads_per_block);
  const std::size_t needed = (target_threads + shape.threads - 1) / shape.threads;
  const auto most = static_cast<std::size_t>(kEvenBlocks) * device.multiprocessors;
  shape.blocks = static_cast<int>(std::clamp<std::size_t>(needed, 1, most));
  return shape;
}

// Enqueues `body` (see body_kernel in api.h) in a launch of even_shape() for `target_threads`.
template <class Body>
void enqueue_evenly(GpuQueue& queue, const char* name, std::size_t target_threads,
                    const Body& body) {
  const gpu::LaunchShape shape =
      even_shape(queue.gpu_device().properties(), Body::kMaxThreads, target_threads);
  queue.enqueue([=, &queue] { launch(body_kernel<Body>, shape, queue.stream(), body); },
                GpuQueue::Start::kInline, name);
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_HOST_EVEN_LAUNCH_H_
