// SPDX-License-Identifier: Apache-2.0

// Writes blocks of levels that tests make by hand.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_TESTING_WRITE_LEVELS_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_TESTING_WRITE_LEVELS_H_

#include <millrace/algorithms/h264/bitstream/writers/bit_writer.h>
#include <millrace/algorithms/h264/entropy/cavlc/cavlc_writer.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::h264 {

// Writes residual_block_cavlc() of 4, 15 or 16 levels in zig-zag order.
inline void write_block(BitWriter& writer, int token_class, std::span<const int> levels) {
  std::int16_t values[16] = {};
  for (std::size_t k = 0; k < levels.size(); ++k) values[k] = static_cast<std::int16_t>(levels[k]);
  if (levels.size() == 4) write_block<4>(kCavlcCodes, token_class, values, writer);
  if (levels.size() == 15) write_block<15>(kCavlcCodes, token_class, values, writer);
  if (levels.size() == 16) write_block<16>(kCavlcCodes, token_class, values, writer);
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_TESTING_WRITE_LEVELS_H_
