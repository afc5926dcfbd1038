// SPDX-License-Identifier: Apache-2.0

// A GPU as a Device.
#ifndef MILLRACE_BACKENDS_GPU_HOST_GPU_DEVICE_H_
#define MILLRACE_BACKENDS_GPU_HOST_GPU_DEVICE_H_

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/spares.h>
#include <millrace/backends/gpu/host/stream_clock.h>
#include <millrace/backends/gpu/host/stream_watcher.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/error.h>

namespace millrace::MILLRACE_GPU {

class GpuDevice final : public Device {
 public:
  explicit GpuDevice(int index);
  ~GpuDevice() override;

  // What info() of that device would say, without opening it.
  static DeviceInfo describe(int index);

  const DeviceInfo& info() const override { return info_; }
  std::unique_ptr<Queue> make_queue(const QueueOptions& options) override;
  void deallocate(MemorySpace space, void* data, std::size_t bytes) noexcept override;

  const gpu::Properties& properties() const { return properties_; }

  // By which the vendor calls it.
  int index() const { return index_; }

  // Returns work(), called with this device in use on the calling thread. All GPU calls for the
  // device are made in here: a kDeviceLost that comes out of one marks the device lost.
  template <class Work>
  auto with(const Work& work) {
    try {
      check_not_forked();
      const DeviceScope scope(index_);
      return work();
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kDeviceLost) mark_lost(error.what());
      throw;
    }
  }

  // The same for those who can do nothing about an error; whether there was none.
  template <class Work>
  bool try_with(const Work& work) noexcept {
    try {
      with(work);
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  // From now on make_queue and allocate throw kDeviceLost with the first reason given. Other
  // devices go on.
  void mark_lost(const std::string& reason);

  bool is_lost() const { return is_lost_.load(std::memory_order_acquire); }

  // A stream with nothing in it: one that was given back, or a new one, which takes a vendor as
  // long as a small sort.
  Stream take_stream();
  void give_back(Stream stream) noexcept;

  // An event to be recorded, one that was given back or a new one. To be called in with(). Waits
  // for what it stood for before go on.
  StreamEvent take_event();
  void give_back(StreamEvent event) noexcept;

  // Tells when points of this device's streams were reached.
  StreamClock& clock() { return clock_; }

  // Calls back for points of this device's streams.
  StreamWatcher& watcher() { return watcher_; }

 private:
  void* try_allocate(MemorySpace space, std::size_t bytes) override;
  void check_not_lost() const;

  // Throws kDeviceLost in the child of a fork: the vendor's library, and all that this object
  // stands for, stayed with the parent.
  void check_not_forked() const;

  // Null where there is no room.
  void* allocate_if_free(MemorySpace space, std::size_t bytes);
  std::string describe_room(MemorySpace space);

  const int index_;
  const int generation_;
  const gpu::Properties properties_;
  const DeviceInfo info_;
  std::once_flag lost_once_;
  std::string lost_reason_;  // Not written any more once is_lost_.
  std::atomic<bool> is_lost_ = false;
  Spares<Stream> spare_streams_{64};
  Spares<StreamEvent> spare_events_{256};
  StreamClock clock_;
  StreamWatcher watcher_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_HOST_GPU_DEVICE_H_
