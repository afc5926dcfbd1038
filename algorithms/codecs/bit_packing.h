// SPDX-License-Identifier: Apache-2.0

// A block of 128 integers of w bits each in 16 * w bytes, laid out for vectors of 16 bytes and
// wider.
//
// T is std::uint32_t or std::uint64_t, of B = 32 or 64 bits; S = 128 / B integers make a row, and
// there are B rows. Integer i is in row r = i / S of stream i % S. Each stream is a bit string of
// B * w bits in which row r has bits r * w to r * w + w - 1, lowest first, and is stored as w words
// of type T; word k of stream s is word k * S + s of the block. So one vector of 16 bytes holds the
// same bits of all streams, and a block of width 0 takes no bytes.
//
// The layout for B = 32 is that of Lemire and Boytsov, "Decoding billions of integers per second
// through vectorization" (2015), SIMD-BP128.
#ifndef MILLRACE_ALGORITHMS_CODECS_BIT_PACKING_H_
#define MILLRACE_ALGORITHMS_CODECS_BIT_PACKING_H_

#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::codecs {

inline constexpr int kBlockValues = 128;

template <class T>
inline constexpr int kWordBits = 8 * static_cast<int>(sizeof(T));

template <class T>
inline constexpr int kStreams = 16 / static_cast<int>(sizeof(T));

MILLRACE_FUNCTION constexpr std::size_t packed_block_bytes(int width) {
  return std::size_t{16} * static_cast<std::size_t>(width);
}

// Returns the number of bits needed for `value`; 0 for 0.
template <class T>
MILLRACE_FUNCTION constexpr int bits_of(T value) {
  int bits = 0;
  for (int step = kWordBits<T> / 2; step > 0; step /= 2) {
    if ((value >> step) != 0) {
      bits += step;
      value >>= step;
    }
  }
  return bits + (value != 0 ? 1 : 0);
}

template <class T>
MILLRACE_FUNCTION constexpr T low_bits(int width) {
  return width == kWordBits<T> ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << width) - 1);
}

// Returns word `index` of a block of that width. `value(i)` is integer i, below 2 to the width.
template <class T, class Value>
MILLRACE_FUNCTION T packed_word(const Value& value, int width, int index) {
  const int stream = index % kStreams<T>;
  const int first_bit = index / kStreams<T> * kWordBits<T>;
  int row = first_bit / width;
  T word = value(row * kStreams<T> + stream) >> (first_bit - row * width);
  for (int at = ++row * width - first_bit; at < kWordBits<T>; at += width, ++row) {
    word |= value(row * kStreams<T> + stream) << at;
  }
  return word;
}

// Returns integer i of a block.
template <class T>
MILLRACE_FUNCTION T unpacked_value(const T* words, int width, int i) {
  if (width == 0) return 0;
  const int bit = i / kStreams<T> * width;
  const int shift = bit % kWordBits<T>;
  const T* const word = words + bit / kWordBits<T> * kStreams<T> + i % kStreams<T>;
  T value = word[0] >> shift;
  if (shift + width > kWordBits<T>) value |= word[kStreams<T>] << (kWordBits<T> - shift);
  return value & low_bits<T>(width);
}

}  // namespace millrace::codecs

#endif  // MILLRACE_ALGORITHMS_CODECS_BIT_PACKING_H_
