// SPDX-License-Identifier: Apache-2.0

// Keeps memory alive while a stream works on it.
#ifndef MILLRACE_BACKENDS_GPU_HOST_OWNERS_IN_FLIGHT_H_
#define MILLRACE_BACKENDS_GPU_HOST_OWNERS_IN_FLIGHT_H_

#include <millrace/backends/gpu/host/stream_point.h>
#include <millrace/runtime/core/queue.h>

#include <deque>
#include <memory>
#include <utility>

namespace millrace::MILLRACE_GPU {

// The owners of the memory that the operations of one stream use. Not thread-safe.
class OwnersInFlight {
 public:
  explicit OwnersInFlight(std::shared_ptr<GpuDevice> device) : device_(std::move(device)) {}

  // Keeps both owners until `stream` has passed all work it has been given. Either may be empty.
  void keep(const MemoryOwner& first, const MemoryOwner& second, Stream stream);

  // Releases the owners of the work that the stream has passed.
  void release();

 private:
  struct Kept {
    std::unique_ptr<StreamPoint> until;
    MemoryOwner first;
    MemoryOwner second;
  };

  const std::shared_ptr<GpuDevice> device_;
  std::deque<Kept> kept_;  // Stored in the order of the stream.
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_HOST_OWNERS_IN_FLIGHT_H_
