// SPDX-License-Identifier: Apache-2.0

// The arguments of a sort.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_SORT_ARGUMENTS_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_SORT_ARGUMENTS_H_

#include <millrace/runtime/core/memory_space.h>
#include <millrace/runtime/stream/codec_choice.h>

#include <cstddef>
#include <cstdint>

namespace millrace::radix_sort {

enum class KeyType : std::uint8_t {
  kU32,
  kU64,
  kI32,
  kI64,
  kF32,
  kF64,
  kU8,
  kU16,
  kI8,
  kI16,
  kF16  // IEEE 754's binary16.
};

// Keys of 4 and 8 bytes.
inline constexpr KeyType kKeyTypes[] = {KeyType::kU32, KeyType::kU64, KeyType::kI32,
                                        KeyType::kI64, KeyType::kF32, KeyType::kF64};

// Keys of 1 and 2 bytes.
inline constexpr KeyType kNarrowKeyTypes[] = {KeyType::kU8, KeyType::kU16, KeyType::kI8,
                                              KeyType::kI16, KeyType::kF16};

// "u32", "u64", "i32", "i64", "f32", "f64", "u8", "u16", "i8", "i16" or "f16".
constexpr const char* to_string(KeyType type) {
  switch (type) {
    case KeyType::kU32: return "u32";
    case KeyType::kU64: return "u64";
    case KeyType::kI32: return "i32";
    case KeyType::kI64: return "i64";
    case KeyType::kF32: return "f32";
    case KeyType::kF64: return "f64";
    case KeyType::kU8: return "u8";
    case KeyType::kU16: return "u16";
    case KeyType::kI8: return "i8";
    case KeyType::kI16: return "i16";
    case KeyType::kF16: return "f16";
  }
  return "unknown";
}

// 1, 2, 4 or 8.
constexpr std::size_t key_bytes(KeyType type) {
  switch (type) {
    case KeyType::kU8:
    case KeyType::kI8: return 1;
    case KeyType::kU16:
    case KeyType::kI16:
    case KeyType::kF16: return 2;
    case KeyType::kU32:
    case KeyType::kI32:
    case KeyType::kF32: return 4;
    default: return 8;
  }
}

// Bits `first` to `end` - 1 of a key decide its position; those of an unsigned integer that is in
// the order of the keys (key_bits.h), which for unsigned keys is the key itself. Bit 0 is the
// lowest.
struct BitRange {
  int first = 0;
  int end = 0;  // 0: to the highest bit.

  constexpr int end_of(KeyType type) const {
    return end == 0 ? static_cast<int>(8 * key_bytes(type)) : end;
  }
  constexpr bool is_all_of(KeyType type) const {
    return first == 0 && end_of(type) == static_cast<int>(8 * key_bytes(type));
  }
};

enum class SortOrder : std::uint8_t { kAscending, kDescending };

// Keys of 1 and 2 bytes, and keys by a range of bits, are sorted by counting (digit_sort.h):
// in device memory by the device, and in host memory by threads of the host, whatever the device.
//
// `count` keys and as many values of `value_bytes` (0, 4 or 8) each, which move with their keys.
// Sorting is stable in both orders: equal keys keep their order. Floating-point keys are in the
// total order of IEEE 754, which is that of their bits: -NaN < -infinity < ... < -0 < +0 < ... <
// +infinity < +NaN.
//
// Each output is the input of its kind or overlaps no other array. With `is_argsort` the value of
// key i is i and `values_in` is null; `keys_out` may then be null, to get only the indices. Arrays
// start at multiples of their element's size.
struct SortArguments {
  KeyType key_type = KeyType::kU32;
  std::size_t value_bytes = 0;
  bool is_argsort = false;
  SortOrder order = SortOrder::kAscending;
  std::size_t count = 0;
  const void* keys_in = nullptr;
  void* keys_out = nullptr;
  const void* values_in = nullptr;
  void* values_out = nullptr;
  MemorySpace space = MemorySpace::kDevice;  // Space of all arrays.
  CodecUse codec = CodecUse::kMeasured;      // Used for sorted keys that are streamed to the host.
  BitRange bits{};                           // Keys that are equal in these keep their order.

  // The number of keys, in memory of `space`, for a number that only the device knows: it is read
  // when the queue has passed what is in it, and `count` is the capacity of the arrays, at least as
  // large. Null: `count` is the number.
  const std::uint64_t* count_in = nullptr;
};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_SORT_ARGUMENTS_H_
