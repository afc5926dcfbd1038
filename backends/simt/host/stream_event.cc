// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/simt/host/stream.h>
#include <millrace/backends/simt/launch/settings.h>
#include <millrace/runtime/core/error.h>

#include <utility>

namespace millrace::simt {

void Milestone::reach() {
  {
    const std::lock_guard lock(mutex_);
    is_reached_ = true;
    time_ = std::chrono::steady_clock::now();
  }
  changed_.notify_all();
}

void Milestone::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return is_reached_; });
}

bool Milestone::is_reached() {
  const std::lock_guard lock(mutex_);
  return is_reached_;
}

std::chrono::steady_clock::time_point Milestone::time() {
  const std::lock_guard lock(mutex_);
  return time_;
}

void StreamEvent::record(Stream& stream) {
  auto milestone = std::make_shared<Milestone>();
  {
    const std::lock_guard lock(mutex_);
    latest_ = milestone;
  }
  stream.enqueue_always([milestone = std::move(milestone)] { milestone->reach(); });
}

std::shared_ptr<Milestone> StreamEvent::latest() {
  const std::lock_guard lock(mutex_);
  return latest_;
}

}  // namespace millrace::simt

namespace millrace::simt_backend {

namespace {

void fail_if_set() {
  if (simt::do_events_fail()) throw Error(ErrorCode::kInternal, "events are set to fail");
}

}  // namespace

StreamEvent create_event() {
  fail_if_set();
  return new simt::StreamEvent;
}

void destroy_event(StreamEvent event) noexcept { delete event; }

void record(StreamEvent event, Stream stream) {
  fail_if_set();
  event->record(*stream);
}

void wait_for(Stream stream, StreamEvent event) {
  auto milestone = event->latest();
  if (milestone == nullptr) return;
  stream->enqueue_always([milestone = std::move(milestone)] { milestone->wait(); });
}

bool is_reached(StreamEvent event) {
  const auto milestone = event->latest();
  return milestone == nullptr || milestone->is_reached();
}

void synchronize(StreamEvent event) {
  const auto milestone = event->latest();
  if (milestone != nullptr) milestone->wait();
}

double seconds_between(StreamEvent first, StreamEvent last) {
  return std::chrono::duration<double>(last->latest()->time() - first->latest()->time()).count();
}

}  // namespace millrace::simt_backend
