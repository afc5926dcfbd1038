// SPDX-License-Identifier: Apache-2.0

// A backend for tests of the registries. Its devices have a name, but neither memory nor threads.
#ifndef MILLRACE_RUNTIME_TESTING_FAKE_BACKEND_H_
#define MILLRACE_RUNTIME_TESTING_FAKE_BACKEND_H_

#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/queue.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace millrace {

class FakeDevice final : public Device {
 public:
  explicit FakeDevice(DeviceInfo info) : info_(std::move(info)) {}

  const DeviceInfo& info() const override { return info_; }
  std::unique_ptr<Queue> make_queue(const QueueOptions&) override;
  void deallocate(MemorySpace, void*, std::size_t) noexcept override {}

 private:
  void* try_allocate(MemorySpace, std::size_t) override {
    throw Error(ErrorCode::kUnsupported, "a fake device has no memory");
  }

  DeviceInfo info_;
};

// Calls functions at once and ignores all other operations.
class FakeQueue final : public Queue {
 public:
  explicit FakeQueue(std::shared_ptr<Device> device) : device_(std::move(device)) {}

  Device& device() const override { return *device_; }
  void copy(void*, const void*, std::size_t, MemoryOwner, MemoryOwner) override {}
  void fill(void*, std::byte, std::size_t, MemoryOwner) override {}
  void call(std::function<void()> function) override { function(); }
  Event record() override { return {}; }
  void wait_for(const Event&) override {}
  void wait() override {}
  bool has_failed() const override { return false; }

 private:
  std::shared_ptr<Device> device_;
};

inline std::unique_ptr<Queue> FakeDevice::make_queue(const QueueOptions&) {
  return std::make_unique<FakeQueue>(shared_from_this());
}

// Has the devices "NAME:0" to "NAME:count-1".
class FakeBackend final : public Backend {
 public:
  FakeBackend(std::string name, int count) : name_(std::move(name)) {
    for (int i = 0; i < count; ++i) {
      devices_.push_back(
          std::make_shared<FakeDevice>(DeviceInfo{.backend = name_,
                                                  .name = name_ + ":" + std::to_string(i),
                                                  .target = name_,
                                                  .description = ""}));
    }
  }

  std::string_view name() const override { return name_; }
  std::vector<DeviceInfo> list_devices() const override {
    std::vector<DeviceInfo> infos;
    for (const auto& device : devices_) infos.push_back(device->info());
    return infos;
  }
  std::shared_ptr<Device> open_device(int index) override { return devices_.at(index); }
  std::string why_empty() const override { return devices_.empty() ? "no water" : ""; }

 private:
  std::string name_;
  std::vector<std::shared_ptr<Device>> devices_;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TESTING_FAKE_BACKEND_H_
