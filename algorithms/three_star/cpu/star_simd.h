// SPDX-License-Identifier: Apache-2.0

// Searches some points of one cell on the CPU, in vectors.
//
// A point's neighbours that can be corners of 3-stars of which it is the lowest are sorted by
// direction, so that the third corners of a pair are a run (angle_windows.h). A third corner
// satisfies three conditions that are linear in (x, y, x^2 + y^2), from the lowest corner i: it is
// inside the circle of radius R through i and j that is on its side, more than R from j, and
// outside the circle of radius R on the other side. They are decided in single precision, by a
// margin beyond all rounding; cases within the margin are decided by integers (star_math.h).
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_CPU_STAR_SIMD_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_CPU_STAR_SIMD_H_

#include <millrace/algorithms/three_star/angle_windows.h>
#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/chunks/chunk_writer.h>
#include <millrace/algorithms/three_star/chunks/star_chunk.h>
#include <millrace/algorithms/three_star/point.h>
#include <millrace/algorithms/three_star/three_star.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::three_star {

// Working memory of one search at a time. A thread keeps it from call to call.
struct StarScratch {
  // Neighbours in the order found, then by direction.
  struct Neighbours {
    std::vector<float> x;
    std::vector<float> y;
    std::vector<std::uint32_t> indices;  // Indices in the grid.
  };
  Neighbours found;
  Neighbours sorted;
  std::vector<std::uint32_t> buckets;       // Buckets of the neighbours found.
  std::uint32_t begins[kBuckets + 1] = {};  // First sorted neighbour of each bucket.

  // For sorted neighbours: x^2 + y^2; the centre times -2 of the circle through corner and
  // neighbour that is counterclockwise of them; the centre times 2 of the other circle.
  std::vector<float> squared;
  std::vector<float> near_x;
  std::vector<float> near_y;
  std::vector<float> far_x;
  std::vector<float> far_y;

  ChunkWriter writer;  // Holds 3-stars that are not yet visited.

  // Writes the ids and buckets of a record, for this many sorted neighbours.
  void put_neighbours(const CellGrid::Neighbours& around, std::uint32_t count,
                      const ChunkWriter::Record& record) const;
};

// Points of a cell.
struct PointRun {
  IndexRange points;
  CellGrid::Neighbours neighbours;
};

struct StarCounts {
  std::uint64_t three_stars = 0;
  std::uint64_t pairs =
      0;  // Pairs of a lowest corner and a point more than R and at most 2 R away.
};

// Counts all 3-stars that have one of the run's points as their lowest corner.
StarCounts count_stars(const CellGrid& grid, const PointRun& run, std::int32_t radius,
                       StarScratch& scratch);

// Counts likewise, and passes all 3-stars to `visitor` in compressed form.
StarCounts compress_stars(const CellGrid& grid, const PointRun& run, std::int32_t radius,
                          StarScratch& scratch, const ChunkVisitor& visitor);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CPU_STAR_SIMD_H_
