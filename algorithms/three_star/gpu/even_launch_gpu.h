// SPDX-License-Identifier: Apache-2.0

// Launches kernels that do many small and even pieces of work.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GPU_EVEN_LAUNCH_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GPU_EVEN_LAUNCH_GPU_H_

#include <algorithm>
#include <cstddef>

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/gpu_queue.h>

namespace millrace::MILLRACE_GPU {

// Enqueues `body` for this many threads; if they are more than several blocks a multiprocessor,
// fewer threads do more of the work each.
template <class Body>
void enqueue_evenly(GpuQueue& queue, const char* name, std::size_t wanted_threads,
                    const Body& body) {
  const gpu::Properties& device = queue.gpu_device().properties();
  gpu::LaunchShape shape;
  shape.threads = std::min(Body::kMostThreads, device.max_threads_per_block);
  const std::size_t needed = (wanted_threads + shape.threads - 1) / shape.threads;
  const auto most = static_cast<std::size_t>(8) * device.multiprocessors;
  shape.blocks = static_cast<int>(std::min(needed, most));
  queue.enqueue([=, &queue] { launch(body_kernel<Body>, shape, queue.stream(), body); },
                GpuQueue::Start::kInline, name);
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GPU_EVEN_LAUNCH_GPU_H_
