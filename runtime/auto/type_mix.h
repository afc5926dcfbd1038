// SPDX-License-Identifier: Apache-2.0

// How the types of a set are mixed in a queue, by the Gini-Simpson index: the probability that two
// items taken at random are of different types. 0 where all are of one type, 1 - 1 / n where n
// types are as many each.
#ifndef MILLRACE_RUNTIME_AUTO_TYPE_MIX_H_
#define MILLRACE_RUNTIME_AUTO_TYPE_MIX_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <millrace/runtime/tasks/task_set.h>

namespace millrace {

// Of so many items of each type; 0 of none.
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

// Of `count` items, below 2^32, by a sample of at most 256. Tags outside the set are left out.
template <std::size_t kTypes>
double sample_gini_simpson(const TaskTag* tags, std::size_t count) {
  constexpr std::size_t kSample = 256;
  std::array<std::uint64_t, kTypes> items{};
  const auto take = [&](std::size_t place) {
    if (tags[place] < kTypes) ++items[tags[place]];
  };
  if (count <= kSample) {
    for (std::size_t i = 0; i < count; ++i) take(i);
  } else {
    // Multiples of the golden ratio are spread evenly, and fall in with no period of the tags.
    constexpr std::uint32_t kGoldenRatio = 0x9e3779b9u;  // Of 2^32.
    std::uint32_t part = 0;
    for (std::size_t i = 0; i < kSample; ++i, part += kGoldenRatio) {
      take((std::uint64_t{part} * count) >> 32);
    }
  }
  return gini_simpson(items);
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_AUTO_TYPE_MIX_H_
