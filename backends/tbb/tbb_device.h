// The CPU as a Device: every memory space is host memory.
#ifndef MILLRACE_BACKENDS_TBB_TBB_DEVICE_H_
#define MILLRACE_BACKENDS_TBB_TBB_DEVICE_H_

#include <memory>

#include <millrace/runtime/device.h>

namespace millrace::tbb_backend {

class TbbDevice final : public Device {
 public:
  TbbDevice();
  ~TbbDevice() override { close_pools(); }

  // What TbbDevice::info would say, without opening it.
  static DeviceInfo describe();

  const DeviceInfo& info() const override { return info_; }
  std::unique_ptr<Queue> make_queue(const QueueOptions& options) override;
  void deallocate(MemorySpace space, void* data, std::size_t bytes) noexcept override;

 private:
  void* try_allocate(MemorySpace space, std::size_t bytes) override;

  const DeviceInfo info_;
};

}  // namespace millrace::tbb_backend

#endif  // MILLRACE_BACKENDS_TBB_TBB_DEVICE_H_
