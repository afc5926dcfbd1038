// SPDX-License-Identifier: Apache-2.0

// A group is several devices, of any mix of GPUs and the CPU, that work on one call together. A
// function whose work can be divided takes a group instead of a Queue.
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

// Holds different devices and one queue of each. Move-only. A call on a group uses all its queues,
// so there may be one call at a time, from any thread.
class DeviceGroup {
 public:
  // Makes a queue of each device, with the options of the same index, or with the defaults if
  // `options` is empty. Throws kInvalidArgument if `devices` is empty, contains null or contains a
  // device twice, or if the numbers of devices and options differ. Throws what make_queue throws.
  explicit DeviceGroup(std::vector<std::shared_ptr<Device>> devices,
                       std::span<const QueueOptions> options = {});

  std::size_t size() const { return devices_.size(); }
  const std::shared_ptr<Device>& device(std::size_t index) const { return devices_[index]; }
  Queue& queue(std::size_t index) const { return *queues_[index]; }
  const std::vector<std::shared_ptr<Device>>& devices() const { return devices_; }

  // Returns the properties of each device.
  std::vector<DeviceInfo> infos() const;

  // Returns the names of the devices, separated by commas, as open_device_group() takes them.
  std::string name() const;

  // Waits for all queues. Throws the error of the first queue that has failed, once all are empty.
  void wait() const;

  // Calls work(i, stop) for each device i, each on a thread of its own except the first, which runs
  // on the caller's. Returns when all have ended. Once a call throws, `stop` is requested for the
  // others, and that exception is thrown when they have ended; the name of the device is put before
  // the message of a plain Error. Throws kOutOfMemory, in the same way, if a thread cannot be
  // started.
  void run(const std::function<void(std::size_t, const std::stop_token&)>& work) const;

 private:
  std::vector<std::shared_ptr<Device>> devices_;
  std::vector<std::unique_ptr<Queue>> queues_;
};

// Opens the devices of a list of names separated by commas, each as open_device() takes it. Throws
// what open_device() throws, and kInvalidArgument for an empty name and for a device that is listed
// twice, even by two names.
DeviceGroup open_device_group(std::string_view names, int header_version = MILLRACE_VERSION);

// Returns true if queues of this device copy between its memory and that of `other` without the
// host, at the speed of the devices' connection. It enables these copies. False if either device
// has no memory of its own.
bool can_copy_from(Queue& queue, Device& other);

// The OpTable entry of a target whose devices have memory of their own. It receives another device
// of that target and returns the result of can_copy_from().
struct PeerAccessOp {
  using Function = bool(Queue&, Device& other);
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_GROUP_DEVICE_GROUP_H_
