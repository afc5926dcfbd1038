// SPDX-License-Identifier: Apache-2.0

// Chooses the levels of a block by the squared error and the bits that they make.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_LEVEL_CHOICE_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_LEVEL_CHOICE_H_

#include <millrace/algorithms/h264/encoder/macroblock/level_quantiser.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

// Returns the magnitude of coefficient `w` in units of 1 / 256 level, before rounding.
MILLRACE_FUNCTION constexpr std::int64_t fine_level(int w, std::int32_t multiplier, int shift) {
  const std::int64_t magnitude = w < 0 ? -w : w;
  return magnitude * multiplier >> (shift - 8);
}

// Returns 2^20 times the squared error of coding a coefficient, given by its fine_level(), as
// `level`.
MILLRACE_FUNCTION constexpr std::uint64_t level_error(std::int64_t fine, int level,
                                                      std::uint32_t energy) {
  const std::int64_t error = fine - 256 * static_cast<std::int64_t>(level < 0 ? -level : level);
  return static_cast<std::uint64_t>(error * error) * energy >> 12;
}

// The gain of a block with levels over the same block without levels.
struct LevelGain {
  std::uint64_t gain = 0;     // 2^20 times the decrease of squared error + lambda * bits.
  std::uint64_t no_bits = 0;  // Bits that code "no levels", in 1 / 1024.
};

// Lowers levels of positions n - 1 down to `first` where that lowers squared error + lambda * bits.
// rate(levels) returns the bits of all levels in 1 / 1024. `fine` and `energies` are indexed by
// position.
template <int n, class Rate>
MILLRACE_NOINLINE_FUNCTION LevelGain choose_levels(std::int16_t* levels, int first,
                                                   const std::int64_t (&fine)[n],
                                                   const std::uint32_t* energies,
                                                   std::uint64_t mode_lambda, const Rate& rate) {
  std::int16_t none[n] = {};
  LevelGain result;
  result.no_bits = rate(none);
  int last = n - 1;
  while (last >= first && levels[last] == 0) --last;
  if (last < first) return result;
  std::uint64_t bits = rate(levels);
  std::uint64_t less_error = 0;  // Decrease of the squared error from a block without levels.
  for (int k = last; k >= first; --k) {
    const std::int16_t level = levels[k];
    if (level == 0) continue;
    const auto smaller = static_cast<std::int16_t>(level < 0 ? level + 1 : level - 1);
    std::uint64_t error = level_error(fine[k], level, energies[k]);
    const std::uint64_t smaller_error = level_error(fine[k], smaller, energies[k]);
    levels[k] = smaller;
    const std::uint64_t smaller_bits = rate(levels);
    if (smaller_error + mode_lambda * smaller_bits < error + mode_lambda * bits) {
      bits = smaller_bits;
      error = smaller_error;
    } else {
      levels[k] = level;
    }
    less_error += level_error(fine[k], 0, energies[k]) - error;
  }
  if (less_error + mode_lambda * result.no_bits <= mode_lambda * bits) {
    for (int k = first; k < n; ++k) levels[k] = 0;
  } else {
    result.gain = less_error + mode_lambda * result.no_bits - mode_lambda * bits;
  }
  return result;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_LEVEL_CHOICE_H_
