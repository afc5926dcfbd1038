// SPDX-License-Identifier: Apache-2.0

// The device or the group of devices that a configuration runs on.
#ifndef MILLRACE_TOOLS_BENCHMARKS_RUN_DEVICE_SET_H_
#define MILLRACE_TOOLS_BENCHMARKS_RUN_DEVICE_SET_H_

#include <millrace/runtime/core/device.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {

// One device, or a group of several that share each call.
class DeviceSet {
 public:
  // One device. Implicit, because most configurations have one.
  DeviceSet(std::shared_ptr<Device> device) : devices_{std::move(device)} {}

  // At least one device.
  explicit DeviceSet(std::vector<std::shared_ptr<Device>> devices) : devices_(std::move(devices)) {}

  bool is_group() const { return devices_.size() > 1; }
  const std::shared_ptr<Device>& first() const { return devices_.front(); }
  const std::vector<std::shared_ptr<Device>>& all() const { return devices_; }

  // Returns the names, separated by commas.
  std::string name() const {
    std::string names;
    for (const auto& device : devices_) names += (names.empty() ? "" : ",") + device->info().name;
    return names;
  }

  std::vector<DeviceInfo> infos() const {
    std::vector<DeviceInfo> infos;
    for (const auto& device : devices_) infos.push_back(device->info());
    return infos;
  }

  // Returns the properties by which a workload chooses its sizes: those of the first device; a
  // group is simulated if one of its devices is, and has memory of its own if one of them has.
  DeviceInfo size_info() const {
    DeviceInfo info = first()->info();
    for (const auto& device : devices_) {
      info.is_simulated = info.is_simulated || device->info().is_simulated;
      info.shares_host_memory = info.shares_host_memory && device->info().shares_host_memory;
    }
    return info;
  }

 private:
  std::vector<std::shared_ptr<Device>> devices_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_RUN_DEVICE_SET_H_
