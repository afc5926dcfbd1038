// SPDX-License-Identifier: Apache-2.0

// Queue on a stream of a GPU.
#ifndef MILLRACE_BACKENDS_GPU_HOST_GPU_QUEUE_H_
#define MILLRACE_BACKENDS_GPU_HOST_GPU_QUEUE_H_

#include <millrace/backends/gpu/host/gpu_device.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/host/queue/serial_executor.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

namespace millrace::MILLRACE_GPU {

class OwnersInFlight;
class SideStreams;
class StagedCopies;

// Operations of the host and of the stream in one order. An operation of the executor either gives
// work to the stream and ends, or waits for the stream first. The former runs on the caller's
// thread if nothing is pending.
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

  // Enqueues a host operation that may give work to stream() and returns when that is done. It is
  // called with the device current. An exception that it throws becomes the queue's error. `name`,
  // a literal, is for the timeline.
  void enqueue(std::function<void()> operation, Start start, const char* name = "work");

  // Used inside such an operation only: the stream, and state that a runner keeps for the next
  // operation. The destructor clears the state when the stream is idle.
  Stream stream() const { return stream_; }
  std::shared_ptr<void>& runner_state() { return runner_state_; }

  // Used inside such an operation only: streams besides the queue's own. Their work is joined
  // before the operation ends; if the operation throws before that, the queue waits for them.
  SideStreams& side_streams();

 private:
  // Enqueues an operation that gives work to the stream; the work uses the owners' memory.
  void issue(std::function<void()> operation, MemoryOwner first, MemoryOwner second, Start start);

  // Returns the operation of a copy in which host threads take part; null for a copy that the
  // stream does alone.
  std::function<void()> host_copy(void* target, const void* source, std::size_t bytes);
  StagedCopies& staged_copies();

  // Returns the timeline stage of a copy.
  const char* stage_of(const void* target, const void* source);

  // Fills by the stream or, if only the host can reach the memory, by the host.
  void fill_anywhere(void* target, std::byte value, std::size_t bytes);

  // Waits for the stream, inside an operation, and throws the stream's errors. Does not wait if the
  // stream got no work since the last call and nobody else can have given it any.
  void settle();

  // Waits for all operations, and for the stream.
  void finish();

  const std::shared_ptr<GpuDevice> device_;
  const QueueOptions options_;
  const std::shared_ptr<SerialExecutor> executor_;
  const Stream stream_;  // The device's, or the caller's if the options have one.
  mutable std::atomic<bool> is_stream_shared_;  // True if others may give it work.
  // Used inside operations:
  bool is_settled_ = true;
  const std::unique_ptr<OwnersInFlight> owners_;
  std::unique_ptr<StagedCopies> staged_copies_;
  std::unique_ptr<SideStreams> side_streams_;
  std::shared_ptr<void> runner_state_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_HOST_GPU_QUEUE_H_
