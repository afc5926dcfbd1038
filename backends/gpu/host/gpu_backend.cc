// SPDX-License-Identifier: Apache-2.0

// Makes the GPUs of a target available as the devices "cuda:0", "hip:0", "simt:0" and so on.
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/api_check.h>
#include <millrace/backends/gpu/host/gpu_device.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/internal/op_table.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/host/process/process.h>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

// A device that does not respond is listed with the reason, so that the others keep their numbers.
DeviceInfo describe(int index) {
  try {
    return GpuDevice::describe(index);
  } catch (const Error& error) {
    return {.backend = kBackend,
            .name = std::string(kBackend) + ":" + std::to_string(index),
            .target = kBackend,
            .description = error.what()};
  }
}

std::vector<DeviceInfo> describe_all() {
  std::vector<DeviceInfo> devices;
  for (int i = 0; i < count_devices(); ++i) devices.push_back(describe(i));
  return devices;
}

// The devices found by the first query. After that the driver cannot be used in the child of a
// fork.
struct Known {
  std::vector<DeviceInfo> devices = describe_all();
  int generation = process_generation();
};

const Known& known() {
  static const Known devices;
  return devices;
}

class GpuBackend final : public Backend {
 public:
  std::string_view name() const override { return kBackend; }

  std::vector<DeviceInfo> list_devices() const override {
    // Queried once: when a device is lost, vendors may not describe the others.
    return known().devices;
  }

  std::shared_ptr<Device> open_device(int index) override {
    if (known().generation != process_generation()) {
      throw Error(ErrorCode::kDeviceLost,
                  std::string(kBackend) +
                      " was used before fork(), and GPUs stay with the parent; "
                      "the child can use CPUs, and GPUs after exec()");
    }
    const std::lock_guard lock(mutex_);
    if (open_.size() <= static_cast<std::size_t>(index)) open_.resize(index + 1);
    std::shared_ptr<Device> device = open_[index].lock();
    if (!device) open_[index] = device = std::make_shared<GpuDevice>(index);
    return device;
  }

  std::string why_empty() const override { return why_no_device(); }

 private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<Device>> open_;
};

bool enable_peer_of(Queue& queue, Device& other) {
  auto& own = static_cast<GpuQueue&>(queue).gpu_device();
  return own.with([&] { return enable_peer(static_cast<GpuDevice&>(other).index()); });
}

const RegisterBackend registered(std::make_unique<GpuBackend>());
const RegisterOp<PeerAccessOp> registered_peers(kBackend, &enable_peer_of);

}  // namespace
}  // namespace millrace::MILLRACE_GPU
