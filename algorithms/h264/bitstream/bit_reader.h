// SPDX-License-Identifier: Apache-2.0

// Reads the bits of a raw byte sequence payload (ITU-T H.264 clauses 7.2 and 9.1).
//
//   BitReader reader(payload, bytes);
//   const std::uint32_t id = reader.ue();
//   if (reader.failed()) ...  // Checked once, after many reads.
#ifndef MILLRACE_ALGORITHMS_H264_BITSTREAM_BIT_READER_H_
#define MILLRACE_ALGORITHMS_H264_BITSTREAM_BIT_READER_H_

#include <millrace/runtime/core/target_function.h>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Does not own the bytes. Never reads beyond them: bits after the end are 0, and failed() is true
// from then on.
class BitReader {
 public:
  MILLRACE_FUNCTION BitReader(const std::uint8_t* payload, std::size_t bytes,
                              std::size_t first_bit = 0)
      : payload_(payload), bytes_(bytes), end_(8 * bytes), stop_bit_(stop_bit(payload, bytes)) {
    skip(first_bit);
  }

  // Returns the index of the next bit to read, from 0; size() + 1 after a read beyond the end.
  MILLRACE_FUNCTION std::size_t position() const { return position_; }
  MILLRACE_FUNCTION std::size_t size() const { return end_; }
  // Returns true after a read beyond the end, or after an Exp-Golomb code of more than 63 bits.
  MILLRACE_FUNCTION bool failed() const { return position_ > end_ || has_long_code_; }

  // Returns more_rbsp_data(): true if a bit precedes rbsp_trailing_bits(). Words of zeros after the
  // trailing bits (cabac_zero_words) do not count.
  MILLRACE_FUNCTION bool has_more_data() const { return position_ < stop_bit_; }
  // Returns true if only rbsp_trailing_bits() and words of zeros are left.
  MILLRACE_FUNCTION bool is_at_trailing_bits() const {
    return position_ == stop_bit_ && stop_bit_ < end_;
  }

  // Returns the next `count` bits, 0 to 32, the first one highest, and does not consume them.
  MILLRACE_FUNCTION std::uint32_t peek(int count) const {
    if (count == 0) return 0;
    return static_cast<std::uint32_t>(window() >> (64 - count));
  }

  MILLRACE_FUNCTION void skip(std::size_t count) {
    position_ = position_ <= end_ && count <= end_ - position_ ? position_ + count : end_ + 1;
  }

  // Reads u(n): `count` bits, 0 to 32.
  MILLRACE_FUNCTION std::uint32_t bits(int count) {
    const std::uint32_t value = peek(count);
    skip(static_cast<std::size_t>(count));
    return value;
  }

  MILLRACE_FUNCTION bool flag() { return bits(1) != 0; }

  // Reads ue(v), 0 to 2^32 - 2. Returns 0 for a longer code, and failed() is then true.
  MILLRACE_FUNCTION std::uint32_t ue() {
    const std::uint32_t next = peek(32);
    if (next == 0) {
      has_long_code_ = true;
      return 0;
    }
    const int zeros = leading_zeros(next);
    skip(static_cast<std::size_t>(zeros));
    return bits(zeros + 1) - 1;
  }

  // Reads se(v), -(2^31 - 1) to 2^31 - 1.
  MILLRACE_FUNCTION std::int32_t se() {
    const std::uint32_t code = ue();
    const auto magnitude = static_cast<std::int32_t>((code >> 1) + (code & 1));
    return (code & 1) != 0 ? magnitude : -magnitude;
  }

 private:
  MILLRACE_FUNCTION static int leading_zeros(std::uint32_t value) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    return __clz(static_cast<int>(value));
#else
    return std::countl_zero(value);
#endif
  }

  // Returns the index of the last bit that is 1, with which rbsp_trailing_bits() begin; the end if
  // all bits are 0.
  MILLRACE_FUNCTION static std::size_t stop_bit(const std::uint8_t* payload, std::size_t bytes) {
    std::size_t used = bytes;
    while (used > 0 && payload[used - 1] == 0) --used;
    if (used == 0) return 8 * bytes;
    std::size_t bit = 8 * used - 1;
    for (int last = payload[used - 1]; (last & 1) == 0; last >>= 1) --bit;
    return bit;
  }

  // Returns at least 57 bits from the position on, the first one highest, zeros after the end.
  MILLRACE_FUNCTION std::uint64_t window() const {
    const std::size_t first = position_ >> 3;
    std::uint64_t value = 0;
    if (first + 8 <= bytes_) {
      const std::uint8_t* const at = payload_ + first;
      value = std::uint64_t{at[0]} << 56 | std::uint64_t{at[1]} << 48 | std::uint64_t{at[2]} << 40 |
              std::uint64_t{at[3]} << 32 | std::uint64_t{at[4]} << 24 | std::uint64_t{at[5]} << 16 |
              std::uint64_t{at[6]} << 8 | std::uint64_t{at[7]};
    } else {
      for (std::size_t i = first; i < bytes_; ++i) {
        value |= std::uint64_t{payload_[i]} << (56 - 8 * (i - first));
      }
    }
    return value << (position_ & 7);
  }

  const std::uint8_t* payload_;
  std::size_t bytes_;
  std::size_t end_;
  std::size_t stop_bit_;
  std::size_t position_ = 0;
  bool has_long_code_ = false;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_BITSTREAM_BIT_READER_H_
