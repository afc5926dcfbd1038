// SPDX-License-Identifier: Apache-2.0

// Opens ranges in the vendors' profilers (NVTX, roctx). A program has them if it links a backend
// that registers them.
//
//   const TimelineRange range("sort");   // Closed at the end of the scope.
#ifndef MILLRACE_RUNTIME_TIMELINE_INTERNAL_TIMELINE_RANGES_H_
#define MILLRACE_RUNTIME_TIMELINE_INTERNAL_TIMELINE_RANGES_H_

namespace millrace {

// The interface that a backend implements. It opens and closes nested ranges on the calling thread.
// Any thread may call it. Calls must be cheap while no profiler is attached, and must not throw.
class TimelineRanges {
 public:
  virtual ~TimelineRanges() = default;
  virtual void open(const char* name) noexcept = 0;
  virtual void close() noexcept = 0;
};

// Registers `ranges` for the life of the program. Both objects have static storage duration, in the
// backend's own source.
struct RegisterTimelineRanges {
  explicit RegisterTimelineRanges(TimelineRanges& ranges);
};

// Opens a range in all registered profilers during the object's life. `name` must outlive it.
class TimelineRange {
 public:
  explicit TimelineRange(const char* name) noexcept;
  TimelineRange(const TimelineRange&) = delete;
  TimelineRange& operator=(const TimelineRange&) = delete;
  ~TimelineRange();
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TIMELINE_INTERNAL_TIMELINE_RANGES_H_
