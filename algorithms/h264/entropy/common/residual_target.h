// SPDX-License-Identifier: Apache-2.0

// Targets take the levels of one block: they append them to a list, dequantised, or keep them as
// they are.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_COMMON_RESIDUAL_TARGET_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_COMMON_RESIDUAL_TARGET_H_

#include <millrace/algorithms/h264/coded_coefficient.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

MILLRACE_FUNCTION constexpr std::int16_t saturated(std::int64_t value) {
  return static_cast<std::int16_t>(value < -32768 ? -32768 : value > 32767 ? 32767 : value);
}

// Writes a coefficient at `next`, and returns the end of the list. A coefficient of 0 is not part
// of the list. There is no branch, because zeros are hard to predict.
MILLRACE_INLINE_FUNCTION CodedCoefficient* append_coefficient(CodedCoefficient* next, int index,
                                                              std::int16_t value) {
  *next = {static_cast<std::uint16_t>(index), value};
  return next + (value != 0 ? 1 : 0);
}

// Position k of a block is the coefficient of index first + offsets[k << step] with the scale
// scales[k << step]. `shift` is 4 or 6 (clauses 8.5.12.1 and 8.5.13.1); `step` is log2 of the
// number of interleaved blocks.
template <int shift, int step = 0>
struct ResidualTarget {
  CodedCoefficient* next;  // Memory for as many as the block may have. Null: levels are dropped.
  const std::uint8_t* offsets;
  const std::int32_t* scales;
  int first = 0;

  MILLRACE_INLINE_FUNCTION void put(int k, int level) {
    if (next != nullptr) {
      const std::int64_t scaled = static_cast<std::int64_t>(level) * scales[k << step];
      next = append_coefficient(next, first + offsets[k << step],
                                saturated((scaled + (1 << (shift - 1))) >> shift));
    }
  }
};

using Target4x4 = ResidualTarget<4>;
using Target8x8 = ResidualTarget<6>;
using Interleaved8x8Target = ResidualTarget<6, 2>;

// Takes the levels of a block of DC, which are transformed before they are dequantised. Position k
// is levels[offsets[k]].
struct LevelTarget {
  std::int16_t* levels;  // All zero at first.
  const std::uint8_t* offsets;

  MILLRACE_INLINE_FUNCTION void put(int k, int level) { levels[offsets[k]] = saturated(level); }
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_COMMON_RESIDUAL_TARGET_H_
