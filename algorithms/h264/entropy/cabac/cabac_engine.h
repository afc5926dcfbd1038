// SPDX-License-Identifier: Apache-2.0

// The arithmetic decoding engine of CABAC (ITU-T H.264 clause 9.3.3.2).
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_CABAC_CABAC_ENGINE_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_CABAC_CABAC_ENGINE_H_

#include <millrace/algorithms/h264/entropy/cabac/cabac_tables.h>
#include <millrace/algorithms/h264/entropy/common/bit_window.h>
#include <millrace/algorithms/h264/entropy/common/leading_zeros.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Neither the bytes nor the tables are owned. Bits after the last byte read as 0; position() goes
// on counting there. Loops copy an engine to keep it in registers.
class CabacEngine {
 public:
  MILLRACE_FUNCTION CabacEngine(const CabacTables& tables, const std::uint8_t* bytes,
                                std::size_t size)
      : tables_(&tables), bytes_(bytes), size_(size) {}

  // Initialises the engine at a byte (clause 9.3.1.2).
  MILLRACE_FUNCTION void start(std::size_t byte) {
    range_ = 510;
    value_ = static_cast<std::uint64_t>(bits_at_end(bytes_, size_, byte)) << (kOffsetBit - 23);
    next_ = byte + 4;
    count_ = 23;
  }

  // Returns the number of bits that the standard's engine has read, from the first byte on.
  MILLRACE_FUNCTION std::size_t position() const {
    return 8 * next_ - static_cast<std::size_t>(count_);
  }
  MILLRACE_FUNCTION std::size_t size() const { return size_; }
  MILLRACE_FUNCTION const std::uint8_t* bytes() const { return bytes_; }
  // The offset is below the range in every stream that an encoder can write.
  MILLRACE_FUNCTION bool is_in_range() const { return value_ >> kOffsetBit < range_; }

  // Decodes a bin of the context with this state, and adapts it.
  [[gnu::always_inline]] MILLRACE_INLINE_FUNCTION int decode(std::uint8_t& state) {
    const unsigned old_state = state;
    const std::uint64_t lps = tables_->range_lps[old_state][range_ >> 6 & 3];
    const std::uint64_t mps = range_ - lps;
    const std::uint64_t scaled = mps << kOffsetBit;
    if (value_ < scaled) {
      // Only a range below 256 is shifted, by one bit.
      const int shift = static_cast<int>(mps >> 8 ^ 1);
      state = tables_->next_state[0][old_state];
      range_ = mps << shift;
      value_ <<= shift;
      count_ -= shift;
      refill();
      return static_cast<int>(old_state & 1);
    }
    state = tables_->next_state[1][old_state];
    const int shift = leading_zeros(lps) - (64 - kRangeBits);
    value_ = (value_ - scaled) << shift;
    range_ = lps << shift;
    count_ -= shift;
    refill();
    return static_cast<int>(~old_state & 1);
  }

  [[gnu::always_inline]] MILLRACE_INLINE_FUNCTION int decode_bypass() {
    value_ <<= 1;
    --count_;
    const std::uint64_t scaled = range_ << kOffsetBit;
    const auto bin = static_cast<std::uint64_t>(value_ >= scaled);
    value_ -= scaled & -bin;
    refill();
    return static_cast<int>(bin);
  }

  // Decodes a bin before termination. After a 1 the last bit that was read is the rbsp_stop_one_bit
  // or the bit before I_PCM samples.
  [[gnu::always_inline]] MILLRACE_INLINE_FUNCTION bool decode_terminate() {
    range_ -= 2;
    if (value_ >> kOffsetBit >= range_) {
      return true;
    }
    if (range_ < 256) {
      range_ <<= 1;
      value_ <<= 1;
      --count_;
      refill();
    }
    return false;
  }

 private:
  static constexpr int kRangeBits = 9;
  // Lowest bit of the offset in value_. A bypass bin needs one bit above the offset's nine.
  static constexpr int kOffsetBit = 64 - kRangeBits - 1;

  // Returns four bytes from `next` on, 0 after the last one.
  [[gnu::noinline]] MILLRACE_COLD_FUNCTION static std::uint32_t bits_at_end(
      const std::uint8_t* bytes, std::size_t size, std::size_t next) {
    std::uint32_t bits = 0;
    for (std::size_t k = next; k < next + 4; ++k) {
      bits = bits << 8 | (k < size ? bytes[k] : 0);
    }
    return bits;
  }

  // Leaves at least 8 bits to shift in, more than any bin takes.
  [[gnu::always_inline]] MILLRACE_INLINE_FUNCTION void refill() {
    if (count_ < 8) {
      std::uint32_t bits;
      if (next_ + 4 <= size_) {
        bits = big_endian_32(bytes_ + next_);
        next_ += 4;
      } else {
        bits = bits_at_end(bytes_, size_, next_);
        next_ += 4;
      }
      value_ |= static_cast<std::uint64_t>(bits) << (kOffsetBit - 32 - count_);
      count_ += 32;
    }
  }

  const CabacTables* tables_;
  const std::uint8_t* bytes_;
  std::size_t size_;
  std::size_t next_ = 0;     // Next byte to load.
  std::uint64_t value_ = 0;  // codIOffset, and the bits after it.
  std::uint64_t range_ = 0;  // codIRange
  int count_ = 0;            // Valid bits after the offset.
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_CABAC_CABAC_ENGINE_H_
