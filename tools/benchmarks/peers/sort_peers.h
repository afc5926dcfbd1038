// SPDX-License-Identifier: Apache-2.0

// The peers of the CPU's radix sort: sorts of others, in place and unstable.
#ifndef MILLRACE_TOOLS_BENCHMARKS_PEERS_SORT_PEERS_H_
#define MILLRACE_TOOLS_BENCHMARKS_PEERS_SORT_PEERS_H_

#include <cstdint>
#include <span>
#include <vector>

namespace millrace::tools {

struct KeyValue {
  std::uint32_t value;
  std::uint32_t key;
};

// A peer that is known to sort wrong on this processor throws Error kUnsupported.
struct SortPeer {
  const char* name;
  void (*sort_keys)(std::span<std::uint32_t>);
  void (*sort_pairs)(std::span<KeyValue>);  // Sorts by keys.
};

// std::sort, tbb::parallel_sort on all threads, boost's spreadsort and Highway's vqsort.
const std::vector<SortPeer>& sort_peers();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_PEERS_SORT_PEERS_H_
