// SPDX-License-Identifier: Apache-2.0

// The search for positions in sorted keys.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_STEPS_POSITION_STEP_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_STEPS_POSITION_STEP_H_

#include <cstddef>
#include <cstdint>

namespace millrace::radix_sort {

// A position in sorted keys: behind all keys below `key` and, if `is_behind` is not 0, behind those
// equal to it.
struct KeyLimit {
  std::uint64_t key = 0;
  std::uint64_t is_behind = 0;
};

// positions[i] = the number of the sorted keys before limits[i]. Limits and positions are in pinned
// memory.
struct PositionStep {
  std::size_t key_bytes = 4;
  const void* keys = nullptr;
  std::size_t count = 0;
  const KeyLimit* limits = nullptr;
  std::size_t limit_count = 0;
  std::uint64_t* positions = nullptr;
};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_STEPS_POSITION_STEP_H_
