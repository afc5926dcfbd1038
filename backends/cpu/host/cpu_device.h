// SPDX-License-Identifier: Apache-2.0

// The CPU as a Device: every memory space is host memory.
#ifndef MILLRACE_BACKENDS_CPU_HOST_CPU_DEVICE_H_
#define MILLRACE_BACKENDS_CPU_HOST_CPU_DEVICE_H_

#include <millrace/backends/cpu/host/cpu_threads.h>
#include <millrace/runtime/core/device.h>

#include <memory>
#include <utility>

namespace millrace::cpu {

// The part of a CPU device that all backends share. A backend's own device adds its threads.
class CpuDevice : public Device {
 public:
  // Returns the information that is the same for all CPU devices. The backend sets the rest.
  static DeviceInfo describe();

  explicit CpuDevice(DeviceInfo info) : info_(std::move(info)) {}
  ~CpuDevice() override { close_pools(); }

  const DeviceInfo& info() const override { return info_; }
  std::unique_ptr<Queue> make_queue(const QueueOptions& options) override;
  void deallocate(MemorySpace space, void* data, std::size_t bytes) noexcept override;

 private:
  // `concurrency` is that of QueueOptions, within its range.
  virtual std::shared_ptr<CpuThreads> make_threads(int concurrency) = 0;

  void* try_allocate(MemorySpace space, std::size_t bytes) override;

  const DeviceInfo info_;
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_HOST_CPU_DEVICE_H_
