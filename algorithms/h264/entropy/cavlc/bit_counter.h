// SPDX-License-Identifier: Apache-2.0

// Counts the bits that a BitWriter would write.
//
//   BitCounter counter;
//   counter.ue(3);
//   counter.position();  // 5
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_CAVLC_BIT_COUNTER_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_CAVLC_BIT_COUNTER_H_

#include <millrace/algorithms/h264/entropy/common/leading_zeros.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Has BitWriter's functions but bytes().
class BitCounter {
 public:
  BitCounter() = default;
  // Counts on from `position`, which determines how many bits align() adds.
  MILLRACE_FUNCTION explicit BitCounter(std::size_t position) : position_(position) {}

  MILLRACE_FUNCTION void bits(std::uint64_t /*value*/, int count) {
    position_ += static_cast<std::size_t>(count);
  }
  MILLRACE_FUNCTION void flag(bool /*value*/) { ++position_; }
  MILLRACE_FUNCTION void ue(std::uint32_t value) {
    bits(0, 2 * (64 - leading_zeros(std::uint64_t{value} + 1)) - 1);
  }
  MILLRACE_FUNCTION void se(std::int32_t value) {
    const std::int64_t wide = value;
    ue(static_cast<std::uint32_t>(wide > 0 ? 2 * wide - 1 : -2 * wide));
  }
  MILLRACE_FUNCTION void align() { position_ = (position_ + 7) / 8 * 8; }
  MILLRACE_FUNCTION void trailing_bits() {
    ++position_;
    align();
  }

  // Returns the number of bits counted.
  MILLRACE_FUNCTION std::size_t position() const { return position_; }

 private:
  std::size_t position_ = 0;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_CAVLC_BIT_COUNTER_H_
