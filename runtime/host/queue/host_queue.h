// SPDX-License-Identifier: Apache-2.0

// A Queue of operations that the host runs, for backends whose memory is the host's.
#ifndef MILLRACE_RUNTIME_HOST_QUEUE_HOST_QUEUE_H_
#define MILLRACE_RUNTIME_HOST_QUEUE_HOST_QUEUE_H_

#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/host/queue/serial_executor.h>

#include <cstddef>
#include <functional>
#include <memory>

namespace millrace {

// Runs one operation after another, by a SerialExecutor, which also makes the events and keeps the
// first error. A class that overrides a private member calls finish() in its destructor.
class HostQueue : public Queue {
 public:
  using Start = SerialExecutor::Start;

  // `enter` is the executor's.
  explicit HostQueue(
      std::shared_ptr<Device> device,
      SerialExecutor::Enter enter = [](const std::function<void()>& work) { work(); });
  ~HostQueue() override;

  Device& device() const override { return *device_; }
  void copy(void* target, const void* source, std::size_t bytes, MemoryOwner target_owner,
            MemoryOwner source_owner) override;
  void fill(void* target, std::byte value, std::size_t bytes, MemoryOwner owner) override;
  void call(std::function<void()> function) override;
  Event record() override { return executor_->record(); }
  void wait_for(const Event& event) override;
  void wait() override;
  bool has_failed() const override { return executor_->has_error(); }

  // Enqueues an operation. An exception that it throws becomes the queue's error. `name`, a
  // literal, is for the timeline.
  void enqueue(std::function<void()> operation, Start start, const char* name = "work");

 protected:
  // Returns when all operations have ended.
  void finish() { executor_->finish(); }

 private:
  // Run an operation, and do the work of copy() and fill().
  virtual void run(const std::function<void()>& operation) { operation(); }
  virtual void copy_bytes(void* target, const void* source, std::size_t bytes);
  virtual void fill_bytes(void* target, std::byte value, std::size_t bytes);

  void push(std::function<void()> operation, Start start);

  const std::shared_ptr<Device> device_;
  const std::shared_ptr<SerialExecutor> executor_;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_QUEUE_HOST_QUEUE_H_
