// SPDX-License-Identifier: Apache-2.0

// Where a sort is cut into parts that devices sort apart. Pure functions of the host.
//
//   const auto splitters = choose_splitters(std::move(sample), {2.0, 1.0, 1.0});
//   record < splitters[0];   // It is of the first part.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_GROUP_SPLITTERS_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_GROUP_SPLITTERS_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::radix_sort {

// A record in the order of a stable sort: by its key, as KeyBits::ordered makes it, and, of equal
// keys, by its place among all that is sorted. No two records are alike, so that any order can be
// cut anywhere, be all its keys the same.
struct Splitter {
  std::uint64_t key = 0;
  std::uint64_t place = 0;

  friend auto operator<=>(const Splitter&, const Splitter&) = default;
};

// The first records of all parts but part 0, in order. Parts get shares of about `weights`, of
// which none is negative, one is positive and each is finite. Each sampled record stands for as
// many records as the others; of an empty sample all parts but the last of positive weight are
// empty. Throws kInvalidArgument for other weights. Of the same sample in any order the result is
// the same.
std::vector<Splitter> choose_splitters(std::vector<Splitter> sample,
                                       std::span<const double> weights);

// The sample that keeps parts within some percent of their shares: so many records a part.
inline constexpr std::size_t kSamplesOfPart = 4096;

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_GROUP_SPLITTERS_H_
