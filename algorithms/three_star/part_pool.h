// SPDX-License-Identifier: Apache-2.0

// Objects that threads fill concurrently, each by one thread at a time.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PART_POOL_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PART_POOL_H_

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace millrace::three_star {

// Holds as many objects as were ever in use at once.
template <class T>
class PartPool {
 public:
  // New objects are copies of `first`.
  explicit PartPool(const T& first) : first_(first) {}

  // Calls work(part) with an object that no other thread uses. Any thread may call. If `work`
  // throws, the object is lost.
  template <class Work>
  void use(const Work& work) {
    std::unique_ptr<T> part = take();
    work(*part);
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(part));
  }

  // Returns all objects. None may be in use.
  const std::vector<std::unique_ptr<T>>& parts() const { return idle_; }

 private:
  std::unique_ptr<T> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<T> part = std::move(idle_.back());
        idle_.pop_back();
        return part;
      }
    }
    return std::make_unique<T>(first_);
  }

  const T first_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> idle_;
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PART_POOL_H_
