// SPDX-License-Identifier: Apache-2.0

// Several devices that work on one call together: GPUs, GPUs and the CPU, any mix. What takes a
// Queue takes a group in its place where it can share its work.
//
//   DeviceGroup group = open_device_group("cuda:0,cuda:1,tbb");
//   count_three_stars(group, points, {.radius = 50});
#ifndef MILLRACE_RUNTIME_GROUP_DEVICE_GROUP_H_
#define MILLRACE_RUNTIME_GROUP_DEVICE_GROUP_H_

#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/version.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

// Devices, each once, and a queue of each. Move-only. Calls on a group come one at a time, as it
// works on all its queues; that may be on any thread.
class DeviceGroup {
 public:
  // `options` are the devices' queues', in turn; none: the defaults. Throws kInvalidArgument for no
  // device, a device that is there twice or is null, and another number of options; what make_queue
  // throws.
  explicit DeviceGroup(std::vector<std::shared_ptr<Device>> devices,
                       std::span<const QueueOptions> options = {});

  std::size_t size() const { return devices_.size(); }
  const std::shared_ptr<Device>& device(std::size_t index) const { return devices_[index]; }
  Queue& queue(std::size_t index) const { return *queues_[index]; }
  const std::vector<std::shared_ptr<Device>>& devices() const { return devices_; }

  // What each device is.
  std::vector<DeviceInfo> infos() const;

  // Those of its devices, as open_device_group() takes them.
  std::string name() const;

  // Throws what Queue::wait of its first failed queue throws, once all are empty.
  void wait() const;

  // Calls work(i, stop) for each device, on a thread of its own each (the first on the caller's),
  // and returns when all have ended. Once one has thrown, a stop is requested of the others; what
  // it threw is thrown, an Error that is only that with the device's name before its sentence.
  // Throws kOutOfMemory where a thread cannot be made, likewise once all that have begun have
  // ended.
  void run(const std::function<void(std::size_t, const std::stop_token&)>& work) const;

 private:
  std::vector<std::shared_ptr<Device>> devices_;
  std::vector<std::unique_ptr<Queue>> queues_;
};

// Of names with commas between them, as open_device() takes each. Throws what open_device() throws,
// and kInvalidArgument for an empty name and a device that is named twice, be it by two names.
DeviceGroup open_device_group(std::string_view names, int header_version = MILLRACE_VERSION);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_GROUP_DEVICE_GROUP_H_
