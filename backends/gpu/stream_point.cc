#include <millrace/backends/gpu/stream_point.h>

namespace millrace::MILLRACE_GPU {

StreamPoint::~StreamPoint() {
  if (event_) destroy_event(*event_);
}

void StreamPoint::record(Stream stream) {
  device_->with([this, stream] {
    event_ = create_event();
    MILLRACE_GPU::record(*event_, stream);
    is_recorded_ = true;
  });
}

void StreamPoint::hold_up(Stream stream) const {
  if (!is_reached()) wait_for(stream, *event_);
}

bool StreamPoint::is_reached() const noexcept {
  try {
    return !is_recorded_ || device_->with([this] { return MILLRACE_GPU::is_reached(*event_); });
  } catch (const Error&) {
    return true;
  }
}

void StreamPoint::wait() const noexcept {
  try {
    if (is_recorded_) device_->with([this] { synchronize(*event_); });
  } catch (const Error&) {  // Thrown by the queue whose work it was.
  }
}

}  // namespace millrace::MILLRACE_GPU
