// SPDX-License-Identifier: Apache-2.0

// Streams of the simulated devices: each has a host thread that does its work in order.
#ifndef MILLRACE_BACKENDS_SIMT_HOST_STREAM_H_
#define MILLRACE_BACKENDS_SIMT_HOST_STREAM_H_

#include <millrace/backends/gpu/api_types.h>
#include <millrace/backends/simt/launch/kernel_run.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace millrace::simt {

// A point in a stream.
class Milestone {
 public:
  void reach();
  void wait();
  bool is_reached();
  std::chrono::steady_clock::time_point time();  // The point must be reached.

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_reached_ = false;
  std::chrono::steady_clock::time_point time_;
};

// May be used by any thread.
class Stream {
 public:
  explicit Stream(int device);

  // Does all enqueued work first.
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // Enqueues work. After work has thrown, the stream skips all that follows, until synchronize() or
  // is_idle() throws the error.
  void enqueue(std::function<void()> work);

  // Enqueues work that is never skipped and must not throw.
  void enqueue_always(std::function<void()> work);

  // Throws Error(kInternal) for a shape that the device cannot run, and kOutOfMemory if
  // does_launch_fail() (settings.h).
  void launch(std::function<void()> body, const gpu::LaunchShape& shape);

  void synchronize();
  bool is_idle();

  int device() const { return device_; }

 private:
  void run();
  void add(std::function<void()> work);
  void do_unless_failed(const std::function<void()>& work);
  void throw_error(std::unique_lock<std::mutex>& lock);

  const int device_;
  const std::uint64_t number_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> work_;  // The first item is being done.
  std::uint64_t launches_ = 0;
  std::exception_ptr error_;
  bool is_ending_ = false;
  std::thread thread_;
};

// Refers to the latest recording, or null before the first.
class StreamEvent {
 public:
  void record(Stream& stream);
  std::shared_ptr<Milestone> latest();

 private:
  std::mutex mutex_;
  std::shared_ptr<Milestone> latest_;
};

}  // namespace millrace::simt

namespace millrace::simt_backend {

using Stream = simt::Stream*;
Stream create_stream();
void destroy_stream(Stream stream) noexcept;
void check_stream(Stream stream);
void synchronize(Stream stream);
bool is_idle(Stream stream);
void copy(void* target, const void* source, std::size_t bytes, Stream stream);
void fill(void* target, std::byte value, std::size_t bytes, Stream stream);

// An event counts as reached before it is first recorded.
using StreamEvent = simt::StreamEvent*;
StreamEvent create_event();
void destroy_event(StreamEvent event) noexcept;
void record(StreamEvent event, Stream stream);
void wait_for(Stream stream, StreamEvent event);
bool is_reached(StreamEvent event);
void synchronize(StreamEvent event);
double seconds_between(StreamEvent first, StreamEvent last);

}  // namespace millrace::simt_backend

#endif  // MILLRACE_BACKENDS_SIMT_HOST_STREAM_H_
