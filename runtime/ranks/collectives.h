// SPDX-License-Identifier: Apache-2.0

// Collective operations on values. All ranks must make the same calls in the same order. They throw
// what the communicator throws.
//
//   const RankOffsets offsets = rank_offsets(communicator, my_items.size());
//   const std::uint64_t first = offsets[communicator.rank()];
#ifndef MILLRACE_RUNTIME_RANKS_COLLECTIVES_H_
#define MILLRACE_RUNTIME_RANKS_COLLECTIVES_H_

#include <millrace/runtime/ranks/communicator.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

namespace millrace {

// Returns the value of every rank, in the order of the ranks.
template <class T>
std::vector<T> all_gather(Communicator& communicator, const T& mine) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> all(static_cast<std::size_t>(communicator.size()));
  communicator.all_gather(&mine, sizeof mine, all.data());
  return all;
}

// Returns the values of every rank, in the order of the ranks. All ranks must give the same number
// of values.
template <class T>
std::vector<T> all_gather(Communicator& communicator, std::span<const T> mine) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> all(mine.size() * static_cast<std::size_t>(communicator.size()));
  communicator.all_gather(mine.data(), mine.size_bytes(), all.data());
  return all;
}

// Returns the sum of the values of all ranks.
inline std::uint64_t all_sum(Communicator& communicator, std::uint64_t value) {
  communicator.all_sum(&value, 1);
  return value;
}

// The index of each rank's first item among the items of all ranks in order, followed by the total
// number of items.
using RankOffsets = std::vector<std::uint64_t>;

// Returns the offsets of all ranks, of which this one has `my_count` items.
inline RankOffsets rank_offsets(Communicator& communicator, std::uint64_t my_count) {
  const std::vector<std::uint64_t> counts = all_gather(communicator, my_count);
  RankOffsets offsets(counts.size() + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), offsets.begin() + 1);
  return offsets;
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_RANKS_COLLECTIVES_H_
