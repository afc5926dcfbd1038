// SPDX-License-Identifier: Apache-2.0

// Finds where ranks cut their sorted records so that the pieces are ranges of the whole.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_RANKS_RANK_CUTS_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_RANKS_RANK_CUTS_H_

#include <millrace/algorithms/radix_sort/ranks/sorted_keys.h>
#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/runtime/ranks/communicator.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace millrace::radix_sort {

// Cut `i` of a rank is the number of its records among the first `offsets[i]` of all, ordered by
// key, then by rank and index. The cuts of all ranks add up to offsets[i].
class RankCuts {
 public:
  RankCuts(std::size_t cuts_per_rank, std::vector<std::uint64_t> cuts)
      : cuts_per_rank_(cuts_per_rank), cuts_(std::move(cuts)) {}

  std::uint64_t of(int rank, std::size_t cut) const {
    return cuts_[static_cast<std::size_t>(rank) * cuts_per_rank_ + cut];
  }

 private:
  const std::size_t cuts_per_rank_;
  const std::vector<std::uint64_t> cuts_;
};

// Collective. `offsets` do not decrease, and are at most the number of all records. Takes as many
// rounds as keys have bits, each a sum over ranks of one word an offset. Throws on all ranks what
// SortedKeys throws on one.
RankCuts find_rank_cuts(Communicator& communicator, SortedKeys& keys, KeyType type,
                        std::span<const std::uint64_t> offsets);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_RANKS_RANK_CUTS_H_
