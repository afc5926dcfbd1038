// SPDX-License-Identifier: Apache-2.0

// A GPU as a Device.
#ifndef MILLRACE_BACKENDS_GPU_HOST_GPU_DEVICE_H_
#define MILLRACE_BACKENDS_GPU_HOST_GPU_DEVICE_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/error.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

namespace millrace::MILLRACE_GPU {

class StreamClock;
class StreamWatcher;

class GpuDevice final : public Device {
 public:
  explicit GpuDevice(int index);
  ~GpuDevice() override;

  // Returns the info() of that device without opening it.
  static DeviceInfo describe(int index);

  const DeviceInfo& info() const override { return info_; }
  std::unique_ptr<Queue> make_queue(const QueueOptions& options) override;
  void deallocate(MemorySpace space, void* data, std::size_t bytes) noexcept override;

  const gpu::Properties& properties() const { return properties_; }

  // The vendor's number of the device.
  int index() const { return index_; }

  // Returns work(), called with this device current on the calling thread. All GPU calls for the
  // device are made in here. A kDeviceLost thrown by one marks the device lost.
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

  // Does the same for callers that cannot handle an error. Returns true if there was none.
  template <class Work>
  bool try_with(const Work& work) noexcept {
    try {
      with(work);
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  // After this call, make_queue and allocate throw kDeviceLost with the first reason given. Other
  // devices are not affected.
  void mark_lost(const std::string& reason);

  bool is_lost() const { return is_lost_.load(std::memory_order_acquire); }

  // Returns an idle stream: a spare one or a new one. Creating one takes a vendor as long as a
  // small sort.
  Stream take_stream();
  void give_back(Stream stream) noexcept;

  // Returns an event to be recorded: a spare one or a new one. Called in with(). Waits that have
  // begun for an earlier recording of the event stay valid.
  StreamEvent take_event();
  void give_back(StreamEvent event) noexcept;

  // The times at which this device's streams reached events.
  StreamClock& clock();

  // Callbacks for points of this device's streams.
  StreamWatcher& watcher();

 private:
  struct Streams;  // The spare handles, the clock and the watcher.

  void* try_allocate(MemorySpace space, std::size_t bytes) override;
  void check_not_lost() const;

  // Throws kDeviceLost in the child of a fork: the vendor's library, and the objects that this one
  // refers to, remained with the parent.
  void check_not_forked() const;

  // Returns null if memory is short.
  void* allocate_if_free(MemorySpace space, std::size_t bytes);
  std::string describe_free_memory(MemorySpace space);

  const int index_;
  const int generation_;
  const gpu::Properties properties_;
  const DeviceInfo info_;
  std::once_flag lost_once_;
  std::string lost_reason_;  // Not written after is_lost_ is set.
  std::atomic<bool> is_lost_ = false;
  const std::unique_ptr<Streams> streams_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_HOST_GPU_DEVICE_H_
