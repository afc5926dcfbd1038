// SPDX-License-Identifier: Apache-2.0

// Predicts the modes of Intra4x4 and Intra8x8 blocks (ITU-T H.264 clauses 8.3.1.1 and 8.3.2.1).
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_INTRA_MODE_GRID_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_INTRA_MODE_GRID_H_

#include <millrace/algorithms/h264/entropy/neighbours.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

// Returns the mode of a neighbour's block, from which a mode is predicted: DC (2) if the block has
// none, -1 if it forces the prediction to DC whatever the other neighbour has.
MILLRACE_FUNCTION inline std::int8_t neighbour_mode(const Macroblock* neighbour, int block,
                                                    bool is_constrained) {
  if (neighbour == nullptr) {
    return -1;
  }
  if (neighbour->type <= MacroblockType::kIntra8x8) {
    return static_cast<std::int8_t>(neighbour->intra_modes[block]);
  }
  return !is_intra(neighbour->type) && is_constrained ? -1 : 2;
}

// The modes of a macroblock's 4x4 blocks with the row above and the column to the left.
class IntraModeGrid {
 public:
  MILLRACE_FUNCTION IntraModeGrid(const Neighbours& around, bool has_constrained_intra_prediction) {
    for (int k = 0; k < 4; ++k) {
      modes_[0][k + 1] = neighbour_mode(around.above, 12 + k, has_constrained_intra_prediction);
      modes_[k + 1][0] = neighbour_mode(around.left, 4 * k + 3, has_constrained_intra_prediction);
    }
  }

  MILLRACE_FUNCTION int predicted(int x, int y) const {
    const int left = modes_[y + 1][x];
    const int above = modes_[y][x + 1];
    const int mode = left < above ? left : above;
    return mode < 0 ? 2 : mode;
  }
  MILLRACE_FUNCTION void set(int x, int y, int mode) {
    modes_[y + 1][x + 1] = static_cast<std::int8_t>(mode);
  }
  // Sets the four blocks of an 8x8 block.
  MILLRACE_FUNCTION void set_8x8(int x, int y, int mode) {
    set(x, y, mode);
    set(x + 1, y, mode);
    set(x, y + 1, mode);
    set(x + 1, y + 1, mode);
  }
  MILLRACE_FUNCTION int at(int x, int y) const { return modes_[y + 1][x + 1]; }

 private:
  std::int8_t modes_[5][5];
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_INTRA_MODE_GRID_H_
