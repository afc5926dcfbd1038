// SPDX-License-Identifier: Apache-2.0

// Ranges of items and their division into even ranges.
#ifndef MILLRACE_RUNTIME_GROUP_ITEM_RANGE_H_
#define MILLRACE_RUNTIME_GROUP_ITEM_RANGE_H_

#include <algorithm>
#include <cstdint>

namespace millrace {

// The items `begin` to `end` - 1.
struct ItemRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  std::uint64_t size() const { return end - begin; }
};

// Returns the first item of range `range` if `count` items are divided into `ranges` ranges whose
// sizes differ by at most 1. `range` is 0 to `ranges`; the last value returns `count`.
constexpr std::uint64_t even_cut(std::uint64_t count, std::uint64_t range, std::uint64_t ranges) {
  return count / ranges * range + std::min(range, count % ranges);
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_GROUP_ITEM_RANGE_H_
