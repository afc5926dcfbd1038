// SPDX-License-Identifier: Apache-2.0

// The part of a Context (task.h) that does not depend on the backend where one thread of the host
// is all the lanes of an item.
#ifndef MILLRACE_RUNTIME_TASKS_INTERNAL_ONE_LANE_CONTEXT_H_
#define MILLRACE_RUNTIME_TASKS_INTERNAL_ONE_LANE_CONTEXT_H_

#include <atomic>
#include <type_traits>

namespace millrace {

// A base of such Contexts.
struct OneLaneContext {
  using Lanes = OneLaneContext;
  static constexpr bool kMaySyncDiverged = false;

  static constexpr int lane() { return 0; }
  static constexpr int lanes() { return 1; }
  static constexpr void sync() {}

  // A backend whose threads share sums has faster ones.
  template <class T>
  static void add(T* target, std::type_identity_t<T> value) {
    std::atomic_ref<T>(*target).fetch_add(value, std::memory_order_relaxed);
  }
  template <class T>
  static void add_together(T* target, std::type_identity_t<T> value) {
    add(target, value);
  }

  template <class T>
  static T fetch_min(T* target, std::type_identity_t<T> value) {
    static_assert(std::is_unsigned_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));
    const std::atomic_ref word(*target);
    T before = word.load(std::memory_order_relaxed);
    while (value < before &&
           !word.compare_exchange_weak(before, value, std::memory_order_relaxed)) {
    }
    return before;
  }
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TASKS_INTERNAL_ONE_LANE_CONTEXT_H_
