// SPDX-License-Identifier: Apache-2.0

// A timeline records stages of the host, uploads, computing and downloads as spans on tracks.
// runtime/timeline/internal/timeline_json.h writes it to a file that trace viewers open.
//
//   Timeline timeline;
//   const Timeline::Recording recording(timeline);  // Queues and pipelines add spans from now on.
//   {
//     const TimelineScope scope("host parse", "frame 12", bytes);
//     ...
//   }
#ifndef MILLRACE_RUNTIME_TIMELINE_TIMELINE_H_
#define MILLRACE_RUNTIME_TIMELINE_TIMELINE_H_

#include <millrace/runtime/core/event.h>
#include <millrace/runtime/timeline/internal/timeline_ranges.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

// Thread-safe. While no timeline records, each operation costs one load more.
class Timeline {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Span {
    std::string track;  // Name for spans that follow one another, such as "cuda:0 upload".
    std::string name;
    Time begin;
    Time end;
    std::uint64_t bytes = 0;  // Bytes that were copied or read; 0 if not applicable.
  };

  // Keeps the first `most_spans` spans and counts the others.
  explicit Timeline(std::size_t most_spans = std::size_t{1} << 18) : most_spans_(most_spans) {}

  // Adds a span. Clocks of devices may give a short span an `end` before its `begin`; `end` is then
  // set to `begin`. If memory runs out, the span is counted as left out.
  void add(Span span) noexcept;

  // Counts a span that could not be added.
  void leave_out() noexcept;

  // Adds the span from `begin` to `end`, two events of one queue, once both are ready.
  void add_when_reached(Span span, const Event& begin, const Event& end);

  // Returns the spans so far, in the order in which they were added.
  std::vector<Span> spans() const;

  // Returns the number of spans that were not kept.
  std::uint64_t left_out() const;

  // Returns the timeline that records the operations of this process, or null.
  static Timeline* current();

  // Makes a timeline the current one during the object's life. There can be one at a time: a second
  // throws kInvalidArgument. The destructor waits for spans whose events are not ready; everything
  // else that may add spans must have ended before.
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
  int awaited_ = 0;  // Number of spans whose events are not ready yet.
  std::condition_variable none_awaited_;
};

// Adds a span of the object's own life to the current timeline, and opens a range of the vendors'
// profilers (runtime/timeline/internal/timeline_ranges.h). Track and name must outlive it.
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
