// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/internal/op_table.h>
#include <millrace/runtime/group/device_group.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <typeinfo>
#include <utility>

namespace millrace {
namespace {

// Keeps the first error of several threads.
class FirstError {
 public:
  // Must be called while an exception is handled. Returns true if it is the first.
  bool keep_current(const std::string& device) {
    const std::lock_guard lock(mutex_);
    if (error_) return false;
    error_ = std::current_exception();
    device_ = device;
    return true;
  }

  void throw_if_any() const {
    if (!error_) return;
    try {
      std::rethrow_exception(error_);
    } catch (const Error& error) {
      // Derived errors carry more than a message, such as the tasks of a stopped run.
      if (typeid(error) != typeid(Error)) throw;
      throw Error(error.code(), device_ + ": " + error.what(), error.detail(), error.where());
    }
  }

 private:
  std::mutex mutex_;
  std::exception_ptr error_;
  std::string device_;
};

}  // namespace

DeviceGroup::DeviceGroup(std::vector<std::shared_ptr<Device>> devices,
                         std::span<const QueueOptions> options)
    : devices_(std::move(devices)) {
  if (devices_.empty()) reject("a group has no device; it needs at least one");
  if (!options.empty() && options.size() != devices_.size()) {
    reject("the group has " + std::to_string(devices_.size()) + " devices but " +
           std::to_string(options.size()) + " queue options; the numbers must match");
  }
  for (auto device = devices_.begin(); device != devices_.end(); ++device) {
    if (*device == nullptr) {
      reject("device " + std::to_string(device - devices_.begin()) +
             " of the group is null; give an open device");
    }
    if (std::find(devices_.begin(), device, *device) != device) {
      reject("device '" + (*device)->info().name +
             "' is listed twice; a group may have each device once");
    }
  }
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    queues_.push_back(devices_[i]->make_queue(options.empty() ? QueueOptions{} : options[i]));
  }
}

std::vector<DeviceInfo> DeviceGroup::infos() const {
  std::vector<DeviceInfo> infos;
  for (const auto& device : devices_) infos.push_back(device->info());
  return infos;
}

std::string DeviceGroup::name() const {
  std::string names;
  for (const auto& device : devices_) names += (names.empty() ? "" : ",") + device->info().name;
  return names;
}

void DeviceGroup::wait() const {
  std::exception_ptr error;
  for (const auto& queue : queues_) {
    try {
      queue->wait();
    } catch (...) {
      if (!error) error = std::current_exception();
    }
  }
  if (error) std::rethrow_exception(error);
}

void DeviceGroup::run(const std::function<void(std::size_t, const std::stop_token&)>& work) const {
  FirstError first;
  std::stop_source stop;
  const auto work_on = [&](std::size_t index) {
    try {
      work(index, stop.get_token());
    } catch (...) {
      if (first.keep_current(devices_[index]->info().name)) stop.request_stop();
    }
  };
  {
    std::vector<std::jthread> threads;
    try {
      for (std::size_t i = 1; i < size(); ++i) threads.emplace_back(work_on, i);
    } catch (const std::exception& error) {
      stop.request_stop();  // Running threads may wait for the missing one.
      throw Error(ErrorCode::kOutOfMemory,
                  "cannot start a thread for each device of " + name() + ": " + error.what());
    }
    work_on(0);
  }
  first.throw_if_any();
}

DeviceGroup open_device_group(std::string_view names, int header_version) {
  std::vector<std::shared_ptr<Device>> devices;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    const std::string_view name = names.substr(begin, end - begin);
    if (name.empty()) {
      reject("'" + std::string(names) + "' has an empty device name; separate names by one comma");
    }
    devices.push_back(open_device(name, header_version));
    begin = end + 1;
  }
  return DeviceGroup(std::move(devices));
}

bool can_copy_from(Queue& queue, Device& other) {
  const DeviceInfo& own = queue.device().info();
  if (own.shares_host_memory || other.info().shares_host_memory) return false;
  if (own.target != other.info().target) return false;
  auto* const enable = OpTable<PeerAccessOp>::find(queue);
  return enable != nullptr && enable(queue, other);
}

}  // namespace millrace
