// SPDX-License-Identifier: Apache-2.0

// Reads syntax elements coded by Exp-Golomb codes and CAVLC (ITU-T H.264 clauses 9.1 and 9.2).
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_CAVLC_CAVLC_READER_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_CAVLC_CAVLC_READER_H_

#include <millrace/algorithms/h264/entropy/cavlc/cavlc_tables.h>
#include <millrace/algorithms/h264/entropy/common/bit_window.h>
#include <millrace/algorithms/h264/entropy/common/residual_target.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Neither the bytes nor the tables are owned. An invalid code sets damage() and is read as a valid
// value.
class CavlcReader {
 public:
  static constexpr bool kIsCabac = false;

  MILLRACE_FUNCTION CavlcReader(const CavlcTables& tables, const std::uint8_t* bytes,
                                std::size_t size, std::size_t first_bit)
      : tables_(&tables), bytes_(bytes), size_(size), window_(bytes, size, first_bit) {}

  MILLRACE_FUNCTION const char* damage() const { return damage_; }
  MILLRACE_FUNCTION void note_damage(const char* damage) {
    if (damage_ == nullptr) {
      damage_ = damage;
    }
  }
  MILLRACE_FUNCTION std::size_t position() const { return window_.position(); }

  [[gnu::always_inline]] MILLRACE_INLINE_FUNCTION bool flag() {
    window_.refill();
    return window_.take(1) != 0;
  }
  [[gnu::always_inline]] MILLRACE_INLINE_FUNCTION std::uint32_t bits(int count) {
    window_.refill();
    return window_.take(count);
  }

  // Reads ue(v).
  [[gnu::always_inline]] MILLRACE_INLINE_FUNCTION std::uint32_t unsigned_code() {
    window_.refill();
    const int zeros = leading_zeros(window_.bits());
    if (zeros < 16) {
      return window_.take(2 * zeros + 1) - 1;
    }
    return long_code(zeros);
  }
  // Reads se(v).
  [[gnu::always_inline]] MILLRACE_INLINE_FUNCTION int signed_code() {
    const std::uint32_t code = unsigned_code();
    const auto half = static_cast<int>((code + 1) / 2);
    return code % 2 == 1 ? half : -half;
  }
  // Reads te(v) of values up to count - 1.
  MILLRACE_INLINE_FUNCTION std::uint32_t truncated_code(int count) {
    return count == 2 ? (flag() ? 0 : 1) : unsigned_code();
  }

  MILLRACE_INLINE_FUNCTION int coded_block_pattern(bool is_inter) {
    const std::uint32_t code = unsigned_code();
    if (code > 47) {
      note_damage("coded_block_pattern code above 47");
      return 0;
    }
    return tables_->coded_block_patterns[is_inter ? 1 : 0][code];
  }

  // Reads prev_intra4x4_pred_mode_flag or prev_intra8x8_pred_mode_flag and what follows: the mode
  // that remains, or -1 where it is the predicted one.
  [[gnu::always_inline]] MILLRACE_INLINE_FUNCTION int intra_mode() {
    window_.refill();
    const auto code = static_cast<int>(window_.peek(4));
    window_.skip(code < 8 ? 4 : 1);
    return code < 8 ? code : -1;
  }

  // Returns the class of nC. `sum` is the sum of the neighbours' counts, with CountGrid::kMissing
  // for one that is missing.
  [[gnu::always_inline]] MILLRACE_INLINE_FUNCTION int token_class_of(int sum) const {
    return tables_->token_classes[sum];
  }

  // Reads residual_block_cavlc() of up to `maximum` coefficients: 4, 15 or 16. Returns TotalCoeff.
  template <int maximum, class Target>
  [[gnu::always_inline]] MILLRACE_INLINE_FUNCTION int residual_block(int token_class,
                                                                     Target& target) {
    window_.refill();
    const int token = coefficient_token(token_class);
    if (total_of(token) == 0) {
      window_.skip(length_of(token));
      return 0;
    }
    return coefficients<maximum>(token, target);
  }

  // Skips pcm_alignment_zero_bits and returns `count` bytes, or null where they are not there.
  MILLRACE_FUNCTION const std::uint8_t* pcm_bytes(std::size_t count) {
    const std::size_t position = window_.position();
    const std::size_t first = (position + 7) / 8;
    if (first > size_ || size_ - first < count) {
      note_damage("I_PCM samples past the end of the slice");
      return nullptr;
    }
    if ((bytes_[position / 8] << (position % 8) & 255) != 0 && position % 8 != 0) {
      note_damage("pcm_alignment_zero_bit that is 1");
      return nullptr;
    }
    pcm_end_ = first + count;
    return bytes_ + first;
  }
  // Continues after the bytes of pcm_bytes().
  MILLRACE_FUNCTION void resume_after_pcm() { window_.seek(8 * pcm_end_); }

 private:
  [[gnu::noinline]] MILLRACE_COLD_FUNCTION std::uint32_t long_code(int zeros) {
    if (zeros > 31) {
      note_damage("Exp-Golomb code of more than 63 bits");
      return 0;
    }
    window_.skip(zeros);
    window_.refill();
    return window_.take(zeros + 1) - 1;
  }

  // A coeff_token as entries of CavlcTables::coefficient_tokens have it.
  MILLRACE_INLINE_FUNCTION static int length_of(int token) { return token & 31; }
  MILLRACE_INLINE_FUNCTION static int ones_of(int token) { return token >> 5 & 3; }
  MILLRACE_INLINE_FUNCTION static int total_of(int token) { return token >> 7; }

  // Returns coeff_token, which is not taken out of the window. The window is full.
  [[gnu::always_inline]] MILLRACE_INLINE_FUNCTION int coefficient_token(int token_class) {
    if (token_class == kLongTokens) {
      const auto code = static_cast<int>(window_.peek(6));
      if (code == 3) {
        return 6;
      }
      if (code % 4 > code / 4 + 1) {
        note_damage("coeff_token 000010");
        return 0;
      }
      return 6 | code % 4 << 5 | (code / 4 + 1) << 7;
    }
    const int zeros = leading_zeros(window_.bits() | 1U << 16);
    const int row = zeros < 15 ? zeros : 15;
    const auto column = static_cast<int>(window_.bits() << (row + 1) >> 61);
    const int entry = tables_->coefficient_tokens[token_class][row][column];
    if (entry == 0) {
      note_damage("coeff_token that is no code word");
    }
    return entry;
  }

  // Reads a block with coefficients. The window is full and begins with `token`. Without branches
  // on the number of coefficients it is slower (docs/experiments/what_limits_cavlc_on_a_cpu.md).
  template <int maximum, class Target>
  MILLRACE_NOINLINE_FUNCTION int coefficients(int token, Target& target) {
    const int total = total_of(token);
    if (maximum < 16 && total > maximum) {
      note_damage("TotalCoeff above the coefficients of its block");
      return 0;
    }
    BitWindow window = window_;
    window.skip(length_of(token));
    std::int32_t levels[16];
    if (!read_levels(window, ones_of(token), total, levels)) {
      note_damage("level_prefix above 25");
      return 0;
    }
    // The window has all the bits that follow. They are at most 51: 9 of total_zeros and 42 of 14
    // runs in 6 zeros. Trailing ones alone leave it less full, but two runs in 15 zeros follow
    // them, and at most 21 bits.
    int zeros_left = 0;
    if (total < maximum) {
      int entry;
      if constexpr (maximum == 4) {
        entry = tables_->chroma_total_zeros[total - 1][window.peek(3)];
      } else {
        const TotalZerosTable table = total_zeros_table(total);
        entry =
            tables_->total_zeros[static_cast<std::uint32_t>(table.first) + window.peek(table.bits)];
      }
      window.skip(entry >> 4);
      zeros_left = entry & 15;
      if (entry == 0 || total + zeros_left > maximum) {
        note_damage(entry == 0 ? "total_zeros that is no code word"
                               : "total_zeros above the coefficients of its block");
        return 0;
      }
    }
    int k = total + zeros_left - 1;
    Target to = target;
    to.put(k, levels[0]);
    for (int i = 1; i < total; ++i) {
      const int entry = tables_->runs_before[zeros_left][window.peek(3)];
      int run = entry & 15;
      int length = entry >> 4;
      if (entry == kLongRun) {
        length = leading_zeros(window.bits() | 1) + 1;
        run = length + 3;
        if (run > zeros_left) {
          note_damage("run_before above the zeros left");
          return 0;
        }
      }
      window.skip(length);
      zeros_left -= run;
      k -= 1 + run;
      to.put(k, levels[i]);
    }
    target = to;
    window_ = window;
    return total;
  }

  // Clause 9.2.2. Levels are those of positions from the highest on. Returns true if all are valid.
  // Leaves the window full, unless all levels are trailing ones, which take at most three bits.
  [[gnu::always_inline]] MILLRACE_INLINE_FUNCTION static bool read_levels(
      BitWindow& window, int ones, int total, std::int32_t (&levels)[16]) {
    const auto signs = static_cast<std::uint32_t>(window.bits() >> 61);
    levels[0] = 1 - static_cast<int>(signs >> 1 & 2);
    levels[1] = 1 - static_cast<int>(signs & 2);
    levels[2] = 1 - static_cast<int>(signs << 1 & 2);
    window.skip(ones);
    if (ones == total) {
      return true;
    }
    int suffix_length = total > 10 && ones < 3 ? 1 : 0;
    int first = ones < 3 ? 2 : 0;  // The first level is not 1 or -1 where less than 3 ones trail.
    for (int i = ones; i < total; ++i) {
      const int prefix = leading_zeros(window.bits() | 1);
      int code;
      if (prefix < 14 || (prefix == 14 && suffix_length > 0)) {
        const std::uint32_t rest = window.take(prefix + 1 + suffix_length);
        code = (prefix << suffix_length) + static_cast<int>(rest & ((1U << suffix_length) - 1));
      } else {
        if (prefix > kLongestPrefix) {
          return false;
        }
        window.skip(prefix + 1);
        window.refill();
        const int size = prefix == 14 ? 4 : prefix - 3;
        code = escaped_level(prefix, suffix_length, window.take(size));
      }
      window.refill();
      code += first;
      first = 0;
      // Even codes are positive levels, odd ones negative.
      const int magnitude = (code >> 1) + 1;
      const int sign = -(code & 1);
      levels[i] = (magnitude ^ sign) - sign;
      suffix_length += suffix_length == 0 ? 1 : 0;
      suffix_length += magnitude > 3 << (suffix_length - 1) && suffix_length < 6 ? 1 : 0;
    }
    return true;
  }

  MILLRACE_FUNCTION static int escaped_level(int prefix, int suffix_length, std::uint32_t suffix) {
    if (prefix == 14) {
      return 14 + static_cast<int>(suffix);
    }
    int code = (15 << suffix_length) + static_cast<int>(suffix);
    code += suffix_length == 0 ? 15 : 0;
    code += prefix >= 16 ? (1 << (prefix - 3)) - 4096 : 0;
    return code;
  }

  static constexpr int kLongestPrefix = 25;  // Levels of 24 bits; 8-bit samples need fewer.

  const CavlcTables* tables_;
  const std::uint8_t* bytes_;
  std::size_t size_;
  BitWindow window_;
  std::size_t pcm_end_ = 0;
  const char* damage_ = nullptr;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_CAVLC_CAVLC_READER_H_
