// SPDX-License-Identifier: Apache-2.0

// The search of some points of one cell on the CPU, in vectors.
//
// A point's neighbours that can be corners of 3-stars of which it is the lowest are put in order of
// direction, so that the third corners of a pair are a run (angle_windows.h). What a third corner
// has to be are three conditions that are linear in (x, y, x^2 + y^2), from the lowest corner i:
// inside the circle of radius R through i and j that is on its side, more than R from j, and
// outside the circle of radius R on the other side. They are decided in single precision, by a
// margin beyond all rounding; what is within the margin, by integers (star_math.h).
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

// Room for one search at a time. A thread keeps it from call to call.
struct StarScratch {
  // Neighbours as they were found, then by direction.
  struct Neighbours {
    std::vector<float> x;
    std::vector<float> y;
    std::vector<std::uint32_t> places;  // In the grid.
  };
  Neighbours found;
  Neighbours sorted;
  std::vector<std::uint32_t> buckets;       // Of those found.
  std::uint32_t begins[kBuckets + 1] = {};  // Of the sorted ones of a bucket.

  // Of those sorted: x^2 + y^2; of the circle through corner and neighbour that is counterclockwise
  // of them, the centre times -2; of the other circle, times 2.
  std::vector<float> squared;
  std::vector<float> near_x;
  std::vector<float> near_y;
  std::vector<float> far_x;
  std::vector<float> far_y;

  ChunkWriter writer;  // What is not yet handed on.

  // Writes the ids and buckets of a record, for so many sorted neighbours.
  void put_neighbours(const CellGrid::Neighbours& around, std::uint32_t count,
                      const ChunkWriter::Record& record) const;
};

// Points of a cell.
struct PointRun {
  PlaceRange places;
  CellGrid::Neighbours neighbours;
};

struct StarCounts {
  std::uint64_t three_stars = 0;
  std::uint64_t pairs =
      0;  // Of a lowest corner and another point more than R and at most 2 R away.
};

// Of all 3-stars that have one of the run's points as their lowest corner.
StarCounts count_stars(const CellGrid& grid, const PointRun& run, std::int32_t radius,
                       StarScratch& scratch);

// The same, and hands all of them to `visitor` in compressed form.
StarCounts compress_stars(const CellGrid& grid, const PointRun& run, std::int32_t radius,
                          StarScratch& scratch, const ChunkVisitor& visitor);

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CPU_STAR_SIMD_H_
