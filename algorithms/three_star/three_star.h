// All 3-stars of a set of sensors: three that are further apart than they can send, but that one
// relay between them can connect. After Lee, Lo, Chen, Chung and Chung, "GPU Performance
// Enhancement via Communication Cost Reduction", section III.C; what a 3-star is, exactly, is in
// star_math.h.
//
//   SearchReport report = count_three_stars(*queue, points, {.radius = 50});
//   visit_three_stars(*queue, points, {.radius = 50}, [&](std::span<const ThreeStar> some) {...});
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_THREE_STAR_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_THREE_STAR_H_

#include <millrace/algorithms/three_star/point.h>
#include <millrace/runtime/device_group.h>
#include <millrace/runtime/policy.h>
#include <millrace/runtime/queue.h>
#include <millrace/runtime/work_sharing.h>

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace millrace::three_star {

// How 3-stars travel to visit_three_stars() from a device with memory of its own.
enum class StarForm {
  kCompressed,  // As chunks (star_chunk.h), which the host writes out.
  kRaw,         // As ThreeStars, 12 bytes each: less work for the host, much more for the link.
};

struct SearchOptions {
  std::int32_t radius = 1;        // 1 to kMostRadius.
  Policy policy = Policy::kAuto;  // How cells of points meet workers.
  StarForm form = StarForm::kCompressed;
  std::stop_token stop{};  // Ends a search, on GPUs one that only counts, which then throws
                           // RunStopped.
};

struct SearchReport {
  std::uint64_t three_stars = 0;
  std::uint64_t pairs = 0;     // Of points more than a radius and at most two apart.
  std::uint64_t tasks = 0;     // That ran: cells, or parts of cells with many points.
  std::uint64_t bytes_up = 0;  // Over the link to the device, of chunks.
  std::uint64_t bytes_down = 0;
  double seconds = 0;  // From the points in host memory to the last result there.
  Policy policy = Policy::kAuto;
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
