// SPDX-License-Identifier: Apache-2.0

// The CPU through oneTBB.
#ifndef MILLRACE_BACKENDS_TBB_TBB_DEVICE_H_
#define MILLRACE_BACKENDS_TBB_TBB_DEVICE_H_

#include <millrace/backends/cpu/host/cpu_device.h>

#include <memory>

namespace millrace::tbb_backend {

class TbbDevice final : public cpu::CpuDevice {
 public:
  TbbDevice() : CpuDevice(describe()) {}

  // Returns TbbDevice::info() without opening the device.
  static DeviceInfo describe();

 private:
  std::shared_ptr<cpu::CpuThreads> make_threads(int concurrency) override;
};

}  // namespace millrace::tbb_backend

#endif  // MILLRACE_BACKENDS_TBB_TBB_DEVICE_H_
