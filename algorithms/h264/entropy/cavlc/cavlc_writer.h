// SPDX-License-Identifier: Apache-2.0

// Writes blocks of coefficients by CAVLC (ITU-T H.264 clause 9.2), or counts their bits.
//
//   BitCounter counter;
//   write_block<16>(kCavlcCodes, token_class, levels, counter);
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_CAVLC_CAVLC_WRITER_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_CAVLC_CAVLC_WRITER_H_

#include <millrace/algorithms/h264/entropy/cavlc/cavlc_codes.h>
#include <millrace/algorithms/h264/entropy/common/nonzero_mask.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

// Writes a level code: levelCode of clause 9.2.2.1, less 2 where the first level is not 1 or -1.
// `Sink` is BitWriter or BitCounter.
template <class Sink>
MILLRACE_INLINE_FUNCTION void write_level_code(int code, int suffix_length, Sink& sink) {
  int prefix;
  int size = suffix_length;
  if (code < (suffix_length == 0 ? 14 : 15 << suffix_length)) {
    prefix = code >> suffix_length;
    code &= (1 << suffix_length) - 1;
  } else if (suffix_length == 0 && code < 30) {
    prefix = 14;
    size = 4;
    code -= 14;
  } else {
    code -= (15 << suffix_length) + (suffix_length == 0 ? 15 : 0);
    prefix = 15;
    // Prefixes from 16 on are for levels beyond those of decoders of 8 bits.
    while (code >= (2 << (prefix - 3)) - 4096) {
      ++prefix;
    }
    code -= (1 << (prefix - 3)) - 4096;
    size = prefix - 3;
  }
  sink.bits(1ULL << size | static_cast<std::uint64_t>(code), prefix + 1 + size);
}

// Writes residual_block_cavlc() of `maximum` levels in zig-zag order: 4, 15 or 16. `token_class` as
// CavlcReader takes it. Returns TotalCoeff.
template <int maximum, class Sink>
MILLRACE_FUNCTION int write_block(const CavlcCodes& codes, int token_class,
                                  const std::int16_t* levels, Sink& sink) {
  const std::uint64_t mask = nonzero_mask<maximum>(levels);
  if (mask == 0) {
    const CavlcCode token = codes.coefficient_tokens[token_class][0][0];
    sink.bits(token.bits, token.length);
    return 0;
  }
  const int total = count_of(mask);
  const int highest = highest_bit(mask);

  // Trailing ones. `rest` are the levels that are not written yet.
  std::uint64_t rest = mask;
  int ones = 0;
  std::uint64_t signs = 0;
  while (rest != 0 && ones < 3) {
    const int position = highest_bit(rest);
    const int level = levels[position];
    if (level != 1 && level != -1) {
      break;
    }
    signs = signs << 1 | (level < 0 ? 1 : 0);
    ++ones;
    rest ^= 1ULL << position;
  }
  const CavlcCode token = codes.coefficient_tokens[token_class][ones][total];
  sink.bits(static_cast<std::uint64_t>(token.bits) << ones | signs, token.length + ones);

  int suffix_length = total > 10 && ones < 3 ? 1 : 0;
  int first = ones < 3 ? 2 : 0;
  while (rest != 0) {
    const int position = highest_bit(rest);
    rest ^= 1ULL << position;
    const int level = levels[position];
    const int magnitude = level < 0 ? -level : level;
    write_level_code(2 * magnitude - 2 + (level < 0 ? 1 : 0) - first, suffix_length, sink);
    first = 0;
    suffix_length += suffix_length == 0 ? 1 : 0;
    suffix_length += magnitude > 3 << (suffix_length - 1) && suffix_length < 6 ? 1 : 0;
  }

  if (total == maximum) {
    return total;
  }
  // total_zeros and all runs are at most 51 bits.
  int zeros = highest + 1 - total;
  const CavlcCode total_zeros = maximum == 4 ? codes.chroma_total_zeros[total - 1][zeros]
                                             : codes.total_zeros[total - 1][zeros];
  std::uint64_t bits = total_zeros.bits;
  int length = total_zeros.length;
  int position = highest;
  rest = mask ^ 1ULL << highest;
  while (zeros > 0 && rest != 0) {
    const int next = highest_bit(rest);
    rest ^= 1ULL << next;
    const int run = position - next - 1;
    const CavlcCode code = codes.runs_before[zeros][run];
    bits = bits << code.length | code.bits;
    length += code.length;
    zeros -= run;
    position = next;
  }
  sink.bits(bits, length);
  return total;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_CAVLC_CAVLC_WRITER_H_
