// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/radix_sort/ranks/range_merge.h>
#include <millrace/algorithms/radix_sort/ranks/sorted_keys.h>
#include <millrace/algorithms/radix_sort/stream/run_merge.h>

namespace millrace::radix_sort {
namespace {

template <class Pointer>
Pointer moved(Pointer data, std::size_t elements, std::size_t element_bytes) {
  if (data == nullptr) return nullptr;
  using Byte = std::conditional_t<std::is_const_v<std::remove_pointer_t<Pointer>>, const std::byte,
                                  std::byte>;
  return static_cast<Byte*>(data) + elements * element_bytes;
}

// Sorting more runs is faster than merging them, also by a host: a merge compares all runs for each
// record.
constexpr std::size_t kMostRunsOfHost = 16;

// Returns the arguments for a range of the records.
SortArguments arguments_of(const SortArguments& arguments, const RecordSpan& range) {
  SortArguments of_range = arguments;
  const std::size_t key_size = key_bytes(arguments.key_type);
  of_range.count = range.count;
  of_range.keys_in = moved(arguments.keys_in, range.first, key_size);
  of_range.keys_out = moved(arguments.keys_out, range.first, key_size);
  of_range.values_in = moved(arguments.values_in, range.first, arguments.value_bytes);
  of_range.values_out = moved(arguments.values_out, range.first, arguments.value_bytes);
  return of_range;
}

}  // namespace

RangeMerge::RangeMerge(Queue& queue, const SortArguments& arguments, Policy policy,
                       std::size_t most_runs)
    : queue_(queue),
      arguments_(arguments),
      policy_(policy),
      merges_by_host_(is_in_reach(queue.device(), arguments.space) && most_runs <= kMostRunsOfHost),
      order_(queue.device().make_queue()) {
  if (merges_by_host_ || arguments.keys_out != nullptr) return;
  unwanted_keys_ = Buffer<std::byte>(queue.device().pool(arguments.space),
                                     arguments.count * key_bytes(arguments.key_type));
}

void RangeMerge::enqueue(const std::vector<RecordSpan>& runs) {
  order_->call([this, runs] { merge(runs); });
}

void RangeMerge::merge(const std::vector<RecordSpan>& runs) {
  const RecordSpan range = {runs.front().first, runs.back().end() - runs.front().first};
  if (range.count == 0) return;
  SortArguments of_range = arguments_of(arguments_, range);
  if (merges_by_host_) {
    std::vector<RecordSpan> moved_runs = runs;
    for (RecordSpan& run : moved_runs) run.first -= range.first;
    std::erase_if(moved_runs, [](const RecordSpan& run) { return run.count == 0; });
    merge_runs(of_range, moved_runs);
    return;
  }
  // A device sorts faster than it merges many runs. The sort is stable, so equal keys stay in the
  // order of runs.
  if (of_range.keys_out == nullptr) of_range.keys_out = unwanted_keys_.data();
  sort(queue_, of_range, policy_);
}

}  // namespace millrace::radix_sort
