// SPDX-License-Identifier: Apache-2.0

// Writes blocks of coefficients by CAVLC (ITU-T H.264 clause 9.2), for tests.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_CAVLC_CAVLC_WRITER_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_CAVLC_CAVLC_WRITER_H_

#include <millrace/algorithms/h264/bitstream/testing/bit_writer.h>
#include <millrace/algorithms/h264/entropy/cavlc/cavlc_reader.h>
#include <millrace/algorithms/h264/entropy/cavlc/cavlc_tables.h>

#include <cstdlib>
#include <span>
#include <vector>

namespace millrace::h264 {

inline void write_code(BitWriter& writer, CavlcCode code) { writer.bits(code.bits, code.length); }

// Writes a level code (levelCode of clause 9.2.2.1 before the first level's 2 are added).
inline void write_level_code(BitWriter& writer, int code, int suffix_length) {
  const auto unary = [&writer](int prefix) {
    writer.bits(0, prefix);
    writer.bits(1, 1);
  };
  if (suffix_length == 0 && code >= 14 && code < 30) {
    unary(14);
    writer.bits(static_cast<std::uint64_t>(code - 14), 4);
    return;
  }
  if (code < (suffix_length == 0 ? 14 : 15 << suffix_length)) {
    unary(code >> suffix_length);
    writer.bits(static_cast<std::uint64_t>(code), suffix_length);
    return;
  }
  const int base = (15 << suffix_length) + (suffix_length == 0 ? 15 : 0);
  int prefix = 15;
  int first = base;
  while (code >= first + (1 << (prefix - 3))) {
    ++prefix;
    first = base + (1 << (prefix - 3)) - 4096;
  }
  unary(prefix);
  writer.bits(static_cast<std::uint64_t>(code - first), prefix - 3);
}

// Writes residual_block_cavlc() of levels in zig-zag order. `token_class` as CavlcReader takes it.
inline void write_block(BitWriter& writer, int token_class, std::span<const int> levels) {
  std::vector<int> values;  // From the highest position on.
  std::vector<int> runs;    // Zeros before each.
  int zeros = 0;
  for (const int level : levels) {
    if (level == 0) {
      ++zeros;
    } else {
      values.insert(values.begin(), level);
      runs.insert(runs.begin(), zeros);
      zeros = 0;
    }
  }
  const std::size_t total = values.size();
  std::size_t ones = 0;
  while (ones < total && ones < 3 && std::abs(values[ones]) == 1) {
    ++ones;
  }
  if (token_class == kLongTokens) {
    writer.bits(total == 0 ? 3 : 4 * (total - 1) + ones, 6);
  } else {
    write_code(writer, kCoefficientTokens[token_class][ones][total]);
  }
  if (total == 0) {
    return;
  }
  for (std::size_t i = 0; i < ones; ++i) {
    writer.flag(values[i] < 0);
  }
  int suffix_length = total > 10 && ones < 3 ? 1 : 0;
  for (std::size_t i = ones; i < total; ++i) {
    int code = values[i] > 0 ? 2 * values[i] - 2 : -2 * values[i] - 1;
    code -= i == ones && ones < 3 ? 2 : 0;
    write_level_code(writer, code, suffix_length);
    suffix_length = suffix_length == 0 ? 1 : suffix_length;
    if (std::abs(values[i]) > 3 << (suffix_length - 1) && suffix_length < 6) {
      ++suffix_length;
    }
  }
  int left = 0;
  for (const int run : runs) {
    left += run;
  }
  if (total < levels.size()) {
    write_code(writer, levels.size() == 4 ? kChromaTotalZeros[total - 1][left]
                                          : kTotalZeros[total - 1][left]);
  }
  for (std::size_t i = 0; i + 1 < total && left > 0; ++i) {
    if (runs[i] < 7) {
      write_code(writer, kRunsBefore[left < 7 ? left - 1 : 6][runs[i]]);
    } else {
      writer.bits(1, runs[i] - 3);
    }
    left -= runs[i];
  }
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_CAVLC_CAVLC_WRITER_H_
