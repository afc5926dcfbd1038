// SPDX-License-Identifier: Apache-2.0

// Reads the bits of a raw byte sequence payload through a window of 64 bits.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_COMMON_BIT_WINDOW_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_COMMON_BIT_WINDOW_H_

#include <millrace/algorithms/h264/entropy/common/leading_zeros.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Returns four bytes as a number, the first one highest.
MILLRACE_FUNCTION inline std::uint32_t big_endian_32(const std::uint8_t* bytes) {
  return static_cast<std::uint32_t>(bytes[0]) << 24 | static_cast<std::uint32_t>(bytes[1]) << 16 |
         static_cast<std::uint32_t>(bytes[2]) << 8 | static_cast<std::uint32_t>(bytes[3]);
}

MILLRACE_FUNCTION inline std::uint64_t big_endian_64(const std::uint8_t* bytes) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  // Loads three aligned words instead of eight bytes. Each word has at least one of the bytes.
  const auto address = reinterpret_cast<std::uintptr_t>(bytes);
  const auto* const words = reinterpret_cast<const std::uint32_t*>(address & ~std::uintptr_t{3});
  const unsigned shift = 8 * static_cast<unsigned>(address & 3);
  const std::uint32_t last = shift == 0 ? 0 : words[2];
  const std::uint32_t first_four = __funnelshift_r(words[0], words[1], shift);
  const std::uint32_t next_four = __funnelshift_r(words[1], last, shift);
  return static_cast<std::uint64_t>(__byte_perm(first_four, 0, 0x0123)) << 32 |
         __byte_perm(next_four, 0, 0x0123);
#else
  return static_cast<std::uint64_t>(bytes[0]) << 56 | static_cast<std::uint64_t>(bytes[1]) << 48 |
         static_cast<std::uint64_t>(bytes[2]) << 40 | static_cast<std::uint64_t>(bytes[3]) << 32 |
         static_cast<std::uint64_t>(bytes[4]) << 24 | static_cast<std::uint64_t>(bytes[5]) << 16 |
         static_cast<std::uint64_t>(bytes[6]) << 8 | static_cast<std::uint64_t>(bytes[7]);
#endif
}

// The bytes are not owned. Bits after the last byte read as 0; position() goes on counting there.
class BitWindow {
 public:
  // Bits that are valid after refill().
  static constexpr int kRefilled = 57;

  MILLRACE_FUNCTION BitWindow(const std::uint8_t* bytes, std::size_t size, std::size_t first_bit)
      : bytes_(bytes), size_(size), position_(first_bit) {
    refill();
  }

  // Continues at a bit counted from the first byte.
  MILLRACE_FUNCTION void seek(std::size_t bit) {
    position_ = bit;
    refill();
  }

  MILLRACE_FUNCTION std::size_t position() const { return position_; }

  // Always loads: a branch on the number of bits left would often be mispredicted.
  [[gnu::always_inline]] MILLRACE_INLINE_FUNCTION void refill() {
    const std::size_t byte = position_ / 8;
    if (byte + 8 <= size_) {
      value_ = big_endian_64(bytes_ + byte) << (position_ % 8);
    } else {
      value_ = bits_at_end(bytes_, size_, position_);
    }
  }

  // The next bits, the first one highest; at least kRefilled of them after refill().
  [[gnu::always_inline]] MILLRACE_INLINE_FUNCTION std::uint64_t bits() const { return value_; }
  // Returns the next `count` bits, 1 to 32.
  [[gnu::always_inline]] MILLRACE_INLINE_FUNCTION std::uint32_t peek(int count) const {
    return static_cast<std::uint32_t>(value_ >> (64 - count));
  }
  [[gnu::always_inline]] MILLRACE_INLINE_FUNCTION void skip(int count) {
    value_ <<= count;
    position_ += static_cast<std::size_t>(count);
  }
  [[gnu::always_inline]] MILLRACE_INLINE_FUNCTION std::uint32_t take(int count) {
    const std::uint32_t result = peek(count);
    skip(count);
    return result;
  }

 private:
  [[gnu::noinline]] MILLRACE_COLD_FUNCTION static std::uint64_t bits_at_end(
      const std::uint8_t* bytes, std::size_t size, std::size_t position) {
    std::uint64_t bits = 0;
    for (std::size_t k = position / 8; k < position / 8 + 8; ++k) {
      bits = bits << 8 | (k < size ? bytes[k] : 0);
    }
    return bits << (position % 8);
  }

  const std::uint8_t* bytes_;
  std::size_t size_;
  std::size_t position_;     // The next bit's.
  std::uint64_t value_ = 0;  // The next bits, the first one highest.
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_COMMON_BIT_WINDOW_H_
