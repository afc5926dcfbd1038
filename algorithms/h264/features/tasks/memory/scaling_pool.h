// SPDX-License-Identifier: Apache-2.0

// Scaling lists of many streams, which most often are the same.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_MEMORY_SCALING_POOL_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_MEMORY_SCALING_POOL_H_

#include <millrace/algorithms/h264/parameter_sets.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <type_traits>

namespace millrace::h264 {

// Any thread may call it.
class ScalingPool {
 public:
  // Returns a copy of the lists. As long as somebody has one, all who request equal lists get the
  // same copy.
  std::shared_ptr<const ScalingLists> share(const ScalingLists& lists) {
    const std::lock_guard lock(mutex_);
    if (copies_.size() >= purge_at_) {
      std::erase_if(copies_, [](const auto& copy) { return copy.second.expired(); });
      purge_at_ = std::max(kLeast, 2 * copies_.size());
    }
    std::weak_ptr<const ScalingLists>& known = copies_[lists];
    std::shared_ptr<const ScalingLists> copy = known.lock();
    if (copy == nullptr) {
      copy = std::make_shared<const ScalingLists>(lists);
      known = copy;
    }
    return copy;
  }

 private:
  struct LessByBytes {
    bool operator()(const ScalingLists& a, const ScalingLists& b) const {
      static_assert(std::has_unique_object_representations_v<ScalingLists>);
      return std::memcmp(&a, &b, sizeof(ScalingLists)) < 0;
    }
  };
  static constexpr std::size_t kLeast = 16;

  std::mutex mutex_;
  std::map<ScalingLists, std::weak_ptr<const ScalingLists>, LessByBytes> copies_;
  std::size_t purge_at_ = kLeast;  // Copies from which on those that nobody has are removed.
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_MEMORY_SCALING_POOL_H_
