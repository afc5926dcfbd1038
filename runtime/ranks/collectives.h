// SPDX-License-Identifier: Apache-2.0

// Collective operations of values.
#ifndef MILLRACE_RUNTIME_RANKS_COLLECTIVES_H_
#define MILLRACE_RUNTIME_RANKS_COLLECTIVES_H_

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include <millrace/runtime/ranks/communicator.h>

namespace millrace {

// Collective: the value of every rank, in order.
template <class T>
std::vector<T> all_gather(Communicator& communicator, const T& mine) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> all(static_cast<std::size_t>(communicator.size()));
  communicator.all_gather(&mine, sizeof mine, all.data());
  return all;
}

// Collective: as many values of every rank, one rank's behind the other's. The ranks' sizes agree.
template <class T>
std::vector<T> all_gather(Communicator& communicator, std::span<const T> mine) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> all(mine.size() * static_cast<std::size_t>(communicator.size()));
  communicator.all_gather(mine.data(), mine.size_bytes(), all.data());
  return all;
}

// Collective.
inline std::uint64_t all_sum(Communicator& communicator, std::uint64_t value) {
  communicator.all_sum(&value, 1);
  return value;
}

// Where each rank's items begin among those of all ranks in order; behind these, how many there
// are.
using RankOffsets = std::vector<std::uint64_t>;

// Collective.
inline RankOffsets rank_offsets(Communicator& communicator, std::uint64_t my_count) {
  const std::vector<std::uint64_t> counts = all_gather(communicator, my_count);
  RankOffsets offsets(counts.size() + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), offsets.begin() + 1);
  return offsets;
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_RANKS_COLLECTIVES_H_
