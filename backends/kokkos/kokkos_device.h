// SPDX-License-Identifier: Apache-2.0

// The CPU through an execution space of Kokkos.
#ifndef MILLRACE_BACKENDS_KOKKOS_KOKKOS_DEVICE_H_
#define MILLRACE_BACKENDS_KOKKOS_KOKKOS_DEVICE_H_

#include <millrace/backends/cpu/host/cpu_device.h>
#include <millrace/backends/kokkos/host_space_name.h>
#include <millrace/backends/kokkos/kokkos_runtime.h>
#include <millrace/backends/kokkos/kokkos_threads.h>
#include <millrace/runtime/host/host_cores.h>

#include <Kokkos_Core.hpp>

#include <memory>
#include <string>

namespace millrace::kokkos {

template <class Space>
class KokkosDevice final : public cpu::CpuDevice {
 public:
  // Requires initialize().
  KokkosDevice() : CpuDevice(describe()) {}

  // Returns the info() of the device. Before Kokkos has been initialized, the number of threads is
  // a guess.
  static DeviceInfo describe() {
    DeviceInfo info = CpuDevice::describe();
    info.backend = "kokkos";
    info.name = HostSpaceName<Space>::kDevice;
    info.description += std::string(", Kokkos::") + Space::name();
    if (HostSpaceName<Space>::kIsSerial) {
      info.compute_units = 1;
    } else {
      info.compute_units = is_initialized() ? Space().concurrency() : host_cores().usable;
    }
    return info;
  }

 private:
  std::shared_ptr<cpu::CpuThreads> make_threads(int concurrency) override {
    check_initialized();
    return std::make_shared<KokkosThreads<Space>>(Space(), concurrency);
  }
};

}  // namespace millrace::kokkos

#endif  // MILLRACE_BACKENDS_KOKKOS_KOKKOS_DEVICE_H_
