// SPDX-License-Identifier: Apache-2.0

// A point in a stream, and the device of the stream.
#ifndef MILLRACE_BACKENDS_GPU_HOST_STREAM_POINT_H_
#define MILLRACE_BACKENDS_GPU_HOST_STREAM_POINT_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/gpu_device.h>

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

namespace millrace::MILLRACE_GPU {

// A point counts as reached if it could not be recorded or its device is lost, so that nobody waits
// for it forever. Once it is recorded, all members may be called from any thread.
class StreamPoint {
 public:
  explicit StreamPoint(std::shared_ptr<GpuDevice> device) : device_(std::move(device)) {}
  StreamPoint(const StreamPoint&) = delete;
  StreamPoint& operator=(const StreamPoint&) = delete;
  ~StreamPoint();

  // Records the point behind all current work of the stream. Called once.
  void record(Stream stream);

  // Makes later work of `stream`, which may be of any device of this backend, start after the point
  // is reached.
  void hold_up(Stream stream) const;

  bool is_reached() const noexcept;

  // Blocks until the point is reached.
  void wait() const noexcept;

  // Returns the time at which the point was reached, or nothing if the device does not know it.
  std::optional<std::chrono::steady_clock::time_point> reached_at() const noexcept;

  GpuDevice& device() const { return *device_; }

 private:
  const std::shared_ptr<GpuDevice> device_;
  std::optional<StreamEvent> event_;
  bool is_recorded_ = false;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_HOST_STREAM_POINT_H_
