// SPDX-License-Identifier: Apache-2.0

// Objects that threads fill concurrently, each by one thread at a time.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PART_POOL_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PART_POOL_H_

#include <cstddef>
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

  // An object that no other thread uses, until the end of this one.
  class Loan {
   public:
    Loan(PartPool& pool, std::unique_ptr<T> part) : pool_(pool), part_(std::move(part)) {}
    ~Loan() { pool_.give_back(std::move(part_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;

    T& operator*() const { return *part_; }
    T* operator->() const { return part_.get(); }

   private:
    PartPool& pool_;
    std::unique_ptr<T> part_;
  };

  // Any thread may call.
  [[nodiscard]] Loan borrow() { return Loan(*this, take()); }

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
      idle_.reserve(++made_);
    }
    return std::make_unique<T>(first_);
  }

  // Has memory for it since take().
  void give_back(std::unique_ptr<T> part) noexcept {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(part));
  }

  const T first_;
  std::mutex mutex_;
  std::size_t made_ = 0;  // Objects.
  std::vector<std::unique_ptr<T>> idle_;
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PART_POOL_H_
