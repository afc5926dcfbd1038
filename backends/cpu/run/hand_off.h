// SPDX-License-Identifier: Apache-2.0

// A hand-off passes one item from a worker directly to another one that waits for work.
//
// State and item are beside each other, for small items in one cache line. It moves between two
// cores twice for an item: when the owner waits, and when it has the item. A steal also moves a
// lock, a count, a stack and its items.
#ifndef MILLRACE_BACKENDS_CPU_RUN_HAND_OFF_H_
#define MILLRACE_BACKENDS_CPU_RUN_HAND_OFF_H_

#include <millrace/backends/cpu/run/task_stack.h>
#include <millrace/runtime/host/pause_core.h>

#include <atomic>
#include <cstdint>

namespace millrace::cpu {

// The owner calls begin_waiting(), has_item() and end_waiting(), in this order. Any thread may call
// reserve(), and give() if that has returned true.
template <class Set>
class alignas(128) HandOff {
 public:
  using Item = typename TaskStack<Set>::Item;

  void begin_waiting() { state_.store(State::kWaiting, std::memory_order_release); }

  bool has_item() const { return state_.load(std::memory_order_relaxed) == State::kFull; }

  // Moves the item to the stack, if one was given. Returns false if there is none.
  template <class Stack>
  bool end_waiting(Stack& stack) {
    State found = State::kWaiting;
    if (state_.compare_exchange_strong(found, State::kClosed, std::memory_order_relaxed)) {
      return false;
    }
    while (state_.load(std::memory_order_acquire) != State::kFull) pause_core();
    stack.push(item_.tag, item_.slot);
    state_.store(State::kClosed, std::memory_order_relaxed);
    return true;
  }

  // Returns true if the owner waits and nobody else gives it an item. give() must follow soon,
  // since the owner may be waiting for it.
  bool reserve() {
    State found = State::kWaiting;
    return state_.load(std::memory_order_relaxed) == State::kWaiting &&
           state_.compare_exchange_strong(found, State::kReserved, std::memory_order_acquire,
                                          std::memory_order_relaxed);
  }
  // The owner sees what this thread has written before.
  void give(const Item& item) {
    item_ = item;
    state_.store(State::kFull, std::memory_order_release);
  }

 private:
  enum class State : std::uint32_t { kClosed, kWaiting, kReserved, kFull };

  std::atomic<State> state_ = State::kClosed;
  Item item_;
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_RUN_HAND_OFF_H_
