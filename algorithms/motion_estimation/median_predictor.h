// SPDX-License-Identifier: Apache-2.0

// The standard's predictor of a vector, from the neighbours that are coded before it: ITU-T H.264,
// clauses 8.4.1.1 and 8.4.1.3, for a picture of one slice without intra macroblocks.
//
//   MotionGrid grid(columns, rows);
//   const MotionVector predictor = median_predictor(partition, grid.neighbours(x, y, partition));
//   grid.set(x, y, partition_at(partition), {vector, 0});
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MEDIAN_PREDICTOR_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MEDIAN_PREDICTOR_H_

#include <millrace/algorithms/motion_estimation/motion_cost.h>
#include <millrace/algorithms/motion_estimation/partition.h>

#include <vector>

namespace millrace::motion {

// The vector of a block and the index of the picture that it refers to.
struct BlockMotion {
  static constexpr int kNotAvailable = -1;

  MotionVector vector{};
  int reference = kNotAvailable;

  bool is_available() const { return reference != kNotAvailable; }

  friend bool operator==(const BlockMotion&, const BlockMotion&) = default;
};

// Neighbours of a partition, by the names of figure 6-14: left, above, and above right, or above
// left (D) if that is not available.
struct PartitionNeighbours {
  BlockMotion a{};
  BlockMotion b{};
  BlockMotion c{};
};

// Returns the predictor of partition 0 to kPartitions - 1 that refers to picture `reference`: the
// median, or the neighbour that halves of a macroblock prefer.
MotionVector median_predictor(int partition, const PartitionNeighbours& neighbours,
                              int reference = 0);

// Returns P_Skip's vector, given the neighbours of the 16x16 partition.
MotionVector median_skip_vector(const PartitionNeighbours& neighbours);

// The motion of a picture's 4x4 blocks coded so far.
class MotionGrid {
 public:
  // The size is in macroblocks. No block is available at first.
  MotionGrid(int columns, int rows);

  // Sets the motion of a partition of the macroblock in column `x` and row `y`.
  void set(int x, int y, const Partition& partition, const BlockMotion& motion);
  void clear(int x, int y, const Partition& partition) { set(x, y, partition, {}); }

  PartitionNeighbours neighbours(int x, int y, const Partition& partition) const;

 private:
  // Returns the index of block (x, y); coordinates are -1 to one after the last.
  int index(int x, int y) const { return (y + 1) * stride_ + x + 1; }
  const BlockMotion& at(int x, int y) const { return blocks_[index(x, y)]; }

  int stride_;
  std::vector<BlockMotion> blocks_;  // Includes a border that is never available.
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MEDIAN_PREDICTOR_H_
