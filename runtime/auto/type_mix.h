// SPDX-License-Identifier: Apache-2.0

// Measures the mix of types in a queue by the Gini-Simpson index: the probability that two items
// taken at random are of different types. It is 0 if all items are of one type and 1 - 1 / n if n
// types are equally frequent.
#ifndef MILLRACE_RUNTIME_AUTO_TYPE_MIX_H_
#define MILLRACE_RUNTIME_AUTO_TYPE_MIX_H_

#include <millrace/runtime/tasks/task_set.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace {

// Returns the index for the given number of items of each type, or 0 if there are no items.
constexpr double gini_simpson(std::span<const std::uint64_t> items_by_type) {
  double items = 0;
  double squares = 0;
  for (const std::uint64_t count : items_by_type) {
    const auto own = static_cast<double>(count);
    items += own;
    squares += own * own;
  }
  return items > 0 ? std::max(1 - squares / (items * items), 0.0) : 0;
}

// Returns the index of `count` items, fewer than 2^32, from a sample of at most 256. Tags outside
// the set are ignored.
template <std::size_t kTypes>
double sample_gini_simpson(const TaskTag* tags, std::size_t count) {
  constexpr std::size_t kSample = 256;
  std::array<std::uint64_t, kTypes> items{};
  const auto take = [&](std::size_t index) {
    if (tags[index] < kTypes) ++items[tags[index]];
  };
  if (count <= kSample) {
    for (std::size_t i = 0; i < count; ++i) take(i);
  } else {
    // Multiples of the golden ratio are evenly distributed and coincide with no period of the tags.
    constexpr std::uint32_t kGoldenRatio = 0x9e3779b9u;  // Counted in units of 2^-32.
    std::uint32_t fraction = 0;
    for (std::size_t i = 0; i < kSample; ++i, fraction += kGoldenRatio) {
      take((std::uint64_t{fraction} * count) >> 32);
    }
  }
  return gini_simpson(items);
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_AUTO_TYPE_MIX_H_
