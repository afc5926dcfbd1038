// SPDX-License-Identifier: Apache-2.0

// Maps keys of every type and order to unsigned integers in the same order.
//
//   const auto bits = KeyBits<std::uint32_t>::of(KeyType::kF32, SortOrder::kDescending);
//   bits.ordered(raw) < bits.ordered(other)   // True if the key with bits `raw` comes first.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_KEY_BITS_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_KEY_BITS_H_

#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/runtime/core/target_function.h>

namespace millrace::radix_sort {

// For keys read as unsigned integers of their size, std::uint8_t to std::uint64_t. A map is two
// words, so one compiled function serves all key types of a size.
template <class Bits>
struct KeyBits {
  static constexpr int kSignBit = static_cast<int>(sizeof(Bits)) * 8 - 1;
  static constexpr Bits kSign = static_cast<Bits>(Bits{1} << kSignBit);

  Bits flipped = 0;              // Bits that change in every key.
  Bits flipped_if_negative = 0;  // Bits that change in keys whose top bit is set; not the top bit.

  MILLRACE_FUNCTION static constexpr KeyBits of(KeyType type, SortOrder order) {
    const bool is_signed = type != KeyType::kU32 && type != KeyType::kU64 && type != KeyType::kU8 &&
                           type != KeyType::kU16;
    const bool is_float = type == KeyType::kF32 || type == KeyType::kF64 || type == KeyType::kF16;
    const Bits flipped = is_signed ? kSign : Bits{0};
    return {order == SortOrder::kDescending ? static_cast<Bits>(~flipped) : flipped,
            is_float ? static_cast<Bits>(~kSign) : Bits{0}};
  }

  MILLRACE_FUNCTION constexpr Bits ordered(Bits raw) const {
    return static_cast<Bits>(raw ^ flipped ^ (sign_fill(raw) & flipped_if_negative));
  }

  // The inverse of ordered().
  MILLRACE_FUNCTION constexpr Bits raw(Bits ordered) const {
    const auto unflipped = static_cast<Bits>(ordered ^ flipped);
    return static_cast<Bits>(unflipped ^ (sign_fill(unflipped) & flipped_if_negative));
  }

  // Returns true if ordered() changes nothing.
  MILLRACE_FUNCTION constexpr bool is_identity() const {
    return flipped == 0 && flipped_if_negative == 0;
  }

 private:
  // Returns all ones if the top bit is set, otherwise 0.
  MILLRACE_FUNCTION static constexpr Bits sign_fill(Bits value) {
    return static_cast<Bits>(Bits{0} - (value >> kSignBit));
  }
};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_KEY_BITS_H_
