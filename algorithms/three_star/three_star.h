// SPDX-License-Identifier: Apache-2.0

// All 3-stars of a set of sensors: three that are further apart than they can send, but that one
// relay between them can connect. After Lee, Lo, Chen, Chung and Chung, "GPU Performance
// Enhancement via Communication Cost Reduction", section III.C; what a 3-star is, exactly, is in
// star_math.h.
//
//   SearchReport report = count_three_stars(*queue, points, {.radius = 50});
//   visit_three_stars(*queue, points, {.radius = 50}, [&](std::span<const ThreeStar> some) {...});
//
// Points are whole numbers, on which the search is exact. Who has others scales them to a grid
// first: with a step of a 10,000th of the radius R, say, a point is {round((x - x0) / step),
// round((y - y0) / step)}, with (x0, y0) in the middle of all so that 32 bits hold them, and the
// radius is R / step, a whole number up to kMostRadius. What is found are the 3-stars of the points
// so rounded, each moved by up to 0.71 steps. `millrace three-star` does this
// (tools/command/three_star/points/three_star_grid.h).
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_THREE_STAR_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_THREE_STAR_H_

#include <millrace/algorithms/three_star/point.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/work_sharing.h>
#include <millrace/runtime/tasks/policy.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace millrace::three_star {

// How 3-stars travel to visit_three_stars() from a device with memory of its own.
enum class StarForm {
  kCompressed,  // As chunks (star_chunk.h), which the host writes out.
  kRaw,         // As ThreeStars, 12 bytes each: less work for the host, much more for the link.
};

constexpr const char* to_string(StarForm form) {
  return form == StarForm::kRaw ? "raw" : "compressed";
}

struct SearchOptions {
  std::int32_t radius = 1;        // 1 to kMostRadius.
  Policy policy = Policy::kAuto;  // How cells of points meet workers.
  StarForm form = StarForm::kCompressed;
  std::stop_token stop{};  // Ends a search, which then throws Error(kCancelled).
};

struct SearchReport {
  std::uint64_t three_stars = 0;
  std::uint64_t pairs = 0;     // Of points more than a radius and at most two apart.
  std::uint64_t tasks = 0;     // That ran: cells, or parts of cells with many points.
  std::uint64_t bytes_up = 0;  // Over the link to the device, of chunks.
  std::uint64_t bytes_down = 0;
  double seconds = 0;  // From the points in host memory to the last result there.
  Policy policy = Policy::kAuto;
  // How 3-stars came to the visitor: a CPU has them compressed, whatever the options say. None
  // where they were only counted.
  std::optional<StarForm> form{};
  // Lowest corners with more neighbours (640) than a GPU has room for in a record, which the host
  // searched instead; 0 where 3-stars were only counted, which a GPU does for all corners.
  std::uint64_t host_corners = 0;
  std::vector<DeviceShare> shares{};  // Of a group: each device's, in pairs that were to be tried.
};

// Is handed 3-stars, some at a time and each once, in no particular order and from several threads
// at a time. What it throws ends the search.
using StarVisitor = std::function<void(std::span<const ThreeStar>)>;

// Is handed 3-stars in compressed form (star_chunk.h), likewise; a chunk, of some MiB (a GPU's
// of 16, that of one dense corner of more), is good until it returns.
class StarChunk;
using ChunkVisitor = std::function<void(const StarChunk&)>;

// Waits for everything in `queue`, and counts. `points` are in host memory and stay the caller's;
// there are at most 2^32 - 1. Throws kInvalidArgument for a radius or more points than that,
// kUnsupported on a backend that cannot search, kOutOfMemory, and what Queue::wait throws.
SearchReport count_three_stars(Queue& queue, std::span<const Point> points,
                               const SearchOptions& options);

// The same, and hands all of them to `visitor`, which returns before the call does; what it throws
// comes out of the call.
SearchReport visit_three_stars(Queue& queue, std::span<const Point> points,
                               const SearchOptions& options, const StarVisitor& visitor);

// The same, in compressed form.
SearchReport compress_three_stars(Queue& queue, std::span<const Point> points,
                                  const SearchOptions& options, const ChunkVisitor& visitor);

// The same by the devices of a group: strips of points (strips.h) are shared by their speed. What
// is found is the same, chunks too, but for how many there are. Throws as above, and as
// share_work().
SearchReport count_three_stars(const DeviceGroup& group, std::span<const Point> points,
                               const SearchOptions& options);
SearchReport visit_three_stars(const DeviceGroup& group, std::span<const Point> points,
                               const SearchOptions& options, const StarVisitor& visitor);
SearchReport compress_three_stars(const DeviceGroup& group, std::span<const Point> points,
                                  const SearchOptions& options, const ChunkVisitor& visitor);

// Who is handed what is found: one of them, or none where 3-stars are only counted.
struct StarSink {
  const StarVisitor* stars = nullptr;
  const ChunkVisitor* chunks = nullptr;
};

struct SearchPart;  // search_part.h

// The OpTable entry: arguments are checked. Finds 3-stars whose lowest corner is one of the part's.
// Fills the report but for `seconds`. Returns when all is done.
struct ThreeStarOp {
  using Function = void(Queue&, std::span<const Point>, const SearchPart&, const SearchOptions&,
                        const StarSink&, SearchReport&);
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_THREE_STAR_H_
