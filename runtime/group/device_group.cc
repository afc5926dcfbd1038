// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/group/device_group.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <typeinfo>
#include <utility>

#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>

namespace millrace {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorCode::kInvalidArgument, message);
}

// The first error of several threads.
class FirstError {
 public:
  // Called while an exception is handled; whether it is the first.
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
      // Others carry more than a sentence, such as a stopped run its tasks.
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
  if (devices_.empty()) refuse("a group has no device; it has one or more");
  if (!options.empty() && options.size() != devices_.size()) {
    refuse("a group has " + std::to_string(devices_.size()) + " devices and " +
           std::to_string(options.size()) + " options of queues; they are as many");
  }
  for (auto device = devices_.begin(); device != devices_.end(); ++device) {
    if (*device == nullptr) refuse("a device of a group is null");
    if (std::find(devices_.begin(), device, *device) != device) {
      refuse("device '" + (*device)->info().name + "' is twice in a group");
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
      stop.request_stop();  // Those that have begun may wait for the one that is missing.
      throw Error(ErrorCode::kOutOfMemory,
                  "no thread for each device of " + name() + ": " + error.what());
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
      refuse("'" + std::string(names) +
             "' has an empty device name; names have a comma between them");
    }
    devices.push_back(open_device(name, header_version));
    begin = end + 1;
  }
  return DeviceGroup(std::move(devices));
}

}  // namespace millrace
