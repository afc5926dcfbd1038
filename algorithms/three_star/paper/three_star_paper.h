// SPDX-License-Identifier: Apache-2.0

// Finds all 3-stars by the paper's method, for comparison with its figures 10 and 11: Lee, Lo,
// Chen, Chung and Chung, "GPU Performance Enhancement via Communication Cost Reduction", sections
// III.C and IV.C. visit_three_stars() (three_star.h) finds the same with less work.
//
//   const PaperTables tables(50);
//   PaperReport report = find_as_paper(*queue, points, {.radius = 50, .tables = &tables},
//                                      [&](std::span<const ThreeStar> some) {...});
//
// On a GPU a block searches a cell, a thread for each of its points (paper_cells.h). It tests
// triples by tables that it reads through textures if the device has them, or by arithmetic. Work
// for which the output has no space is left for the next chunk, with the position to continue, so
// chunks are bounded and nothing is searched twice. The host does not wait for the device between
// chunks: when a chunk is the last one, those begun meanwhile are empty.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PAPER_THREE_STAR_PAPER_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PAPER_THREE_STAR_PAPER_H_

#include <millrace/algorithms/three_star/paper/paper_tables.h>
#include <millrace/algorithms/three_star/point.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::three_star {

enum class PaperSearchScheme {
  kBaseline,     // A chunk is searched, downloaded and visited, then the next one.
  kStreaming,    // Others are searched meanwhile.
  kCompression,  // Like the first, in compressed form (paper_chunk.h).
  kBoth,
};

inline constexpr PaperSearchScheme kPaperSchemes[] = {
    PaperSearchScheme::kBaseline, PaperSearchScheme::kStreaming, PaperSearchScheme::kCompression,
    PaperSearchScheme::kBoth};

// Returns the name in the paper's figure 10: "baseline", "baseline + streaming" and so on.
const char* to_string(PaperSearchScheme scheme);

struct PaperOptions {
  std::int32_t radius = 1;  // 1 to kMostRadius.
  PaperSearchScheme scheme = PaperSearchScheme::kBaseline;
  // Tables for this radius; null: triples are tested by arithmetic.
  const PaperTables* tables = nullptr;
  std::size_t chunk_bytes = kChunkBytes;

  static constexpr std::size_t kChunkBytes = std::size_t{32} << 20;
  static constexpr std::size_t kLeastChunkBytes = std::size_t{1} << 15;
};

// The bars of the paper's figure 11, in seconds.
struct PaperSearchProfile {
  double load = 0;  // Sorts points into cells, uploads them and tables, loads points into blocks.
  double compute = 0;   // Tests triples,
  double report = 0;    // writes 3-stars to chunks,
  double data_out = 0;  // which are downloaded
  double decode = 0;    // and are visited.

  double sum() const { return load + compute + report + data_out + decode; }
};

struct PaperReport {
  std::uint64_t three_stars = 0;
  std::uint64_t chunks = 0;      // Chunks with 3-stars.
  std::uint64_t bytes_down = 0;  // In chunks; a device that shares the host's memory copies none.
  double seconds = 0;            // Time from the points in host memory to the last 3-star there.
};

// Waits for everything in `queue`, and passes all 3-stars to `visitor` as visit_three_stars() does.
// With a profile each step waits for the one before it, whatever the scheme, and is timed; load,
// compute and report divide a chunk's time on the device by the blocks' clocks. Throws
// kInvalidArgument for a wrong radius, tables or chunk size in the options, or more than 2^32 - 1
// points; kUnsupported on a backend that cannot search this way; kOutOfMemory; and what Queue::wait
// and `visitor` throw.
PaperReport find_as_paper(Queue& queue, std::span<const Point> points, const PaperOptions& options,
                          const StarVisitor& visitor, PaperSearchProfile* profile = nullptr);

// Runs the paper's code for CPUs: the same triples on the calling thread, by arithmetic; `queue`
// sorts points into cells. Throws likewise.
PaperReport find_as_paper_sequential(Queue& queue, std::span<const Point> points,
                                     std::int32_t radius, const StarVisitor& visitor);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PAPER_THREE_STAR_PAPER_H_
