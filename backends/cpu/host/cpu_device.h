// SPDX-License-Identifier: Apache-2.0

// The CPU as a Device: every memory space is host memory.
#ifndef MILLRACE_BACKENDS_CPU_HOST_CPU_DEVICE_H_
#define MILLRACE_BACKENDS_CPU_HOST_CPU_DEVICE_H_

#include <memory>
#include <utility>

#include <millrace/backends/cpu/host/cpu_threads.h>
#include <millrace/runtime/core/device.h>

namespace millrace::cpu {

// What a backend's device adds is its threads.
class CpuDevice : public Device {
 public:
  // What every device of the CPU says of itself; the rest of it is its backend's.
  static DeviceInfo describe();

  explicit CpuDevice(DeviceInfo info) : info_(std::move(info)) {}
  ~CpuDevice() override { close_pools(); }

  const DeviceInfo& info() const override { return info_; }
  std::unique_ptr<Queue> make_queue(const QueueOptions& options) override;
  void deallocate(MemorySpace space, void* data, std::size_t bytes) noexcept override;

 private:
  // `concurrency` is QueueOptions', and in its range.
  virtual std::shared_ptr<CpuThreads> make_threads(int concurrency) = 0;

  void* try_allocate(MemorySpace space, std::size_t bytes) override;

  const DeviceInfo info_;
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_HOST_CPU_DEVICE_H_
