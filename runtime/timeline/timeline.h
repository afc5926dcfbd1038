// SPDX-License-Identifier: Apache-2.0

// What ran when, side by side: stages of the host, uploads, computing and downloads as spans on
// tracks. Written to a file that trace viewers open by runtime/timeline/timeline_json.h.
//
//   Timeline timeline;
//   const Timeline::Recording recording(timeline);  // Pipelines of this process add to it now.
//   {
//     const TimelineScope scope("host parse", "frame 12", bytes);
//     ...
//   }
#ifndef MILLRACE_RUNTIME_TIMELINE_TIMELINE_H_
#define MILLRACE_RUNTIME_TIMELINE_TIMELINE_H_

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <millrace/runtime/core/event.h>
#include <millrace/runtime/timeline/timeline_ranges.h>

namespace millrace {

// Thread-safe. Where none records, what could be recorded costs a load of one word.
class Timeline {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Span {
    std::string track;  // "cuda:0 upload", "host produce": what happens one after another.
    std::string name;
    Time begin;
    Time end;
    std::uint64_t bytes = 0;  // What it moved or read; 0: nothing to say.
  };

  // Keeps the first `most_spans` it is given, and counts the others.
  explicit Timeline(std::size_t most_spans = std::size_t{1} << 18) : most_spans_(most_spans) {}

  // `end` before `begin`, which clocks of devices may say of something short, is taken for `begin`.
  // Without memory the span counts as left out.
  void add(Span span) noexcept;

  // Counts a span that nobody could add.
  void leave_out() noexcept;

  // Adds the span from `begin` to `end`, events of one queue, once both are reached.
  void add_when_reached(Span span, const Event& begin, const Event& end);

  // So far, in the order in which they were added.
  std::vector<Span> spans() const;
  std::uint64_t left_out() const;

  // The timeline that records what this process does; null for none.
  static Timeline* current();

  // Makes a timeline the current one for its own life. Its end waits for spans whose events are not
  // reached yet, and comes after all else that may add to it. It is the only one at a time: a
  // second throws kInvalidArgument.
  class Recording {
   public:
    explicit Recording(Timeline& timeline);
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
    ~Recording();

   private:
    Timeline& timeline_;
  };

 private:
  void await(int more);

  const std::size_t most_spans_;
  mutable std::mutex mutex_;
  std::vector<Span> spans_;
  std::uint64_t left_out_ = 0;
  int awaited_ = 0;  // Spans whose events are not reached yet.
  std::condition_variable none_awaited_;
};

// Adds its own life on a thread to the current timeline, and is a range of the vendors' profilers
// (runtime/timeline/timeline_ranges.h). Track and name outlive it.
class TimelineScope {
 public:
  TimelineScope(std::string_view track, const char* name, std::uint64_t bytes = 0);
  TimelineScope(const TimelineScope&) = delete;
  TimelineScope& operator=(const TimelineScope&) = delete;
  ~TimelineScope();

 private:
  Timeline* const timeline_;
  const TimelineRange range_;
  const std::string_view track_;
  const char* const name_;
  const std::uint64_t bytes_;
  Timeline::Time begin_;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TIMELINE_TIMELINE_H_
