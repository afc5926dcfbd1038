// SPDX-License-Identifier: Apache-2.0

// Sums over all 3-stars of a search: a hash, and the number of 3-stars of each sensor.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_STAR_TALLY_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_STAR_TALLY_H_

#include <millrace/algorithms/three_star/chunks/star_chunk.h>
#include <millrace/algorithms/three_star/object_pool.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::tools {

class StarTally {
 public:
  explicit StarTally(std::size_t sensors);

  // Adds all 3-stars of a chunk. Any thread may call. Throws as StarChunk::visit().
  void add(const three_star::StarChunk& chunk);

  // Adds 3-stars written out.
  void add(std::span<const three_star::ThreeStar> stars);

  // Returns the hash of all that were added; see algorithms/three_star/set_hash.h.
  std::uint64_t set_hash() const;

  // Returns the number of sensors in no 3-star, in 1, in 2 or 3, in 4 to 7, and so on by powers of
  // two, up to the largest count.
  std::vector<std::uint64_t> histogram() const;

 private:
  // Returns their number.
  std::uint64_t add(const three_star::StarChunk& chunk, std::size_t first, std::size_t end);

  // Sums of one thread at a time.
  struct ThreadSums {
    std::uint64_t hash = 0;
    std::vector<std::uint64_t> per_sensor;
  };

  const std::size_t sensors_;
  three_star::ObjectPool<ThreadSums> sums_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_STAR_TALLY_H_
