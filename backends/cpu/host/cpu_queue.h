// SPDX-License-Identifier: Apache-2.0

// A Queue on threads of the CPU.
#ifndef MILLRACE_BACKENDS_CPU_HOST_CPU_QUEUE_H_
#define MILLRACE_BACKENDS_CPU_HOST_CPU_QUEUE_H_

#include <millrace/backends/cpu/host/cpu_threads.h>
#include <millrace/runtime/host/queue/host_queue.h>

#include <cstddef>
#include <functional>
#include <memory>

namespace millrace::cpu {

// The target of code that is compiled for the CPU: see DeviceInfo::target.
inline constexpr const char* kTarget = "cpu";

class CpuQueue final : public HostQueue {
 public:
  CpuQueue(std::shared_ptr<Device> device, std::shared_ptr<CpuThreads> threads);
  ~CpuQueue() override { finish(); }

  // Used in operations: the threads exist while one runs.
  CpuThreads& threads() const { return *threads_; }

 private:
  void run(const std::function<void()>& operation) override;
  void copy_bytes(void* target, const void* source, std::size_t bytes) override;
  void fill_bytes(void* target, std::byte value, std::size_t bytes) override;

  const std::shared_ptr<CpuThreads> threads_;
};

// Returns the threads of a queue whose device's target is kTarget.
inline CpuThreads& threads_of(const Queue& queue) {
  return static_cast<const CpuQueue&>(queue).threads();
}

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_HOST_CPU_QUEUE_H_
