// SPDX-License-Identifier: Apache-2.0

// A point in a stream, with the device it is on.
#ifndef MILLRACE_BACKENDS_GPU_HOST_STREAM_POINT_H_
#define MILLRACE_BACKENDS_GPU_HOST_STREAM_POINT_H_

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/gpu_device.h>

namespace millrace::MILLRACE_GPU {

// A point that could not be recorded, or whose device is lost, counts as reached: nobody is to
// wait for it for ever. Once it is recorded, all members may be called from any thread.
class StreamPoint {
 public:
  explicit StreamPoint(std::shared_ptr<GpuDevice> device) : device_(std::move(device)) {}
  StreamPoint(const StreamPoint&) = delete;
  StreamPoint& operator=(const StreamPoint&) = delete;
  ~StreamPoint();

  // Behind all work of the stream so far; once.
  void record(Stream stream);

  // Work that `stream`, of any device of this backend, is given after this starts once the point
  // is reached.
  void hold_up(Stream stream) const;

  bool is_reached() const noexcept;

  // Blocks until the point is reached.
  void wait() const noexcept;

  // When it was; nothing where the device does not know.
  std::optional<std::chrono::steady_clock::time_point> reached_at() const noexcept;

  GpuDevice& device() const { return *device_; }

 private:
  const std::shared_ptr<GpuDevice> device_;
  std::optional<StreamEvent> event_;
  bool is_recorded_ = false;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_HOST_STREAM_POINT_H_
