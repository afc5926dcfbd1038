// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/timeline/timeline.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <utility>

namespace millrace {
namespace {

std::atomic<Timeline*> recording_timeline = nullptr;

}  // namespace

void Timeline::add(Span span) noexcept {
  span.end = std::max(span.begin, span.end);
  const std::lock_guard lock(mutex_);
  try {
    if (spans_.size() < most_spans_) {
      spans_.push_back(std::move(span));
      return;
    }
    ++left_out_;
  } catch (const std::bad_alloc&) {
    ++left_out_;
  }
}

void Timeline::leave_out() noexcept {
  const std::lock_guard lock(mutex_);
  ++left_out_;
}

void Timeline::add_when_reached(Span span, const Event& begin, const Event& end) {
  await(1);
  try {
    end.when_ready([this, span = std::move(span), begin, end]() mutable {
      span.begin = begin.reached_at();
      span.end = end.reached_at();
      add(std::move(span));
      await(-1);
    });
  } catch (...) {
    await(-1);
    throw;
  }
}

void Timeline::await(int more) {
  const std::lock_guard lock(mutex_);
  awaited_ += more;
  if (awaited_ == 0) none_awaited_.notify_all();
}

std::vector<Timeline::Span> Timeline::spans() const {
  const std::lock_guard lock(mutex_);
  return spans_;
}

std::uint64_t Timeline::left_out() const {
  const std::lock_guard lock(mutex_);
  return left_out_;
}

Timeline* Timeline::current() { return recording_timeline.load(std::memory_order_acquire); }

Timeline::Recording::Recording(Timeline& timeline) : timeline_(timeline) {
  Timeline* none = nullptr;
  if (!recording_timeline.compare_exchange_strong(none, &timeline)) {
    reject("another timeline is being recorded; end that recording first");
  }
}

Timeline::Recording::~Recording() {
  recording_timeline.store(nullptr, std::memory_order_release);
  std::unique_lock lock(timeline_.mutex_);
  timeline_.none_awaited_.wait(lock, [this] { return timeline_.awaited_ == 0; });
}

TimelineScope::TimelineScope(std::string_view track, const char* name, std::uint64_t bytes)
    : timeline_(Timeline::current()), range_(name), track_(track), name_(name), bytes_(bytes) {
  if (timeline_ != nullptr) begin_ = Timeline::Time::clock::now();
}

TimelineScope::~TimelineScope() {
  if (timeline_ == nullptr) return;
  timeline_->add({.track = std::string(track_),
                  .name = name_,
                  .begin = begin_,
                  .end = Timeline::Time::clock::now(),
                  .bytes = bytes_});
}

}  // namespace millrace
