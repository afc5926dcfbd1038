// SPDX-License-Identifier: Apache-2.0

// Finds all 3-stars of a set of sensors: three whose distances are longer than they can send, but
// that one relay between them can connect. After Lee, Lo, Chen, Chung and Chung, "GPU Performance
// Enhancement via Communication Cost Reduction", section III.C. star_math.h has the exact
// definition.
//
//   SearchReport report = count_three_stars(*queue, points, {.radius = 50});
//   visit_three_stars(*queue, points, {.radius = 50}, [&](std::span<const ThreeStar> some) {...});
//
// Points are whole numbers, on which the search is exact. Other coordinates are scaled to a grid
// first: with a step of a 10,000th of the radius R, say, a point is {round((x - x0) / step),
// round((y - y0) / step)}, with (x0, y0) in the middle of all so that 32 bits hold them, and the
// radius is R / step, a whole number up to kMostRadius. The search finds the 3-stars of the rounded
// points, each moved by up to 0.71 steps. `millrace three-star` does this
// (tools/command/three_star/points/sensor_grid.h).
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_THREE_STAR_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_THREE_STAR_H_

#include <millrace/algorithms/three_star/point.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/item_sharing.h>
#include <millrace/runtime/tasks/policy.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace millrace::three_star {

// The form in which 3-stars travel to visit_three_stars() from a device with memory of its own.
enum class StarForm {
  kCompressed,  // Chunks (star_chunk.h), which the host expands.
  kRaw,         // ThreeStars, 12 bytes each: less work for the host, much more for the link.
};

constexpr const char* to_string(StarForm form) {
  return form == StarForm::kRaw ? "raw" : "compressed";
}

struct SearchOptions {
  std::int32_t radius = 1;        // 1 to kMostRadius.
  Policy policy = Policy::kAuto;  // Schedules the cells of points.
  StarForm form = StarForm::kCompressed;
  std::stop_token stop{};  // Stops the search, which then throws Error(kCancelled).
};

struct SearchReport {
  std::uint64_t three_stars = 0;
  std::uint64_t pairs = 0;     // Pairs of points at distances of more than one radius, at most two.
  std::uint64_t tasks = 0;     // Tasks that ran: cells, or ranges of the points of large cells.
  std::uint64_t bytes_up = 0;  // Bytes of chunks over the link to the device.
  std::uint64_t bytes_down = 0;
  double seconds = 0;  // Time from the points in host memory to the last result there.
  Policy policy = Policy::kAuto;
  // The form in which 3-stars reached the visitor: compressed on a CPU, whatever the options say.
  // Empty if they were only counted.
  std::optional<StarForm> form{};
  // Lowest corners with more neighbours (640) than a GPU has memory for in a record, which the host
  // searched instead; 0 if 3-stars were only counted, which a GPU does for all corners.
  std::uint64_t host_corners = 0;
  std::vector<DevicePortion> portions{};  // One for each device of a group, in estimated pairs.
};

// Receives 3-stars, several at a time and each once, in no particular order and from several
// threads at a time. An exception ends the search.
using StarVisitor = std::function<void(std::span<const ThreeStar>)>;

// Receives 3-stars in compressed form (star_chunk.h), likewise. A chunk of some MiB (16 for a GPU,
// more for one dense corner) is valid until the visitor returns.
class StarChunk;
using ChunkVisitor = std::function<void(const StarChunk&)>;

// Waits for everything in `queue`, and counts. `points` are in host memory and belong to the
// caller; there are at most 2^32 - 1. Throws kInvalidArgument for a wrong radius or more points
// than that, kUnsupported on a backend that cannot search, kOutOfMemory, and what Queue::wait
// throws.
SearchReport count_three_stars(Queue& queue, std::span<const Point> points,
                               const SearchOptions& options);

// Counts likewise, and passes all 3-stars to `visitor`, which returns before this call does. Throws
// what it throws.
SearchReport visit_three_stars(Queue& queue, std::span<const Point> points,
                               const SearchOptions& options, const StarVisitor& visitor);

// Visits likewise, in compressed form.
SearchReport compress_three_stars(Queue& queue, std::span<const Point> points,
                                  const SearchOptions& options, const ChunkVisitor& visitor);

// Counts by the devices of a group, which share strips of points (strip_plan.h) by their speed.
// Results are the same, chunks too except for their number. Throws as above, and as share_items().
SearchReport count_three_stars(const DeviceGroup& group, std::span<const Point> points,
                               const SearchOptions& options);
SearchReport visit_three_stars(const DeviceGroup& group, std::span<const Point> points,
                               const SearchOptions& options, const StarVisitor& visitor);
SearchReport compress_three_stars(const DeviceGroup& group, std::span<const Point> points,
                                  const SearchOptions& options, const ChunkVisitor& visitor);

// The visitor of a search: one of them, or none if 3-stars are only counted.
struct StarSink {
  const StarVisitor* stars = nullptr;
  const ChunkVisitor* chunks = nullptr;
};

struct SearchRange;  // search_range.h

// The OpTable entry, with checked arguments. Finds 3-stars whose lowest corner is one of the
// range's. Fills the report but for `seconds`. Returns when all is done.
struct ThreeStarOp {
  using Function = void(Queue&, std::span<const Point>, const SearchRange&, const SearchOptions&,
                        const StarSink&, SearchReport&);
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_THREE_STAR_H_
