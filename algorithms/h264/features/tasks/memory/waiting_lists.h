// SPDX-License-Identifier: Apache-2.0

// Lists of what waits for each of a number of items.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_MEMORY_WAITING_LISTS_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_MEMORY_WAITING_LISTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::h264 {

// One array with a list for each awaited item.
class WaitingLists {
 public:
  WaitingLists() = default;
  // `for_each` calls its argument with each pair of an awaited item, below `count`, and what waits
  // for it; it is called twice.
  template <class ForEach>
  WaitingLists(std::size_t count, const ForEach& for_each) : first_(count + 1) {
    for_each([this](std::size_t awaited, std::int32_t) { ++first_[awaited + 1]; });
    for (std::size_t k = 0; k < count; ++k) first_[k + 1] += first_[k];
    waiting_.resize(first_[count]);
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for_each(
        [&](std::size_t awaited, std::int32_t waiting) { waiting_[next[awaited]++] = waiting; });
  }

  const std::vector<std::int32_t>& array() const { return waiting_; }
  // Returns where the list of an awaited item begins in the array, and its length.
  std::size_t first(std::size_t awaited) const { return first_[awaited]; }
  std::int32_t count(std::size_t awaited) const {
    return static_cast<std::int32_t>(first_[awaited + 1] - first_[awaited]);
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<std::int32_t> waiting_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_MEMORY_WAITING_LISTS_H_
