// SPDX-License-Identifier: Apache-2.0

// Copies between pageable host memory and a device, at several times the rate of the driver's own.
#ifndef MILLRACE_BACKENDS_GPU_HOST_STAGED_COPIES_H_
#define MILLRACE_BACKENDS_GPU_HOST_STAGED_COPIES_H_

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/gpu_device.h>
#include <millrace/runtime/core/buffer.h>

namespace millrace::MILLRACE_GPU {

// Of one stream: a ring of pinned slots, which the process's host threads fill or empty while the
// stream copies others. No host thread ever waits for the stream, so one that is held up holds up
// no other stream's copies. Not thread-safe; used and destroyed in GpuDevice::with.
class StagedCopies {
 public:
  // The ring is of the device's pool of pinned memory.
  StagedCopies(GpuDevice& device, Stream stream);

  // All of the stream's copies are over.
  ~StagedCopies() = default;
  StagedCopies(const StagedCopies&) = delete;
  StagedCopies& operator=(const StagedCopies&) = delete;

  // Returns once `source` has been read and the stream given the rest. After an error the stream
  // does nothing more with either.
  void upload(void* target, const void* source, std::size_t bytes);

  // Returns once `target` is written.
  void download(void* target, const void* source, std::size_t bytes);

 private:
  struct Slot {
    explicit Slot(std::byte* slot_memory) : memory(slot_memory), passed(create_event()) {}
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;
    ~Slot() { destroy_event(passed); }

    std::byte* const memory;
    const StreamEvent passed;   // The stream has done with it what it was last given.
    bool is_with_host = false;  // Guarded by mutex_.
  };
  struct Chunk {
    std::byte* target;
    const std::byte* source;
    std::size_t bytes;
  };
  class HostStep;
  class StreamStep;

  template <class First, class Second>
  void take_through(void* target, const void* source, std::size_t bytes, First first,
                    Second second);

  // A host thread has done with a slot.
  void end(Slot& slot);

  // Until no host thread works on a slot.
  void wait_for_host();

  GpuDevice& device_;
  const Stream stream_;
  Buffer<std::byte> ring_;
  std::deque<Slot> slots_;
  std::mutex mutex_;
  std::condition_variable changed_;  // A slot is not with the host any more.
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_HOST_STAGED_COPIES_H_
