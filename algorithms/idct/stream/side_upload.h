// SPDX-License-Identifier: Apache-2.0

// Uploads what a chunk of macroblocks needs besides its coefficients: transform sizes, and a
// prediction in host memory.
#ifndef MILLRACE_ALGORITHMS_IDCT_STREAM_SIDE_UPLOAD_H_
#define MILLRACE_ALGORITHMS_IDCT_STREAM_SIDE_UPLOAD_H_

#include <millrace/algorithms/idct/stream/host_run.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/event.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace millrace::idct {

// Has memory for a number of chunks in flight, and a queue of its own. Copies nothing on a device
// that shares the host's memory.
class SideUpload {
 public:
  SideUpload(std::shared_ptr<Device> device, std::size_t chunk_macroblocks, int slots);

  // Begins a run, which takes memory for predictions if it has some.
  void begin(const HostRun& run);

  // Enqueues the copies of a chunk in host memory. Returns it in memory that the device reads.
  HostChunk upload(int slot, const HostChunk& chunk);

  // Returns the event that is reached once the slot's chunk is uploaded.
  const Event& uploaded(int slot) const { return chunks_[slot].uploaded; }

  // Returns the bytes that were copied since begin().
  std::uint64_t bytes() const { return bytes_; }

  // Returns the queue of the copies.
  Queue& queue() const { return *queue_; }

 private:
  struct ChunkMemory {
    Buffer<TransformSize> pinned_sizes;
    Buffer<TransformSize> sizes;
    Buffer<std::uint8_t> prediction;
    Event uploaded;
  };

  const std::shared_ptr<Device> device_;
  const bool copies_;
  const std::size_t chunk_macroblocks_;
  std::vector<ChunkMemory> chunks_;  // Empty buffers if nothing is copied.
  const std::unique_ptr<Queue> queue_;
  std::uint64_t bytes_ = 0;
};

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_STREAM_SIDE_UPLOAD_H_
