// SPDX-License-Identifier: Apache-2.0

// The sums to which tasks have added last, one for each type of number: a sum that many tasks add
// to one after another costs them an addition.
#ifndef MILLRACE_BACKENDS_CPU_RUN_PENDING_SUMS_H_
#define MILLRACE_BACKENDS_CPU_RUN_PENDING_SUMS_H_

#include <millrace/backends/cpu/run/add_cache.h>

#include <cstdint>
#include <tuple>

namespace millrace::cpu {

// Trivially copyable, so that compilers may keep it in registers. Not thread-safe.
class PendingSums {
 public:
  // Adds to *target. A sum of another target leaves for `adds`.
  template <Addable T>
  void add(AddCache& adds, T* target, T value) {
    using Term = SumType<T>;
    Sum<Term>& sum = std::get<Sum<Term>>(sums_);
    if (sum.target != reinterpret_cast<Term*>(target)) {
      put(adds, sum);
      sum.target = reinterpret_cast<Term*>(target);
      sum.value = Term{};
    }
    sum.value = wrapping_sum(sum.value, static_cast<Term>(value));
  }

  // Adds all sums to `adds`. By value, and static: a call that is not inlined must not get `this`
  // of sums that are in registers.
  static void flush(AddCache& adds, PendingSums sums) {
    std::apply([&adds](const auto&... sum) { (put(adds, sum), ...); }, sums.sums_);
  }

 private:
  template <class T>
  struct Sum {
    T* target = nullptr;
    T value{};
  };

  template <class T>
  static void put(AddCache& adds, const Sum<T>& sum) {
    if (sum.target != nullptr) adds.put(sum.target, sum.value);
  }

  std::tuple<Sum<std::int32_t>, Sum<std::uint32_t>, Sum<std::int64_t>, Sum<std::uint64_t>,
             Sum<float>, Sum<double>>
      sums_;
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_RUN_PENDING_SUMS_H_
