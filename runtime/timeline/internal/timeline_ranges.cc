// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/timeline/internal/timeline_ranges.h>

#include <vector>

namespace millrace {
namespace {

// The list is complete before main starts. It is a local static because registrations may run
// before the initialisers of this source.
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
