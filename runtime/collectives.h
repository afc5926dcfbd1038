// Collective operations of values, and of more bytes than a message has.
#ifndef MILLRACE_RUNTIME_COLLECTIVES_H_
#define MILLRACE_RUNTIME_COLLECTIVES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include <millrace/runtime/communicator.h>

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

// Collective: broadcast() of any size, in messages of at most `message_bytes`.
inline void broadcast_all(Communicator& communicator, std::span<std::byte> bytes, int root,
                          std::size_t message_bytes) {
  for (std::size_t begin = 0; begin < bytes.size(); begin += message_bytes) {
    const std::size_t size = std::min(message_bytes, bytes.size() - begin);
    communicator.broadcast(bytes.data() + begin, size, root);
  }
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

#endif  // MILLRACE_RUNTIME_COLLECTIVES_H_
