// SPDX-License-Identifier: Apache-2.0

// Makes the CPU available through oneTBB, as the device "tbb".
#include <millrace/backends/tbb/tbb_device.h>
#include <millrace/runtime/core/backend.h>

#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace millrace::tbb_backend {
namespace {

class TbbBackend final : public Backend {
 public:
  std::string_view name() const override { return "tbb"; }

  std::vector<DeviceInfo> list_devices() const override { return {TbbDevice::describe()}; }

  std::shared_ptr<Device> open_device(int) override {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Device> device = device_.lock();
    if (!device) device_ = device = std::make_shared<TbbDevice>();
    return device;
  }

 private:
  std::mutex mutex_;
  std::weak_ptr<Device> device_;
};

const RegisterBackend registered(std::make_unique<TbbBackend>());

}  // namespace
}  // namespace millrace::tbb_backend
