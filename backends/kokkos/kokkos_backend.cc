// SPDX-License-Identifier: Apache-2.0

// Makes Kokkos's execution spaces of the host available, as "kokkos:serial" and "kokkos:openmp".
// The one that Kokkos uses by default comes first, and is also "kokkos".
#include <millrace/backends/kokkos/kokkos_device.h>
#include <millrace/backends/kokkos/kokkos_runtime.h>
#include <millrace/runtime/core/backend.h>

#include <Kokkos_Core.hpp>

#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace millrace::kokkos {
namespace {

struct Space {
  DeviceInfo (*describe)();
  std::shared_ptr<Device> (*open)();
};

// Opens the device. The first call initializes Kokkos if nobody has. The last owner closes the
// device.
template <class S>
std::shared_ptr<Device> open() {
  static std::mutex mutex;
  static std::weak_ptr<Device> opened;
  initialize();
  const std::lock_guard lock(mutex);
  std::shared_ptr<Device> device = opened.lock();
  if (!device) opened = device = std::make_shared<KokkosDevice<S>>();
  return device;
}

template <class S>
Space space() {
  return {&KokkosDevice<S>::describe, &open<S>};
}

std::vector<Space> all_spaces() {
  std::vector<Space> spaces;
#ifdef KOKKOS_ENABLE_OPENMP
  spaces.push_back(space<Kokkos::OpenMP>());
#endif
#ifdef KOKKOS_ENABLE_SERIAL
  spaces.push_back(space<Kokkos::Serial>());
#endif
  return spaces;
}

class KokkosBackend final : public Backend {
 public:
  std::string_view name() const override { return "kokkos"; }

  std::vector<DeviceInfo> list_devices() const override {
    std::vector<DeviceInfo> devices;
    for (const Space& space : spaces_) devices.push_back(space.describe());
    return devices;
  }

  std::string why_empty() const override {
    return spaces_.empty() ? "this Kokkos has neither Serial nor OpenMP" : "";
  }

  std::shared_ptr<Device> open_device(int index) override {
    return spaces_.at(static_cast<std::size_t>(index)).open();
  }

 private:
  const std::vector<Space> spaces_ = all_spaces();
};

const RegisterBackend registered(std::make_unique<KokkosBackend>());

}  // namespace
}  // namespace millrace::kokkos
