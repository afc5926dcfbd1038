// SPDX-License-Identifier: Apache-2.0

// The place that the levels of one block are dequantised into.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_COMMON_RESIDUAL_TARGET_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_COMMON_RESIDUAL_TARGET_H_

#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

MILLRACE_FUNCTION constexpr std::int16_t saturated(std::int64_t value) {
  return static_cast<std::int16_t>(value < -32768 ? -32768 : value > 32767 ? 32767 : value);
}

// Position k of a block is coefficient coefficients[offsets[k << step]] with the scale
// scales[k << step]. Where `coefficients` is null, levels are dropped.
struct ResidualTarget {
  std::int16_t* coefficients;
  const std::uint8_t* offsets;
  const std::int32_t* scales;
  int rounding;  // 2^(shift - 1)
  int shift;     // 4 or 6, clauses 8.5.12.1 and 8.5.13.1; 0 keeps levels, with scales of 1.
  int step;      // log2 of the number of interleaved blocks.

  MILLRACE_INLINE_FUNCTION void put(int k, int level) const {
    if (coefficients != nullptr) {
      const std::int64_t scaled = static_cast<std::int64_t>(level) * scales[k << step];
      coefficients[offsets[k << step]] = saturated((scaled + rounding) >> shift);
    }
  }
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_COMMON_RESIDUAL_TARGET_H_
