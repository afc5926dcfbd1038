// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/timeline/timeline_ranges.h>

#include <vector>

namespace millrace {
namespace {

// Complete before main; made here because those who register may come before this source.
std::vector<TimelineRanges*>& registered() {
  static std::vector<TimelineRanges*> all;
  return all;
}

}  // namespace

RegisterTimelineRanges::RegisterTimelineRanges(TimelineRanges& ranges) {
  registered().push_back(&ranges);
}

TimelineRange::TimelineRange(const char* name) noexcept {
  for (TimelineRanges* const ranges : registered()) ranges->open(name);
}

TimelineRange::~TimelineRange() {
  for (TimelineRanges* const ranges : registered()) ranges->close();
}

}  // namespace millrace
