// SPDX-License-Identifier: Apache-2.0

// A fixture for tests of the code of a worker, in a launch of one warp.
#ifndef MILLRACE_BACKENDS_GPU_WORKER_TEST_H_
#define MILLRACE_BACKENDS_GPU_WORKER_TEST_H_

#include <millrace/backends/gpu/device/worker_memory.h>
#include <millrace/backends/gpu/gpu_test.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::MILLRACE_GPU {

class WorkerTest : public GpuTest {
 protected:
  int warp_lanes() const { return queue->gpu_device().properties().warp_width; }

  // Returns a launch of one worker of the set, with more shared memory for each lane.
  template <class Set>
  gpu::LaunchShape one_warp(std::size_t lane_bytes = 0) const {
    const int lanes = warp_lanes();
    using Layout = WorkerLayout<Set>;
    return {.blocks = 1,
            .threads = lanes,
            .shared_bytes = Layout::kBlockBytes + Layout(lanes, lanes).worker_bytes() +
                            static_cast<std::size_t>(lanes) * lane_bytes};
  }

  // Returns device memory that is all zero.
  template <class T>
  Buffer<T> zeros(std::size_t count) {
    Buffer<T> buffer(device, MemorySpace::kDevice, count);
    fill_bytes(*queue, buffer.span(), std::byte{0});
    queue->wait();
    return buffer;
  }

  template <class T>
  Buffer<T> uploaded(const T* data, std::size_t count) {
    Buffer<T> buffer(device, MemorySpace::kDevice, count);
    copy(*queue, buffer.span(), BufferSpan<const T>(std::span(data, count)));
    queue->wait();
    return buffer;
  }

  template <class T>
  std::vector<T> downloaded(const Buffer<T>& buffer) {
    std::vector<T> host(buffer.size());
    copy(*queue, BufferSpan<T>(std::span<T>(host)), buffer.span());
    queue->wait();
    return host;
  }
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_WORKER_TEST_H_
