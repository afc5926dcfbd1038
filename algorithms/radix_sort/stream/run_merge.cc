// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/algorithms/radix_sort/stream/run_merge.h>
#include <millrace/runtime/host/host_threads.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace millrace::radix_sort {
namespace {

struct NoValue {};

template <class Bits, class Value>
class Merge {
 public:
  Merge(const SortArguments& arguments, const std::vector<RecordSpan>& runs)
      : map_(KeyBits<Bits>::of(arguments.key_type, arguments.order)),
        count_(arguments.count),
        keys_(static_cast<const Bits*>(arguments.keys_in)),
        values_(static_cast<const Value*>(arguments.values_in)),
        keys_out_(static_cast<Bits*>(arguments.keys_out)),
        values_out_(static_cast<Value*>(arguments.values_out)),
        runs_(runs) {}

  void run() const {
    HostThreads& team = HostThreads::shared();
    const std::size_t ranges = static_cast<std::size_t>(team.count()) * 4;
    team.for_each(ranges, [&](std::size_t range) {
      merge_outputs(count_ * range / ranges, count_ * (range + 1) / ranges);
    });
  }

 private:
  using Positions = std::vector<std::size_t>;  // One in each run, counted among all keys.

  Bits key(std::size_t index) const { return map_.ordered(keys_[index]); }

  // Return the index of the first key in a run that is not below `limit`, or above it.
  std::size_t lower_bound(const RecordSpan& run, Bits limit) const {
    return bound(run, [limit](Bits key) { return key < limit; });
  }
  std::size_t upper_bound(const RecordSpan& run, Bits limit) const {
    return bound(run, [limit](Bits key) { return key <= limit; });
  }
  template <class IsBefore>
  std::size_t bound(const RecordSpan& run, const IsBefore& is_before) const {
    const Bits* const begin = keys_ + run.first;
    const auto* const found = std::partition_point(
        begin, begin + run.count, [&](Bits raw) { return is_before(map_.ordered(raw)); });
    return static_cast<std::size_t>(found - keys_);
  }

  std::size_t keys_up_to(Bits limit) const {
    std::size_t keys = 0;
    for (const RecordSpan& run : runs_) keys += upper_bound(run, limit) - run.first;
    return keys;
  }

  // Returns the ends of the first `rank` outputs in each run.
  Positions split(std::size_t rank) const {
    Bits low = 0;  // Key of output `rank`: the least that more than `rank` keys do not exceed.
    Bits high = std::numeric_limits<Bits>::max();
    while (low < high) {
      const Bits middle = low + (high - low) / 2;
      if (keys_up_to(middle) > rank) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    Positions positions;
    std::size_t left = rank;
    for (const RecordSpan& run : runs_) {
      positions.push_back(lower_bound(run, low));
      left -= positions.back() - run.first;
    }
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      const std::size_t taken = std::min(left, upper_bound(runs_[r], low) - positions[r]);
      positions[r] += taken;
      left -= taken;
    }
    return positions;
  }

  void merge_outputs(std::size_t first, std::size_t end) const {
    if (first == end) return;
    Positions next = split(first);
    const Positions ends = split(end);
    for (std::size_t i = first; i < end; ++i) {
      const std::size_t r = least(next, ends);
      const std::size_t index = next[r]++;
      if (keys_out_ != nullptr) keys_out_[i] = keys_[index];
      if constexpr (!std::is_same_v<Value, NoValue>) values_out_[i] = values_[index];
    }
  }

  // Returns the first run with the least key. Searches linearly: runs are a small number.
  std::size_t least(const Positions& next, const Positions& ends) const {
    std::size_t best = runs_.size();
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      if (next[r] == ends[r]) continue;
      if (best == runs_.size() || key(next[r]) < key(next[best])) best = r;
    }
    return best;
  }

  const KeyBits<Bits> map_;
  const std::size_t count_;
  const Bits* const keys_;
  const Value* const values_;
  Bits* const keys_out_;
  Value* const values_out_;
  const std::vector<RecordSpan>& runs_;
};

template <class Bits>
void merge_with_keys(const SortArguments& arguments, const std::vector<RecordSpan>& runs) {
  switch (arguments.value_bytes) {
    case 4: Merge<Bits, std::uint32_t>(arguments, runs).run(); break;
    case 8: Merge<Bits, std::uint64_t>(arguments, runs).run(); break;
    default: Merge<Bits, NoValue>(arguments, runs).run();
  }
}

}  // namespace

void merge_runs(const SortArguments& arguments, const std::vector<RecordSpan>& runs) {
  if (key_bytes(arguments.key_type) == 4) {
    merge_with_keys<std::uint32_t>(arguments, runs);
  } else {
    merge_with_keys<std::uint64_t>(arguments, runs);
  }
}

}  // namespace millrace::radix_sort
