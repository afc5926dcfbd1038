// The search by several devices: strips of points (strips.h) shared by their speed.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_THREE_STAR_GROUP_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_THREE_STAR_GROUP_H_

#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/device_group.h>

#include <cstdint>
#include <span>

namespace millrace::three_star {

// Work (StripPlan::work) that a device is worth to be asked for: half a millisecond of an H200,
// some times of what a search costs beside the work.
inline constexpr std::uint64_t kLeastWorkOfDevice = std::uint64_t{1} << 22;

// As the calls of three_star.h, of arguments that are checked.
SearchReport search_by_group(const DeviceGroup& group, std::span<const Point> points,
                             const SearchOptions& options, const StarSink& sink,
                             std::uint64_t least_work = kLeastWorkOfDevice);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_THREE_STAR_GROUP_H_
