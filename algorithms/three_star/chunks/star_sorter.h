// SPDX-License-Identifier: Apache-2.0

// Sorts 3-stars in memory.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_STAR_SORTER_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_STAR_SORTER_H_

#include <millrace/algorithms/three_star/point.h>
#include <millrace/runtime/core/queue.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::three_star {

// Keeps its memory, so a sort may follow another.
class StarSorter {
 public:
  // Sorts 3-stars of this many points.
  explicit StarSorter(std::size_t points);

  // Returns the bytes of memory for a 3-star.
  std::size_t bytes_of_star() const { return is_narrow_ ? 16 : 24; }

  // Begins a sort of this many.
  void begin(std::size_t stars);

  // Adds 3-stars. Any thread may call. This and sort() throw kInvalidArgument if there are more or
  // fewer.
  void add(std::span<const ThreeStar> stars);

  // Sorts by a, then b, then c, by the queue's device. All 3-stars of begin() have been added.
  void sort(Queue& queue);

  // Returns a sorted 3-star.
  ThreeStar star(std::size_t index) const;

 private:
  [[noreturn]] void reject_count(std::size_t stars) const;
  std::uint64_t key_of(const ThreeStar& star) const;

  const int bits_;                        // Bits of a point's number.
  const bool is_narrow_;                  // True if three numbers fit into 64 bits.
  std::vector<std::uint64_t> keys_[2];    // (a, b, c), or (b, c); sorted in the second.
  std::vector<std::uint32_t> lowest_[2];  // a, if it is stored separately.
  std::atomic<std::size_t> used_ = 0;
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_STAR_SORTER_H_
