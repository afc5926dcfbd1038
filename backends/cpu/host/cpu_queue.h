// SPDX-License-Identifier: Apache-2.0

// A Queue on threads of the CPU.
#ifndef MILLRACE_BACKENDS_CPU_HOST_CPU_QUEUE_H_
#define MILLRACE_BACKENDS_CPU_HOST_CPU_QUEUE_H_

#include <millrace/backends/cpu/host/cpu_threads.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/host/serial_executor.h>

#include <functional>
#include <memory>

namespace millrace::cpu {

// The target of code that is compiled for the CPU: see DeviceInfo::target.
inline constexpr const char* kTarget = "cpu";

class CpuQueue final : public Queue {
 public:
  using Start = SerialExecutor::Start;

  CpuQueue(std::shared_ptr<Device> device, std::shared_ptr<CpuThreads> threads);
  ~CpuQueue() override;

  Device& device() const override { return *device_; }
  void copy(void* target, const void* source, std::size_t bytes, MemoryOwner target_owner,
            MemoryOwner source_owner) override;
  void fill(void* target, std::byte value, std::size_t bytes, MemoryOwner owner) override;
  void call(std::function<void()> function) override;
  Event record() override { return executor_->record(); }
  void wait_for(const Event& event) override;
  void wait() override;
  bool has_failed() const override { return executor_->has_error(); }

  // Enqueues an operation that runs on the queue's threads. An exception that it throws becomes the
  // queue's error. `name`, a literal, is for the timeline.
  void enqueue(std::function<void()> operation, Start start, const char* name = "work");

  // Used in operations: the threads exist while one runs.
  CpuThreads& threads() const { return *threads_; }

 private:
  void push(std::function<void()> operation, Start start);

  const std::shared_ptr<Device> device_;
  const std::shared_ptr<CpuThreads> threads_;
  const std::shared_ptr<SerialExecutor> executor_;
};

// Returns the threads of a queue whose device's target is kTarget.
inline CpuThreads& threads_of(const Queue& queue) {
  return static_cast<const CpuQueue&>(queue).threads();
}

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_HOST_CPU_QUEUE_H_
