// SPDX-License-Identifier: Apache-2.0

// Sorted keys in any memory space that the host searches.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_RANKS_SORTED_KEYS_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_RANKS_SORTED_KEYS_H_

#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace millrace::radix_sort {

// Copies blocks of memory that the host cannot read as a search needs them, and keeps them for the
// next one. For one thread.
class SortedKeys {
 public:
  // The keys are arguments.keys_in, in the arguments' order, and outlive this object.
  SortedKeys(Queue& queue, const SortArguments& arguments);

  std::uint64_t count() const { return arguments_.count; }

  // Returns the number of keys, as KeyBits::ordered() makes them, that are at most `ordered`. The
  // caller knows that it is in low..high. Throws what Queue::wait throws.
  std::uint64_t count_up_to(std::uint64_t ordered, std::uint64_t low, std::uint64_t high);

 private:
  std::uint64_t key(std::uint64_t index);
  std::uint64_t ordered_key(const std::byte* raw) const;
  const std::byte* block(std::uint64_t index);

  Queue& queue_;
  const SortArguments arguments_;
  const std::size_t key_bytes_;
  const bool is_in_reach_;
  std::unordered_map<std::uint64_t, std::vector<std::byte>> blocks_;
};

// Returns true if the host can read `space` of that device.
bool is_in_reach(const Device& device, MemorySpace space);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_RANKS_SORTED_KEYS_H_
