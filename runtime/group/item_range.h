// SPDX-License-Identifier: Apache-2.0

// Ranges of items and their division into even parts.
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

// Returns the first item of part `part` if `count` items are divided into `parts` parts whose sizes
// differ by at most 1. `part` is 0 to `parts`; the last value returns `count`.
constexpr std::uint64_t even_cut(std::uint64_t count, std::uint64_t part, std::uint64_t parts) {
  return count / parts * part + std::min(part, count % parts);
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_GROUP_ITEM_RANGE_H_
