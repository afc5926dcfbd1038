// SPDX-License-Identifier: Apache-2.0

// Writes syntax elements of CABAC by the ctxIdx of the standard, for tests.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_TESTING_WRITE_CABAC_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_TESTING_WRITE_CABAC_H_

#include <millrace/algorithms/h264/entropy/cabac/cabac_encoder.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_tables.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <span>

namespace millrace::h264 {

// Writes a component of mvd: a prefix of up to nine ones, Exp-Golomb of order 3, and the sign
// (ITU-T H.264 clause 9.3.2.3). `context` is 40 or 47, `sum` that of the neighbours' absolute
// values.
inline void write_vector_difference(CabacEncoder& encoder, int context, int sum, int value) {
  const int magnitude = std::abs(value);
  for (int k = 0; k < 9 && k <= magnitude; ++k) {
    const int first = sum < 3 ? 0 : sum > 32 ? 2 : 1;
    encoder.bin(context + (k == 0 ? first : std::min(k + 2, 6)), k < magnitude);
  }
  if (magnitude >= 9) encoder.exponential_golomb(magnitude - 9, 3);
  if (value != 0) encoder.bypass(value < 0);
}

// Writes residual_block_cabac() of ctxBlockCat 0 to 5 (clauses 7.3.5.3.3 and 9.3.3.1.3).
// `increment` is that of coded_block_flag, which category 5 does not have.
inline void write_cabac_block(CabacEncoder& encoder, int category, int increment,
                              std::span<const int> levels) {
  const int offset[5] = {0, 15, 29, 44, 47};
  const int level_offset[6] = {0, 10, 20, 30, 39, 199};
  int last = -1;
  for (std::size_t k = 0; k < levels.size(); ++k) {
    last = levels[k] != 0 ? static_cast<int>(k) : last;
  }
  if (category < 5) encoder.bin(85 + 4 * category + increment, last >= 0);
  if (last < 0) return;
  // ctxIdx from 399 on is 123 less in CabacTables.
  for (int k = 0; k < static_cast<int>(levels.size()) - 1 && k <= last; ++k) {
    const bool is_significant = levels[static_cast<std::size_t>(k)] != 0;
    encoder.bin(
        category == 5 ? 402 - 123 + kCabacTables.significant_8x8[k] : 105 + offset[category] + k,
        is_significant);
    if (is_significant) {
      encoder.bin(category == 5 ? 417 - 123 + kCabacTables.last_8x8[k] : 166 + offset[category] + k,
                  k == last);
    }
  }
  int ones = 0;
  int above_one = 0;
  for (int k = last; k >= 0; --k) {
    const int level = levels[static_cast<std::size_t>(k)];
    if (level == 0) continue;
    const int context = 227 + level_offset[category] - (category == 5 ? 123 : 0);
    const int rest = std::abs(level) - 1;
    const int first = above_one != 0 ? 0 : std::min(4, 1 + ones);
    const int others = 5 + std::min(category == 3 ? 3 : 4, above_one);
    for (int bin = 0; bin < 14 && bin <= rest; ++bin) {
      encoder.bin(context + (bin == 0 ? first : others), bin < rest);
    }
    if (rest >= 14) encoder.exponential_golomb(rest - 14, 0);
    encoder.bypass(level < 0);
    ones += rest == 0 ? 1 : 0;
    above_one += rest == 0 ? 0 : 1;
  }
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_TESTING_WRITE_CABAC_H_
