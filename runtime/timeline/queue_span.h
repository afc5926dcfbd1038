// SPDX-License-Identifier: Apache-2.0

// What a queue does, on the timeline: backends note their queues' operations.
//
//   void SomeQueue::copy(...) {
//     const QueueSpan span(*this, "upload", "copy", bytes);
//     ...                                        // Enqueues.
//   }
#ifndef MILLRACE_RUNTIME_TIMELINE_QUEUE_SPAN_H_
#define MILLRACE_RUNTIME_TIMELINE_QUEUE_SPAN_H_

#include <cstdint>

#include <millrace/runtime/core/event.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/timeline/timeline.h>

namespace millrace {

// Adds the time in which `queue` comes to, and does, what it is given during the life of this, to
// the track "DEVICE STAGE" of the current timeline, once it is over: by an event on either side,
// whose times are the device's own where it has a clock. Does nothing where no timeline records.
class QueueSpan {
 public:
  // `stage` and `name` are literals.
  QueueSpan(Queue& queue, const char* stage, const char* name, std::uint64_t bytes = 0);
  QueueSpan(const QueueSpan&) = delete;
  QueueSpan& operator=(const QueueSpan&) = delete;
  ~QueueSpan();

  // Whether one would do something on this thread.
  static bool is_wanted();

  // Keeps the calling thread's operations off the timeline during its own life: its maker adds
  // spans that say more.
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

#endif  // MILLRACE_RUNTIME_TIMELINE_QUEUE_SPAN_H_
