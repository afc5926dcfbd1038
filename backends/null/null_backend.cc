// SPDX-License-Identifier: Apache-2.0

// Makes the device "null:0" available: the host's memory, and one thread that runs tasks. A device
// that is no part of the host has a Queue of its own in place of HostQueue.
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/host/queue/host_queue.h>

#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>
#include <string>

namespace millrace::null_backend {
namespace {

DeviceInfo describe() {
  return {.backend = "null",
          .name = "null:0",
          .target = "null",  // kTarget of task_target.h.
          .description = "one thread",
          .compute_units = 1,
          .shares_host_memory = true};
}

class NullDevice final : public Device {
 public:
  ~NullDevice() override { close_pools(); }

  const DeviceInfo& info() const override { return info_; }

  std::unique_ptr<Queue> make_queue(const QueueOptions& options) override {
    check_range("concurrency", options.concurrency, 0, 4096);
    if (options.stream)
      throw Error(ErrorCode::kUnsupported, "null:0 has no streams; leave stream empty");
    return std::make_unique<HostQueue>(shared_from_this());
  }

  void deallocate(MemorySpace, void* data, std::size_t) noexcept override {
    ::operator delete (data, std::align_val_t{kAlignment});
  }

 private:
  void* try_allocate(MemorySpace, std::size_t bytes) override {
    if (bytes == 0) return nullptr;
    // A size above PTRDIFF_MAX could wrap around when it is aligned.
    constexpr std::align_val_t kAligned{kAlignment};
    void* data = bytes > PTRDIFF_MAX ? nullptr : ::operator new(bytes, kAligned, std::nothrow);
    if (data != nullptr) return data;
    throw Error(ErrorCode::kOutOfMemory,
                "null:0 could not allocate " + std::to_string(bytes) + " bytes; allocate less");
  }

  const DeviceInfo info_ = describe();
};

class NullBackend final : public Backend {
 public:
  std::string_view name() const override { return "null"; }

  // A real backend queries its driver for devices.
  std::vector<DeviceInfo> list_devices() const override {
    return is_there() ? std::vector{describe()} : std::vector<DeviceInfo>();
  }
  std::string why_empty() const override { return is_there() ? "" : "MILLRACE_NULL is not set"; }

  std::shared_ptr<Device> open_device(int) override {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Device> device = device_.lock();
    if (!device) device_ = device = std::make_shared<NullDevice>();
    return device;
  }

 private:
  static bool is_there() { return std::getenv("MILLRACE_NULL") != nullptr; }

  std::mutex mutex_;
  std::weak_ptr<Device> device_;
};

const RegisterBackend registered(std::make_unique<NullBackend>());

}  // namespace
}  // namespace millrace::null_backend
