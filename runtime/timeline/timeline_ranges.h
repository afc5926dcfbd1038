// SPDX-License-Identifier: Apache-2.0

// Ranges of the vendors' profilers: NVTX, roctx. Whoever links a backend that has them gets them.
#ifndef MILLRACE_RUNTIME_TIMELINE_TIMELINE_RANGES_H_
#define MILLRACE_RUNTIME_TIMELINE_TIMELINE_RANGES_H_

namespace millrace {

// Opens and closes nested ranges on the calling thread; called from any thread, also where no
// profiler listens, and then cheap. Must not throw.
class TimelineRanges {
 public:
  virtual ~TimelineRanges() = default;
  virtual void open(const char* name) noexcept = 0;
  virtual void close() noexcept = 0;
};

// Makes them known for the life of the program: an object of static storage in the backend's own
// source, as `ranges` is.
struct RegisterTimelineRanges {
  explicit RegisterTimelineRanges(TimelineRanges& ranges);
};

// A range of all that are registered.
class TimelineRange {
 public:
  explicit TimelineRange(const char* name) noexcept;
  TimelineRange(const TimelineRange&) = delete;
  TimelineRange& operator=(const TimelineRange&) = delete;
  ~TimelineRange();
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TIMELINE_TIMELINE_RANGES_H_
