// SPDX-License-Identifier: Apache-2.0

// Ranges of items, and how they are cut.
#ifndef MILLRACE_RUNTIME_GROUP_ITEM_RANGE_H_
#define MILLRACE_RUNTIME_GROUP_ITEM_RANGE_H_

#include <algorithm>
#include <cstdint>

namespace millrace {

// Items begin to end - 1.
struct ItemRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  std::uint64_t size() const { return end - begin; }
};

// Item `part` of 0 to `parts` begins at, of `count` cut as evenly as can be.
constexpr std::uint64_t even_cut(std::uint64_t count, std::uint64_t part, std::uint64_t parts) {
  return count / parts * part + std::min(part, count % parts);
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_GROUP_ITEM_RANGE_H_
