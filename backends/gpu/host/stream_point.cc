// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/gpu/host/stream_point.h>
#include <millrace/backends/gpu/host/streams/stream_clock.h>

namespace millrace::MILLRACE_GPU {

StreamPoint::~StreamPoint() {
  if (event_) device_->give_back(*event_);
}

void StreamPoint::record(Stream stream) {
  device_->with([this, stream] {
    event_ = device_->take_event();
    MILLRACE_GPU::record(*event_, stream);
    is_recorded_ = true;
  });
}

void StreamPoint::hold_up(Stream stream) const {
  if (!is_reached()) wait_for(stream, *event_);
}

bool StreamPoint::is_reached() const noexcept {
  bool result = true;
  if (is_recorded_) device_->try_with([&] { result = MILLRACE_GPU::is_reached(*event_); });
  return result;
}

void StreamPoint::wait() const noexcept {
  if (is_recorded_) device_->try_with([this] { synchronize(*event_); });
}

std::optional<std::chrono::steady_clock::time_point> StreamPoint::reached_at() const noexcept {
  std::optional<std::chrono::steady_clock::time_point> result;
  if (is_recorded_) device_->try_with([&] { result = device_->clock().time_of(*event_); });
  return result;
}

}  // namespace millrace::MILLRACE_GPU
