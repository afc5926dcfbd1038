// SPDX-License-Identifier: Apache-2.0

// Queue on a stream of a GPU.
#ifndef MILLRACE_BACKENDS_GPU_HOST_GPU_QUEUE_H_
#define MILLRACE_BACKENDS_GPU_HOST_GPU_QUEUE_H_

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

#include <millrace/backends/gpu/host/gpu_device.h>
#include <millrace/backends/gpu/host/owners_in_flight.h>
#include <millrace/backends/gpu/host/side_streams.h>
#include <millrace/backends/gpu/host/staged_copies.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/host/serial_executor.h>

namespace millrace::MILLRACE_GPU {

// Operations of the host and of the stream in one order: an operation of the executor either gives
// work to the stream and ends, which happens on the caller's thread where nothing is pending, or
// waits for the stream first.
class GpuQueue final : public Queue {
 public:
  using Start = SerialExecutor::Start;

  GpuQueue(std::shared_ptr<GpuDevice> device, const QueueOptions& options);
  ~GpuQueue() override;

  Device& device() const override { return *device_; }
  void copy(void* target, const void* source, std::size_t bytes, MemoryOwner target_owner,
            MemoryOwner source_owner) override;
  void fill(void* target, std::byte value, std::size_t bytes, MemoryOwner owner) override;
  void call(std::function<void()> function) override;
  Event record() override;
  void wait_for(const Event& event) override;
  void wait() override;
  bool has_failed() const override { return executor_->has_error() || device_->is_lost(); }

  GpuDevice& gpu_device() const { return *device_; }
  const QueueOptions& options() const { return options_; }

  std::optional<void*> native_stream() const override {
    is_stream_shared_ = true;
    return stream_;
  }

  // Enqueues an operation of the host that may give work to stream() and returns when that is
  // done. It is called with the device in use; what it throws is the queue's error. `name`, a
  // literal, is for the timeline.
  void enqueue(std::function<void()> operation, Start start, const char* name = "work");

  // Inside such an operation only: the stream, and a place for what they keep for the next one. The
  // destructor clears it with the stream idle.
  Stream stream() const { return stream_; }
  std::shared_ptr<void>& runner_state() { return runner_state_; }

  // Likewise: streams beside it. What they are given is joined before the operation ends; where it
  // throws before that, they are waited for.
  SideStreams& side_streams();

 private:
  // Enqueues an operation that gives work to the stream, which uses the owners' memory.
  void issue(std::function<void()> operation, MemoryOwner first, MemoryOwner second, Start start);

  // The operation of a copy that host threads take part in; null for one that is the stream's
  // alone.
  std::function<void()> host_copy(void* target, const void* source, std::size_t bytes);
  StagedCopies& staged_copies();

  // Where a copy belongs on the timeline.
  const char* stage_of(const void* target, const void* source);

  // The stream's fill, or the host's for memory that only the host can reach.
  void fill_anywhere(void* target, std::byte value, std::size_t bytes);

  // Waits for the stream, in an operation; throws what went wrong in it. Where the stream was given
  // nothing since, and nobody else may have given it any, there is nothing to wait for.
  void settle();

  // Has every operation end, and the stream.
  void finish();

  const std::shared_ptr<GpuDevice> device_;
  const QueueOptions options_;
  const std::shared_ptr<SerialExecutor> executor_;
  const Stream stream_;  // The device's, or the caller's where the options have one.
  mutable std::atomic<bool> is_stream_shared_;  // Others may give it work.
  // Used in operations:
  bool is_settled_ = true;
  OwnersInFlight owners_;
  std::optional<StagedCopies> staged_copies_;
  std::optional<SideStreams> side_streams_;
  std::shared_ptr<void> runner_state_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_HOST_GPU_QUEUE_H_
