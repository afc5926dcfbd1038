// SPDX-License-Identifier: Apache-2.0

// Copies between pageable host memory and a device, at several times the rate of the driver's own.
#ifndef MILLRACE_BACKENDS_GPU_HOST_STAGED_COPIES_H_
#define MILLRACE_BACKENDS_GPU_HOST_STAGED_COPIES_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/gpu_device.h>
#include <millrace/runtime/core/buffer.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>

namespace millrace::MILLRACE_GPU {

// The staged copies of one stream: a ring of pinned buffers. Host threads of the process fill or
// empty some buffers while the stream copies others. No host thread waits for the stream, so a
// stalled stream does not delay the copies of others. Not thread-safe; used and destroyed in
// GpuDevice::with.
class StagedCopies {
 public:
  // Takes the ring from the device's pool of pinned memory.
  StagedCopies(GpuDevice& device, Stream stream);

  // All copies of the stream must have completed.
  ~StagedCopies() = default;
  StagedCopies(const StagedCopies&) = delete;
  StagedCopies& operator=(const StagedCopies&) = delete;

  // Returns once `source` has been read and the stream has been given the rest. After an error the
  // stream no longer uses either array.
  void upload(void* target, const void* source, std::size_t bytes);

  // Returns once `target` has been written.
  void download(void* target, const void* source, std::size_t bytes);

 private:
  struct StagingBuffer {
    explicit StagingBuffer(std::byte* its_memory) : memory(its_memory), passed(create_event()) {}
    StagingBuffer(const StagingBuffer&) = delete;
    StagingBuffer& operator=(const StagingBuffer&) = delete;
    ~StagingBuffer() { destroy_event(passed); }

    std::byte* const memory;
    const StreamEvent passed;   // Reached when the stream no longer uses the buffer.
    bool is_with_host = false;  // Guarded by mutex_.
  };
  // The copy of a chunk in one step.
  struct ChunkCopy {
    std::byte* target;
    const std::byte* source;
    std::size_t bytes;
  };
  class HostStep;
  class StreamStep;

  template <class First, class Second>
  void take_through(void* target, const void* source, std::size_t bytes, First first,
                    Second second);

  // Called by a host thread that no longer uses a buffer.
  void end(StagingBuffer& buffer);

  // Waits until no host thread uses a buffer.
  void wait_for_host();

  GpuDevice& device_;
  const Stream stream_;
  Buffer<std::byte> ring_;
  std::deque<StagingBuffer> buffers_;
  std::mutex mutex_;
  std::condition_variable changed_;  // Notified when a host thread releases a buffer.
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_HOST_STAGED_COPIES_H_
