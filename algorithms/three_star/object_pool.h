// SPDX-License-Identifier: Apache-2.0

// Objects that threads fill concurrently, each by one thread at a time.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_OBJECT_POOL_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_OBJECT_POOL_H_

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace millrace::three_star {

// Holds as many objects as were ever in use at once.
template <class T>
class ObjectPool {
 public:
  // New objects are copies of `first`.
  explicit ObjectPool(const T& first) : first_(first) {}

  // An object that no other thread uses, until the end of this one.
  class Loan {
   public:
    Loan(ObjectPool& pool, std::unique_ptr<T> object) : pool_(pool), object_(std::move(object)) {}
    ~Loan() { pool_.give_back(std::move(object_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;

    T& operator*() const { return *object_; }
    T* operator->() const { return object_.get(); }

   private:
    ObjectPool& pool_;
    std::unique_ptr<T> object_;
  };

  // Any thread may call.
  [[nodiscard]] Loan borrow() { return Loan(*this, take()); }

  // Returns all objects. None may be in use.
  const std::vector<std::unique_ptr<T>>& objects() const { return idle_; }

 private:
  std::unique_ptr<T> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<T> object = std::move(idle_.back());
        idle_.pop_back();
        return object;
      }
      idle_.reserve(++made_);
    }
    return std::make_unique<T>(first_);
  }

  // Has memory for it since take().
  void give_back(std::unique_ptr<T> object) noexcept {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(object));
  }

  const T first_;
  std::mutex mutex_;
  std::size_t made_ = 0;  // Objects.
  std::vector<std::unique_ptr<T>> idle_;
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_OBJECT_POOL_H_
