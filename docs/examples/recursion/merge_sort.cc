// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/recursion/merge_sort.h>
#include <millrace/docs/examples/recursion/merge_sort_tasks.h>
#include <millrace/runtime/core/check.h>

#include <algorithm>
#include <random>

namespace millrace::examples {
namespace {

Buffer<SortPair> make(Queue& queue, std::size_t size) {
  check_range("size", size, 1, kMaxMergeSortSize);
  return Buffer<SortPair>(queue.device().shared_from_this(), MemorySpace::kDevice, size);
}

}  // namespace

MergeSorter::MergeSorter(Queue& queue, std::size_t size)
    : queue_(queue), pairs_(make(queue, size)), scratch_(make(queue, size)) {}

void MergeSorter::load(std::span<const SortPair> pairs) {
  copy(queue_, pairs_.span(), BufferSpan<const SortPair>(pairs));
  queue_.wait();
}

RunReport MergeSorter::sort(const MergeSortOptions& options) {
  check_range("cut_off", options.cut_off, 1, kMaxMergeSortTask);
  check_range("part", options.segment, 1, kMaxMergeSortTask);
  const MergeSortArrays arrays = {.pairs = pairs_.data(),
                                  .scratch = scratch_.data(),
                                  .cut_off = static_cast<std::uint32_t>(options.cut_off),
                                  .segment = static_cast<std::uint32_t>(options.segment)};
  const MergeSortRange all = {arrays, 0, static_cast<std::uint32_t>(pairs_.size()), false};
  return run_tasks(queue_, TaskList<MergeSortTasks>(SortRange{{}, all}), options.run);
}

std::vector<SortPair> MergeSorter::pairs() {
  std::vector<SortPair> pairs(pairs_.size());
  copy(queue_, BufferSpan<SortPair>(std::span(pairs)), pairs_.span());
  queue_.wait();
  return pairs;
}

MergeSortResult merge_sort(Queue& queue, std::span<const SortPair> pairs,
                           const MergeSortOptions& options) {
  MergeSorter sorter(queue, pairs.size());
  sorter.load(pairs);
  const RunReport report = sorter.sort(options);
  return {sorter.pairs(), report};
}

std::vector<SortPair> sort_directly(std::span<const SortPair> pairs) {
  std::vector<SortPair> sorted(pairs.begin(), pairs.end());
  std::ranges::stable_sort(sorted, {}, &SortPair::key);
  return sorted;
}

std::vector<SortPair> random_pairs(std::size_t size, std::uint32_t keys, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<SortPair> pairs(size);
  for (std::size_t i = 0; i < size; ++i) {
    pairs[i] = {static_cast<std::uint32_t>(random() % keys), static_cast<std::uint32_t>(i)};
  }
  return pairs;
}

}  // namespace millrace::examples
