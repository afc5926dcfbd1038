// SPDX-License-Identifier: Apache-2.0

// Streams besides a queue's own, for kernels of one operation that need not wait for each other.
#ifndef MILLRACE_BACKENDS_GPU_HOST_SIDE_STREAMS_H_
#define MILLRACE_BACKENDS_GPU_HOST_SIDE_STREAMS_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/gpu_device.h>

#include <cstddef>
#include <deque>
#include <vector>

namespace millrace::MILLRACE_GPU {

// Not thread-safe; used and destroyed in GpuDevice::with.
class SideStreams {
 public:
  SideStreams(GpuDevice& device, Stream main);

  // Waits for the streams.
  ~SideStreams();
  SideStreams(const SideStreams&) = delete;
  SideStreams& operator=(const SideStreams&) = delete;

  // Returns `count` streams, one or more, that start after all work that the main stream has by
  // now. The first one is the main stream.
  std::vector<Stream> fork(std::size_t count);

  // Makes the main stream continue after all work that the streams of the last fork() have by now.
  void join();

  // Waits for those streams. Called after an error between fork() and join().
  void abandon();

 private:
  struct Side {
    explicit Side(GpuDevice& device);

    Stream stream;
    StreamEvent passed{};
  };

  GpuDevice& device_;
  const Stream main_;
  const StreamEvent forked_;
  std::deque<Side> sides_;
  std::size_t in_use_ = 0;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_HOST_SIDE_STREAMS_H_
