// SPDX-License-Identifier: Apache-2.0

// The memory that a queue's runs use, one after another. It is allocated once, and grows when a run
// needs more.
#ifndef MILLRACE_BACKENDS_GPU_RUN_RUN_BUFFERS_H_
#define MILLRACE_BACKENDS_GPU_RUN_RUN_BUFFERS_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/control/host_control.h>
#include <millrace/backends/gpu/device/control/run_control.h>
#include <millrace/backends/gpu/device/control/shard.h>
#include <millrace/backends/gpu/device/run_memory.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/backends/gpu/run/join_buffers.h>
#include <millrace/backends/gpu/run/level_buffers.h>
#include <millrace/backends/gpu/run/worker_records.h>
#include <millrace/runtime/core/buffer.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace millrace::MILLRACE_GPU {

// Memory of one space that grows. Growing loses its contents, so the stream must be idle.
class GrowingMemory {
 public:
  GrowingMemory(std::shared_ptr<Device> device, MemorySpace space)
      : device_(std::move(device)), space_(space) {}

  // Returns at least `bytes` bytes. The contents are lost if `bytes` exceeds size(). Throws
  // kOutOfMemory.
  char* at_least(std::size_t bytes);
  std::size_t size() const { return memory_.size(); }

 private:
  const std::shared_ptr<Device> device_;
  const MemorySpace space_;
  Buffer<char> memory_;
};

// Two points of a stream, and the time between them.
class StreamTimer {
 public:
  StreamTimer() : begin_(create_event()), end_(create_event()) {}
  StreamTimer(const StreamTimer&) = delete;
  StreamTimer& operator=(const StreamTimer&) = delete;
  ~StreamTimer() {
    destroy_event(begin_);
    destroy_event(end_);
  }

  void start(Stream stream) { record(begin_, stream); }
  void stop(Stream stream) { record(end_, stream); }

  // The stream must have passed both points.
  double seconds() const { return seconds_between(begin_, end_); }

 private:
  StreamEvent begin_;
  StreamEvent end_;
};

// The shape of a launch, and its workers.
struct LaunchGrid {
  gpu::LaunchShape shape;
  int workers = 0;          // Workers of all blocks.
  std::size_t scratch = 0;  // Bytes of device memory for scratch; 0 if it is in shared memory.
};

// Used inside operations of its queue only.
class RunBuffers {
 public:
  // Returns the buffers of `queue`, which its first run creates.
  static RunBuffers& of(GpuQueue& queue);

  explicit RunBuffers(GpuQueue& queue);

  // Clears the memory that workers share. A launch on the same stream must follow.
  void clear();

  // Notes that the last launch has cleared the memory, which it does if it ran to its end.
  void note_cleared() { is_clear_ = host().finished != 0; }

  // The words that host and device write to each other. The host's words are zero after clear().
  HostControl& host() { return *host_.data(); }
  RunControl* control() { return &shared_.data()->control; }
  std::uint64_t* used_chunks() { return &shared_.data()->used_chunks; }
  Shard* shards() { return reinterpret_cast<Shard*>(shared_.data() + 1); }
  std::uint32_t shard_count() const { return shard_count_; }
  const SpillRing& ring() const { return ring_; }

  // Device memory for waiting tasks, of the size that the queue was made with.
  char* task_memory();
  std::size_t task_bytes() const { return task_bytes_; }

  // Copies Context::arguments() of a run to the device, unless they are those of the last run.
  // Throws kOutOfMemory. The stream is idle before and afterwards.
  const void* upload_arguments(const void* arguments, std::size_t bytes);

  bool has_launched = false;    // True once tasks of the run may have run.
  GrowingMemory roots;          // The roots of a list, on the device.
  GrowingMemory pinned_roots;   // The roots of a short list, which kernels read from pinned memory.
  GrowingMemory spread;         // Tasks of a Frontier that stay on the device.
  GrowingMemory pinned_spread;  // Its other tasks.
  GrowingMemory order;          // Indices of roots by type.
  GrowingMemory scratch;
  GrowingMemory collected;  // Used by join_collection.h.
  WorkerRecords records;
  JoinBuffers joins;
  LevelBuffers levels;
  StreamTimer timer;
  // Indexed by kernel, threads and maximum number of blocks.
  std::map<std::tuple<const void*, int, int>, LaunchGrid> grids;

 private:
  struct Shared {  // Shards follow.
    RunControl control;
    alignas(128) std::uint64_t used_chunks;
  };

  GpuQueue& queue_;
  bool is_clear_ = false;
  const std::uint32_t shard_count_;
  const std::size_t task_bytes_;
  Buffer<Shared> shared_;
  Buffer<HostControl> host_;
  Buffer<SpillSlot> ring_slots_;
  Buffer<std::uint64_t> ring_head_;
  Buffer<SpillEnds> ring_ends_;
  Buffer<char> task_memory_;
  GrowingMemory arguments_;
  std::vector<std::byte> uploaded_arguments_;  // Copy of the arguments on the device.
  SpillRing ring_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_RUN_RUN_BUFFERS_H_
