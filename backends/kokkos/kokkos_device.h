// The CPU through an execution space of Kokkos.
#ifndef MILLRACE_BACKENDS_KOKKOS_KOKKOS_DEVICE_H_
#define MILLRACE_BACKENDS_KOKKOS_KOKKOS_DEVICE_H_

#include <Kokkos_Core.hpp>

#include <memory>
#include <string>
#include <thread>

#include <millrace/backends/cpu/cpu_device.h>
#include <millrace/backends/kokkos/kokkos_runtime.h>
#include <millrace/backends/kokkos/kokkos_threads.h>

namespace millrace::kokkos {

// What a space is called behind "kokkos:", and whether it has one thread.
template <class Space>
struct SpaceName {};
#ifdef KOKKOS_ENABLE_SERIAL
template <>
struct SpaceName<Kokkos::Serial> {
  static constexpr const char* kName = "serial";
  static constexpr bool kIsSerial = true;
};
#endif
#ifdef KOKKOS_ENABLE_OPENMP
template <>
struct SpaceName<Kokkos::OpenMP> {
  static constexpr const char* kName = "openmp";
  static constexpr bool kIsSerial = false;
};
#endif

template <class Space>
class KokkosDevice final : public cpu::CpuDevice {
 public:
  // After initialize().
  KokkosDevice() : CpuDevice(describe()) {}

  // What info() would say. Before Kokkos has been initialised its number of threads is a guess.
  static DeviceInfo describe() {
    DeviceInfo info = CpuDevice::describe();
    info.backend = "kokkos";
    info.name = std::string("kokkos:") + SpaceName<Space>::kName;
    info.description += std::string(", Kokkos::") + Space::name();
    if (SpaceName<Space>::kIsSerial) {
      info.compute_units = 1;
    } else {
      info.compute_units = is_initialized() ? Space().concurrency()
                                            : static_cast<int>(std::thread::hardware_concurrency());
    }
    return info;
  }

 private:
  std::shared_ptr<cpu::CpuThreads> make_threads(int concurrency) override {
    check_initialized();
    return std::make_shared<KokkosThreads<Space>>(Space(), concurrency);
  }
};

// The process's device of a space; opened with the first call, which initialises Kokkos if nobody
// has, and closed with the last who holds it. Throws what initialize() throws.
template <class Space>
std::shared_ptr<Device> open_space() {
  static std::mutex mutex;
  static std::weak_ptr<Device> opened;
  initialize();
  const std::lock_guard lock(mutex);
  std::shared_ptr<Device> device = opened.lock();
  if (!device) opened = device = std::make_shared<KokkosDevice<Space>>();
  return device;
}

}  // namespace millrace::kokkos

#endif  // MILLRACE_BACKENDS_KOKKOS_KOKKOS_DEVICE_H_
