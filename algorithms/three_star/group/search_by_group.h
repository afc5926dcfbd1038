// SPDX-License-Identifier: Apache-2.0

// Searches by several devices, which share strips of points (strip_plan.h) by their speed.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GROUP_SEARCH_BY_GROUP_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GROUP_SEARCH_BY_GROUP_H_

#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/group/device_group.h>

#include <cstdint>
#include <span>

namespace millrace::three_star {

// The smallest strip of a device: by its work (StripPlan::work), half a millisecond of an H200
// where points are not dense, and by its expected time, if that is known; several times the fixed
// cost of a search.
struct LeastStrip {
  std::uint64_t work = std::uint64_t{1} << 22;
  double seconds = 2e-3;
};

// Searches like the calls of three_star.h, with checked arguments.
SearchReport search_by_group(const DeviceGroup& group, std::span<const Point> points,
                             const SearchOptions& options, const StarSink& sink,
                             const LeastStrip& least = {});

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GROUP_SEARCH_BY_GROUP_H_
