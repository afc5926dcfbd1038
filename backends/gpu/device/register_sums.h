// SPDX-License-Identifier: Apache-2.0

// The sums of a lane's tasks, kept in registers as long as tasks add to the same addresses.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_REGISTER_SUMS_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_REGISTER_SUMS_H_

#include <millrace/backends/gpu/api.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace millrace::MILLRACE_GPU {

// The type in which a sum of T is kept; integers are unsigned, so that they wrap.
template <class T>
using SumType =
    std::conditional_t<std::is_floating_point_v<T>, T,
                       std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>>;

// The sums for the two addresses that a lane has last added to.
template <class T>
class RegisterSum {
 public:
  MILLRACE_FUNCTION void add(T* target, T value) {
    if (target == first_) {
      first_sum_ += value;
      return;
    }
    if (target != second_) {
      if (second_ != nullptr) reduce_add(second_, second_sum_);
      second_ = target;
      second_sum_ = T{};
    }
    // Moves the address used last to the front, which is compared first.
    T* const other = first_;
    const T other_sum = first_sum_;
    first_ = second_;
    first_sum_ = second_sum_ + value;
    second_ = other;
    second_sum_ = other_sum;
  }

  // Called by all lanes of the warp. If a sum is evicted, all lanes evict theirs together.
  MILLRACE_FUNCTION void add_together(T* target, T value) {
    if (ballot(target != first_ && target != second_) != 0) {
      flush(second_, second_sum_);
      second_ = nullptr;
    }
    add(target, value);
  }

  // Called by all lanes of the warp.
  MILLRACE_FUNCTION void flush() {
    flush(first_, first_sum_);
    flush(second_, second_sum_);
    first_ = second_ = nullptr;
  }

 private:
  // If all lanes have summed for one address, one lane adds the total.
  MILLRACE_FUNCTION static void flush(T* target, T sum) {
    const auto address = reinterpret_cast<std::uint64_t>(target);
    const bool differs = address != shuffle(address, 0);
    if (ballot(differs) != 0) {
      if (target != nullptr) reduce_add(target, sum);
      return;
    }
    if (target == nullptr) return;
    for (int distance = warp_width() / 2; distance > 0; distance /= 2) {
      sum += shuffle_down(sum, distance);
    }
    if (lane_index() == 0) reduce_add(target, sum);
  }

  T* first_ = nullptr;
  T first_sum_{};
  T* second_ = nullptr;
  T second_sum_{};
};

class RegisterSums {
 public:
  template <class T>
  MILLRACE_FUNCTION void add(T* target, std::type_identity_t<T> value) {
    static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                  "add() takes integers of 4 or 8 bytes, float and double");
    using Term = SumType<T>;
    of<Term>().add(reinterpret_cast<Term*>(target), static_cast<Term>(value));
  }

  // Called by all lanes of the warp.
  template <class T>
  MILLRACE_FUNCTION void add_together(T* target, std::type_identity_t<T> value) {
    using Term = SumType<T>;
    of<Term>().add_together(reinterpret_cast<Term*>(target), static_cast<Term>(value));
  }

  // Called by all lanes of the warp.
  MILLRACE_FUNCTION void flush() {
    u32_.flush();
    u64_.flush();
    f32_.flush();
    f64_.flush();
  }

 private:
  template <class T>
  MILLRACE_FUNCTION RegisterSum<T>& of() {
    if constexpr (std::is_same_v<T, std::uint32_t>)
      return u32_;
    else if constexpr (std::is_same_v<T, std::uint64_t>)
      return u64_;
    else if constexpr (std::is_same_v<T, float>)
      return f32_;
    else
      return f64_;
  }

  RegisterSum<std::uint32_t> u32_;
  RegisterSum<std::uint64_t> u64_;
  RegisterSum<float> f32_;
  RegisterSum<double> f64_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_REGISTER_SUMS_H_
