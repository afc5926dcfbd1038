// SPDX-License-Identifier: Apache-2.0

// The scaling lists of the slices of one stream that wait for a run.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_STREAM_SCALINGS_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_STREAM_SCALINGS_H_

#include <millrace/algorithms/h264/features/tasks/memory/scaling_pool.h>
#include <millrace/algorithms/h264/parameter_sets.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace millrace::h264 {

// Keeps the pool's copies of the lists as long as slices need them. One thread at a time may use
// it.
class StreamScalings {
 public:
  // Returns the pool's copy of the lists of these parameters.
  const ScalingLists* share(ScalingPool& pool,
                            const std::shared_ptr<const PictureParameters>& parameters) {
    if (parameters != parameters_) {
      std::shared_ptr<const ScalingLists> lists = pool.share(parameters->scaling);
      const auto known = std::find(lists_.begin(), lists_.end(), lists);
      if (known == lists_.end()) {
        lists_.push_back(std::move(lists));
      } else {
        std::iter_swap(known, lists_.end() - 1);
      }
      parameters_ = parameters;
      last_ = lists_.back().get();
    }
    return last_;
  }

  // Returns true if unused lists should be dropped.
  bool has_many() const { return lists_.size() > kMany; }
  // Drops the lists for which is_used(lists) is false, except those that share() returned last.
  template <class IsUsed>
  void drop_unused(const IsUsed& is_used) {
    std::erase_if(lists_, [&](const auto& lists) {
      return lists.get() != last_ && !is_used(static_cast<const ScalingLists*>(lists.get()));
    });
  }

 private:
  static constexpr std::size_t kMany = 8;

  std::shared_ptr<const PictureParameters> parameters_;  // Parameters of lists_.back().
  const ScalingLists* last_ = nullptr;                   // The same.
  std::vector<std::shared_ptr<const ScalingLists>> lists_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_STREAM_SCALINGS_H_
