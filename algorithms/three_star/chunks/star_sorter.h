// SPDX-License-Identifier: Apache-2.0

// Puts 3-stars in memory in order.
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

// A sort may begin where the last has ended: memory is kept.
class StarSorter {
 public:
  // Of 3-stars of so many points.
  explicit StarSorter(std::size_t points);

  // Of memory, for each.
  std::size_t bytes_of_star() const { return is_narrow_ ? 16 : 24; }

  // There will be so many.
  void begin(std::size_t stars);

  // Any thread may call. This and sort() throw kInvalidArgument where there are more or fewer.
  void add(std::span<const ThreeStar> stars);

  // All that begin() told of have been added. By a, then b, then c; by the queue's device.
  void sort(Queue& queue);

  // Of those sorted.
  ThreeStar star(std::size_t place) const;

 private:
  [[noreturn]] void refuse(std::size_t stars) const;
  std::uint64_t key_of(const ThreeStar& star) const;

  const int bits_;                        // Of a point's number.
  const bool is_narrow_;                  // Three numbers fit into 64 bits.
  std::vector<std::uint64_t> keys_[2];    // (a, b, c), or (b, c); sorted in the second.
  std::vector<std::uint32_t> lowest_[2];  // a, where it is apart.
  std::atomic<std::size_t> used_ = 0;
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_STAR_SORTER_H_
