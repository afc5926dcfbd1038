// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/gpu/host/streams/stream_clock.h>

#include <algorithm>
#include <utility>

namespace millrace::MILLRACE_GPU {

// An event in an idle stream, and the host's time of it.
class StreamClock::Anchor {
 public:
  Anchor() : stream_(create_stream()) {
    try {
      event_ = create_event();
      drop();
    } catch (...) {
      raise();
      throw;
    }
  }
  Anchor(const Anchor&) = delete;
  Anchor& operator=(const Anchor&) = delete;
  ~Anchor() { raise(); }

  // Records a new event, in a round that is about as fast as the fastest: the host's time of the
  // event lies within the round.
  void drop() {
    constexpr int kMinRounds = 3;
    constexpr int kMaxRounds = 20;
    auto quickest = Time::duration::max();
    for (int round = 1; round <= kMaxRounds; ++round) {
      const Time begin = Time::clock::now();
      record(event_, stream_);
      synchronize(event_);
      const auto took = Time::clock::now() - begin;
      time_ = begin + took / 2;
      if (round >= kMinRounds && took <= quickest + quickest / 4) break;
      quickest = std::min(quickest, took);
    }
  }

  std::chrono::duration<double> until(StreamEvent event) const {
    return std::chrono::duration<double>(seconds_between(event_, event));
  }

  Time time() const { return time_; }

 private:
  void raise() noexcept {
    if (event_ != StreamEvent{}) destroy_event(event_);
    destroy_stream(stream_);
  }

  const Stream stream_;
  StreamEvent event_{};
  Time time_;
};

StreamClock::StreamClock() = default;
StreamClock::~StreamClock() = default;

StreamClock::Time StreamClock::time_of(StreamEvent event) {
  const std::lock_guard lock(mutex_);
  if (!anchor_) anchor_ = std::make_unique<Anchor>();
  auto later = anchor_->until(event);
  const Anchor* anchor = anchor_.get();
  // Times before the anchor are computed from the previous anchor, as they were before this anchor
  // existed. So a new anchor does not change the order of times that were returned earlier.
  if (later < later.zero() && before_) {
    anchor = before_.get();
    later = before_->until(event);
  }
  const Time result = anchor->time() + std::chrono::duration_cast<Time::clock::duration>(later);
  // Vendors return times between events in single precision, and the clocks drift.
  constexpr std::chrono::seconds kHold{4};
  if (anchor == anchor_.get() && later > kHold) {
    std::swap(anchor_, before_);
    if (anchor_) {
      anchor_->drop();
    } else {
      anchor_ = std::make_unique<Anchor>();
    }
  }
  return result;
}

}  // namespace millrace::MILLRACE_GPU
