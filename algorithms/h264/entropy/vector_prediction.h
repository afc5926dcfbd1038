// SPDX-License-Identifier: Apache-2.0

// Predicts motion vectors from neighbours (ITU-T H.264 clauses 8.4.1.1 and 8.4.1.3).
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_VECTOR_PREDICTION_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_VECTOR_PREDICTION_H_

#include <millrace/algorithms/h264/entropy/neighbours.h>
#include <millrace/algorithms/h264/entropy/scan_order.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

inline constexpr int kNotAvailable = -2;  // A reference index; -1: available, but not predicted.

struct NeighbourMotion {
  int reference;
  MotionVector vector;  // Zero where there is no reference.
};

MILLRACE_FUNCTION inline NeighbourMotion motion_of(int list, const BlockOf& block) {
  if (block.macroblock == nullptr) {
    return {kNotAvailable, {}};
  }
  return {block.macroblock->references[list][block.block_8x8()],
          block.macroblock->vectors[list][block.block]};
}

// Returns the motion of neighbour C of the partition with block (x, y) first and `width` blocks
// across, or that of D where C is not available.
MILLRACE_FUNCTION inline NeighbourMotion motion_above_right(int list, const Neighbours& around,
                                                            int x, int y, int width) {
  const int right = x + width;
  BlockOf block = {nullptr, 0};
  if (y == 0) {
    block = right < 4 ? BlockOf{around.above, 12 + right} : BlockOf{around.above_right, 12};
  } else if (right < 4 && block_order(right, y - 1) < block_order(x, y)) {
    block = {around.current, 4 * y + right - 4};
  }
  if (block.macroblock == nullptr) {
    if (x > 0) {
      block = around.above_of(x - 1, y);
    } else if (y > 0) {
      block = {around.left, 4 * y - 1};
    } else {
      block = {around.above_left, 15};
    }
  }
  return motion_of(list, block);
}

// Sets the vectors of `width` x `height` blocks from `first` on; each is 1, 2 or 4.
MILLRACE_FUNCTION inline void fill_vectors(MotionVector* first, int width, int height,
                                           MotionVector vector) {
  for (int row = 0; row < height; ++row, first += 4) {
    first[0] = vector;
    if (width == 1) {
      continue;
    }
    first[1] = vector;
    if (width == 4) {
      first[2] = vector;
      first[3] = vector;
    }
  }
}

// Sets the vectors of 8x8 block `quarter`.
MILLRACE_FUNCTION inline void fill_8x8(MotionVector (&vectors)[16], int quarter,
                                       MotionVector vector) {
  fill_vectors(vectors + 8 * (quarter >> 1) + 2 * (quarter & 1), 2, 2, vector);
}

MILLRACE_FUNCTION constexpr int median_of(int a, int b, int c) {
  const int low = a < b ? a : b;
  const int high = a < b ? b : a;
  return c < low ? low : c > high ? high : c;
}

MILLRACE_FUNCTION inline MotionVector median_vector(int reference, const NeighbourMotion& a,
                                                    const NeighbourMotion& b,
                                                    const NeighbourMotion& c) {
  if (b.reference == kNotAvailable && c.reference == kNotAvailable) {
    return a.vector;
  }
  const bool is_a = a.reference == reference;
  const bool is_b = b.reference == reference;
  const bool is_c = c.reference == reference;
  if (is_a + is_b + is_c == 1) {
    return is_a ? a.vector : is_b ? b.vector : c.vector;
  }
  return {static_cast<std::int16_t>(median_of(a.vector.x, b.vector.x, c.vector.x)),
          static_cast<std::int16_t>(median_of(a.vector.y, b.vector.y, c.vector.y))};
}

// Returns the prediction of a partition's vector. Partitions of 16x8 and 8x16 prefer one neighbour.
MILLRACE_NOINLINE_FUNCTION inline MotionVector predicted_vector(int list, int reference,
                                                                const Neighbours& around,
                                                                MotionBlock partition) {
  const auto [x, y, width, height] = partition;
  const bool is_16x8 = width == 4 && height == 2;
  const bool is_8x16 = width == 2 && height == 4;
  // All three are loaded before one is used, so that a GPU waits for its memory once.
  const NeighbourMotion b = motion_of(list, around.above_of(x, y));
  const NeighbourMotion a = motion_of(list, around.left_of(x, y));
  const NeighbourMotion c = motion_above_right(list, around, x, y, width);
  if (is_16x8 && y == 0 && b.reference == reference) {
    return b.vector;
  }
  if (((is_16x8 && y != 0) || (is_8x16 && x == 0)) && a.reference == reference) {
    return a.vector;
  }
  if (is_8x16 && x != 0 && c.reference == reference) {
    return c.vector;
  }
  return median_vector(reference, a, b, c);
}

// Returns the vector of P_Skip.
MILLRACE_NOINLINE_FUNCTION inline MotionVector skip_vector(const Neighbours& around) {
  if (around.left == nullptr || around.above == nullptr) {
    return {};
  }
  const NeighbourMotion a = motion_of(0, around.left_of(0, 0));
  const NeighbourMotion b = motion_of(0, around.above_of(0, 0));
  const MotionVector zero = {};
  if ((a.reference == 0 && a.vector == zero) || (b.reference == 0 && b.vector == zero)) {
    return zero;
  }
  return median_vector(0, a, b, motion_above_right(0, around, 0, 0, 4));
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_VECTOR_PREDICTION_H_
