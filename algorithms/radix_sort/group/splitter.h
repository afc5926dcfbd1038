// SPDX-License-Identifier: Apache-2.0

// Chooses the records at which a sort is cut into ranges, one a device. Pure functions of the host.
//
//   const auto splitters = choose_splitters(std::move(sample), {2.0, 1.0, 1.0});
//   record < splitters[0];   // It is in the first range.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_GROUP_SPLITTER_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_GROUP_SPLITTER_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::radix_sort {

// A record in the order of a stable sort: by its key, as KeyBits::ordered makes it, and, for equal
// keys, by its index in the input. No two records are equal, so any order can be cut anywhere, even
// if all keys are the same.
struct Splitter {
  std::uint64_t key = 0;
  std::uint64_t record_index = 0;

  friend auto operator<=>(const Splitter&, const Splitter&) = default;
};

// Returns the first records of all ranges but range 0, in order. The sizes of ranges are about
// proportional to `weights`: finite, not negative, and at least one positive. Throws
// kInvalidArgument for other weights. Each sampled record stands for the same number of records;
// for an empty sample all ranges but the last of positive weight are empty. The order of the sample
// does not matter.
std::vector<Splitter> choose_splitters(std::vector<Splitter> sample,
                                       std::span<const double> weights);

// Sampled records a range that keep ranges within some percent of their weights.
inline constexpr std::size_t kSamplesOfRange = 4096;

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_GROUP_SPLITTER_H_
