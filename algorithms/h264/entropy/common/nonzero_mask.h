// SPDX-License-Identifier: Apache-2.0

// Finds the levels of a block that are not 0.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_COMMON_NONZERO_MASK_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_COMMON_NONZERO_MASK_H_

#include <millrace/algorithms/h264/entropy/common/leading_zeros.h>
#include <millrace/runtime/core/target_function.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace millrace::h264 {

static_assert(std::endian::native == std::endian::little,
              "nonzero_mask() loads four levels at once");

// Returns a mask whose bit k is 1 if level k is not 0. `count`, the number of levels, is 1 to 64.
template <int count>
MILLRACE_INLINE_FUNCTION std::uint64_t nonzero_mask(const std::int16_t* levels) {
  constexpr std::uint64_t kAllButHighest = 0x7fff'7fff'7fff'7fff;
  // Moves bits 0, 16, 32 and 48 to bits 48 to 51.
  constexpr std::uint64_t kGather = 1ULL << 48 | 1ULL << 33 | 1ULL << 18 | 1ULL << 3;
  std::uint64_t mask = 0;
  for (int first = 0; first < count; first += 4) {
    const int size = count - first < 4 ? count - first : 4;
    std::uint64_t four = 0;
    std::memcpy(&four, levels + first, static_cast<std::size_t>(size) * sizeof(std::int16_t));
    const std::uint64_t is_set = ((four & kAllButHighest) + kAllButHighest) | four;
    const std::uint64_t lowest = is_set >> 15 & 0x0001'0001'0001'0001;
    mask |= (lowest * kGather >> 48 & 15) << first;
  }
  return mask;
}

// Returns the position of the highest bit that is 1; `mask` is not 0.
MILLRACE_INLINE_FUNCTION int highest_bit(std::uint64_t mask) { return 63 - leading_zeros(mask); }

// Returns the number of bits that are 1. Sums them in parallel: the instruction for that is not in
// the x86 that all code is compiled for.
MILLRACE_INLINE_FUNCTION int count_of(std::uint64_t mask) {
  mask -= mask >> 1 & 0x5555'5555'5555'5555;
  mask = (mask & 0x3333'3333'3333'3333) + (mask >> 2 & 0x3333'3333'3333'3333);
  mask = (mask + (mask >> 4)) & 0x0f0f'0f0f'0f0f'0f0f;
  return static_cast<int>(mask * 0x0101'0101'0101'0101 >> 56);
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_COMMON_NONZERO_MASK_H_
