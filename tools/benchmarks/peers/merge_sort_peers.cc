// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/peers/merge_sort_peers.h>

#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>

#include <cstdint>

namespace millrace::tools {
namespace {

void sort_by_parallel_invoke(const examples::MergeSortRange& range) {
  if (range.count <= range.arrays.cut_off) return range.sort();
  tbb::parallel_invoke([&range] { sort_by_parallel_invoke(range.left()); },
                       [&range] { sort_by_parallel_invoke(range.right()); });
  if (range.segments() == 1) return range.merge_segment(0);
  tbb::parallel_for(std::uint32_t{0}, range.segments(),
                    [&range](std::uint32_t segment) { range.merge_segment(segment); });
}

constexpr MergeSortPeer kPeers[] = {{"tbb::parallel_invoke", &sort_by_parallel_invoke}};

}  // namespace

std::span<const MergeSortPeer> merge_sort_peers() { return kPeers; }

}  // namespace millrace::tools
