// SPDX-License-Identifier: Apache-2.0

// The search by several devices: strips of points (strips.h) shared by their speed.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GROUP_THREE_STAR_GROUP_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GROUP_THREE_STAR_GROUP_H_

#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/group/device_group.h>

#include <cstdint>
#include <span>

namespace millrace::three_star {

// The least that a device is asked for: by its work (StripPlan::work), half a millisecond of an
// H200 where points are not dense, and by the time that it will take, where that is known; some
// times of what a search costs beside the work.
struct LeastStrip {
  std::uint64_t work = std::uint64_t{1} << 22;
  double seconds = 2e-3;
};

// As the calls of three_star.h, of arguments that are checked.
SearchReport search_by_group(const DeviceGroup& group, std::span<const Point> points,
                             const SearchOptions& options, const StarSink& sink,
                             const LeastStrip& least = {});

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GROUP_THREE_STAR_GROUP_H_
