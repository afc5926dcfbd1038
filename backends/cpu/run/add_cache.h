// SPDX-License-Identifier: Apache-2.0

// Combines the calls of Context::add of one worker, so that a sum over millions of tasks accesses
// shared memory when its entry is evicted or flushed instead of once per task.
#ifndef MILLRACE_BACKENDS_CPU_RUN_ADD_CACHE_H_
#define MILLRACE_BACKENDS_CPU_RUN_ADD_CACHE_H_

#include <array>
#include <atomic>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace millrace::cpu {

template <class T>
concept Addable = std::is_arithmetic_v<T> &&(sizeof(T) == 4 || sizeof(T) == 8);

// Integers wrap around, as they do if each value is added to memory separately.
template <Addable T>
constexpr T wrapping_sum(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
  } else {
    return a + b;
  }
}

// The standard fixed-width type that represents T. For example, long and long long may both have 64
// bits.
template <Addable T>
using SumType = std::conditional_t<
    std::is_floating_point_v<T>, T,
    std::conditional_t<std::is_signed_v<T>,
                       std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>,
                       std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

// A small number of sums, found by address. A sum that is evicted is added to its target. Not
// thread-safe; targets may be shared with other caches.
class AddCache {
 public:
  AddCache() = default;
  AddCache(const AddCache&) = delete;
  AddCache& operator=(const AddCache&) = delete;
  ~AddCache() { flush(); }

  // Not inlined: the callers' loops need the registers.
  template <Addable T>
  [[gnu::noinline]] void put(T* target, T value) noexcept {
    Sum& sum = sums_[(reinterpret_cast<std::uintptr_t>(target) / sizeof(T)) % kSums];
    if (sum.target != target || sum.apply != &apply<T>) {
      release(sum);
      sum.target = target;
      sum.apply = &apply<T>;
      store(sum, T{});
    }
    store(sum, wrapping_sum(load<T>(sum), value));
  }

  // Adds all sums to their targets.
  void flush() {
    for (Sum& sum : sums_) release(sum);
  }

 private:
  struct Sum {
    void* target = nullptr;
    void (*apply)(const Sum&) = nullptr;
    std::array<std::byte, 8> value{};
  };

  template <class T>
  static T load(const Sum& sum) {
    T value;
    std::memcpy(&value, sum.value.data(), sizeof(T));
    return value;
  }

  template <class T>
  static void store(Sum& sum, T value) {
    std::memcpy(sum.value.data(), &value, sizeof(T));
  }

  template <class T>
  static void apply(const Sum& sum) {
    std::atomic_ref(*static_cast<T*>(sum.target))
        .fetch_add(load<T>(sum), std::memory_order_relaxed);
  }

  static void release(Sum& sum) {
    if (sum.target != nullptr) sum.apply(sum);
    sum.target = nullptr;
  }

  static constexpr std::size_t kSums = 8;
  std::array<Sum, kSums> sums_;
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_RUN_ADD_CACHE_H_
