// SPDX-License-Identifier: Apache-2.0

// Records a queue's operations on the timeline. Backends use it.
//
//   void SomeQueue::copy(...) {
//     const QueueSpan span(*this, "upload", "copy", bytes);
//     ...                                        // Enqueue the copy.
//   }
#ifndef MILLRACE_RUNTIME_TIMELINE_INTERNAL_QUEUE_SPAN_H_
#define MILLRACE_RUNTIME_TIMELINE_INTERNAL_QUEUE_SPAN_H_

#include <millrace/runtime/core/event.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/timeline/timeline.h>

#include <cstdint>

namespace millrace {

// Adds a span to the track "DEVICE STAGE" of the current timeline for the operations that `queue`
// is given during the object's life. Two events, one before and one behind these operations, give
// its times, from the device's own clock if it has one. It does nothing if no timeline records.
class QueueSpan {
 public:
  // `stage` and `name` must be string literals.
  QueueSpan(Queue& queue, const char* stage, const char* name, std::uint64_t bytes = 0);
  QueueSpan(const QueueSpan&) = delete;
  QueueSpan& operator=(const QueueSpan&) = delete;
  ~QueueSpan();

  // Returns true if a span on this thread would be recorded.
  static bool is_wanted();

  // Keeps the calling thread's operations off the timeline during the object's life. Its owner adds
  // more specific spans.
  class Mute {
   public:
    Mute();
    Mute(const Mute&) = delete;
    Mute& operator=(const Mute&) = delete;
    ~Mute();
  };

 private:
  Timeline* const timeline_;
  Queue& queue_;
  const char* const stage_;
  const char* const name_;
  const std::uint64_t bytes_;
  Event begin_;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TIMELINE_INTERNAL_QUEUE_SPAN_H_
