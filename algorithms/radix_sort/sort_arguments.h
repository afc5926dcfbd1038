// SPDX-License-Identifier: Apache-2.0

// The arguments of a sort.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_SORT_ARGUMENTS_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_SORT_ARGUMENTS_H_

#include <millrace/runtime/core/memory_space.h>
#include <millrace/runtime/stream/codec_choice.h>

#include <cstddef>
#include <cstdint>

namespace millrace::radix_sort {

enum class KeyType : std::uint8_t { kU32, kU64, kI32, kI64, kF32, kF64 };

inline constexpr KeyType kKeyTypes[] = {KeyType::kU32, KeyType::kU64, KeyType::kI32,
                                        KeyType::kI64, KeyType::kF32, KeyType::kF64};

// "u32", "u64", "i32", "i64", "f32" or "f64".
constexpr const char* to_string(KeyType type) {
  switch (type) {
    case KeyType::kU32: return "u32";
    case KeyType::kU64: return "u64";
    case KeyType::kI32: return "i32";
    case KeyType::kI64: return "i64";
    case KeyType::kF32: return "f32";
    case KeyType::kF64: return "f64";
  }
  return "unknown";
}

// 4 or 8.
constexpr std::size_t key_bytes(KeyType type) {
  return type == KeyType::kU32 || type == KeyType::kI32 || type == KeyType::kF32 ? 4 : 8;
}

enum class SortOrder : std::uint8_t { kAscending, kDescending };

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
  CodecUse codec = CodecUse::kMeasured;      // For sorted keys that are streamed to the host.
};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_SORT_ARGUMENTS_H_
