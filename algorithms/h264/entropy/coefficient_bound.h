// SPDX-License-Identifier: Apache-2.0

// The memory that the coefficients of a slice may take.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_COEFFICIENT_BOUND_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_COEFFICIENT_BOUND_H_

#include <millrace/algorithms/h264/coded_coefficient.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>

namespace millrace::h264 {

// Returns an upper bound of the number of coefficients of a slice, including those of a macroblock
// that is parsed beyond the slice's end. `bits` is the size of its payload, `macroblocks` the most
// that it may have. A coefficient takes at least one bit: its sign, or in CAVLC a level_prefix,
// whose shortest code has the sign. The transforms of DC may make 16 coefficients of one luma
// level, and 4 of one level of each chroma component.
MILLRACE_FUNCTION constexpr std::size_t most_coefficients(std::size_t bits,
                                                          std::size_t macroblocks) {
  const std::size_t by_bits = bits + (16 + 4 + 4) * macroblocks + kMacroblockCoefficients;
  const std::size_t by_macroblocks = kMacroblockCoefficients * macroblocks;
  return by_bits < by_macroblocks ? by_bits : by_macroblocks;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_COEFFICIENT_BOUND_H_
