// SPDX-License-Identifier: Apache-2.0

// The time at which a stream reached an event, by the host's clock.
#ifndef MILLRACE_BACKENDS_GPU_HOST_STREAMS_STREAM_CLOCK_H_
#define MILLRACE_BACKENDS_GPU_HOST_STREAMS_STREAM_CLOCK_H_

#include <millrace/backends/gpu/api.h>

#include <chrono>
#include <memory>
#include <mutex>

namespace millrace::MILLRACE_GPU {

// Thread-safe. Relates the device's clock, which times events, to the host's clock by an event
// whose host time is known to half the time of recording it and waiting for it: some microseconds.
class StreamClock {
 public:
  using Time = std::chrono::steady_clock::time_point;

  StreamClock();
  ~StreamClock();

  // Returns the time at which `event` was reached; it must be reached. Called with the device
  // current.
  Time time_of(StreamEvent event);

 private:
  class Anchor;

  std::mutex mutex_;
  std::unique_ptr<Anchor> anchor_;
  std::unique_ptr<Anchor> before_;  // The previous anchor, if any.
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_HOST_STREAMS_STREAM_CLOCK_H_
