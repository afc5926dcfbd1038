// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/median_predictor.h>

#include <algorithm>

namespace millrace::motion {
namespace {

constexpr int kBlockWidth = 4;
constexpr int kBlocks = kMacroblockWidth / kBlockWidth;

std::int16_t median(std::int16_t a, std::int16_t b, std::int16_t c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

// Computes the median of clause 8.4.1.3.1. The vector of a neighbour that is not available is zero.
MotionVector median(const PartitionNeighbours& neighbours, int reference) {
  const auto& [a, b, c] = neighbours;
  if (!b.is_available() && !c.is_available() && a.is_available()) return a.vector;
  const BlockMotion* same = nullptr;
  int count = 0;
  for (const BlockMotion* neighbour : {&a, &b, &c}) {
    if (neighbour->reference != reference) continue;
    same = neighbour;
    ++count;
  }
  if (count == 1) return same->vector;
  return {median(a.vector.x, b.vector.x, c.vector.x), median(a.vector.y, b.vector.y, c.vector.y)};
}

// Returns the neighbour that clause 8.4.1.3 prefers for halves of a macroblock; null for other
// sizes.
const BlockMotion* preferred(int partition, const PartitionNeighbours& neighbours) {
  const bool is_first = partition == first_partition(partition_size(partition));
  switch (partition_size(partition)) {
    case PartitionSize::k16x8: return is_first ? &neighbours.b : &neighbours.a;
    case PartitionSize::k8x16: return is_first ? &neighbours.a : &neighbours.c;
    default: return nullptr;
  }
}

bool is_still(const BlockMotion& motion) { return motion == BlockMotion{{0, 0}, 0}; }

}  // namespace

MotionVector median_predictor(int partition, const PartitionNeighbours& neighbours, int reference) {
  const BlockMotion* const neighbour = preferred(partition, neighbours);
  if (neighbour != nullptr && neighbour->reference == reference) return neighbour->vector;
  return median(neighbours, reference);
}

MotionVector median_skip_vector(const PartitionNeighbours& neighbours) {
  const auto& [a, b, c] = neighbours;
  if (!a.is_available() || !b.is_available() || is_still(a) || is_still(b)) return {};
  return median(neighbours, 0);
}

MotionGrid::MotionGrid(int columns, int rows)
    : stride_(kBlocks * columns + 2),
      blocks_(static_cast<std::size_t>(stride_) * (kBlocks * rows + 1)) {}

void MotionGrid::set(int x, int y, const Partition& partition, const BlockMotion& motion) {
  const int left = kBlocks * x + partition.x / kBlockWidth;
  const int top = kBlocks * y + partition.y / kBlockWidth;
  for (int row = top; row < top + partition.height / kBlockWidth; ++row) {
    std::fill_n(&blocks_[index(left, row)], partition.width / kBlockWidth, motion);
  }
}

PartitionNeighbours MotionGrid::neighbours(int x, int y, const Partition& partition) const {
  const int left = kBlocks * x + partition.x / kBlockWidth;
  const int top = kBlocks * y + partition.y / kBlockWidth;
  const BlockMotion& c = at(left + partition.width / kBlockWidth, top - 1);
  return {at(left - 1, top), at(left, top - 1), c.is_available() ? c : at(left - 1, top - 1)};
}

}  // namespace millrace::motion
