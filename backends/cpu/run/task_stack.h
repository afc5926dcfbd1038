// SPDX-License-Identifier: Apache-2.0

// The items that a worker has spawned and not yet run. The owner takes the newest first; workers
// with which it shares them get the oldest first.
#ifndef MILLRACE_BACKENDS_CPU_RUN_TASK_STACK_H_
#define MILLRACE_BACKENDS_CPU_RUN_TASK_STACK_H_

#include <millrace/runtime/tasks/task_set.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

namespace millrace::cpu {

// Not thread-safe. A vector would test and update more words at each push and pop, which take most
// of the time of the smallest tasks.
template <class Set>
class TaskStack {
 public:
  struct Item {
    TaskSlot<Set> slot;
    TaskTag tag;
  };
  static_assert(std::is_trivially_copyable_v<Item>);

  TaskStack() = default;
  TaskStack(const TaskStack&) = delete;
  TaskStack& operator=(const TaskStack&) = delete;

  std::size_t size() const { return static_cast<std::size_t>(top_ - oldest_); }
  bool empty() const { return top_ == oldest_; }

  template <class T>
  void push(const T& task) {
    if (top_ == limit_) [[unlikely]]
      reserve(1);
    top_->slot.store(task);
    top_->tag = Set::template tag_of<T>();
    ++top_;
  }
  void push(TaskTag tag, const TaskSlot<Set>& slot) {
    if (top_ == limit_) [[unlikely]]
      reserve(1);
    *top_++ = {slot, tag};
  }

  // Returns the newest item; the stack must not be empty. By value, because running the item may
  // push.
  Item pop() {
    const Item item = *--top_;
    if (empty()) clear();
    return item;
  }

  // Removes the newest item and calls visit(task) with a copy. The stack must not be empty. Unlike
  // pop(), it reads members as they were written: a wider load waits until narrower stores have
  // left the processor's store buffer.
  template <class Visit>
  void pop_to(const Visit& visit) {
    const Item& item = *--top_;
    visit_type<Set>(item.tag, [&]<class T>() {
      const T task = item.slot.template get<T>();
      if (empty()) clear();
      visit(task);
    });
  }

  // Removes and returns the oldest item; the stack must not be empty.
  Item take_oldest() {
    const Item item = *oldest_++;
    if (empty()) clear();
    return item;
  }

  // Moves the `count` oldest items, or all if there are fewer, to the top of another stack.
  void move_oldest_to(TaskStack& other, std::size_t count) {
    count = std::min(count, size());
    if (count == 0) return;
    if (count > static_cast<std::size_t>(other.limit_ - other.top_)) other.reserve(count);
    std::memcpy(static_cast<void*>(other.top_), oldest_, count * sizeof(Item));
    other.top_ += count;
    oldest_ += count;
    if (empty()) clear();
  }

  void clear() { oldest_ = top_ = items_.get(); }

 private:
  static constexpr std::size_t kLeast = 64;  // Items of the first allocation.

  // Reserves memory for `count` more items: where items have been moved away, if that is half of
  // the memory, else in memory twice as large.
  [[gnu::noinline]] void reserve(std::size_t count) {
    const std::size_t held = size();
    const auto capacity = static_cast<std::size_t>(limit_ - items_.get());
    if (held + count <= capacity / 2) {
      std::memmove(static_cast<void*>(items_.get()), oldest_, held * sizeof(Item));
    } else {
      const std::size_t grown = std::max({kLeast, 2 * capacity, held + count});
      std::unique_ptr<Item[]> items(new Item[grown]);
      if (held > 0) std::memcpy(static_cast<void*>(items.get()), oldest_, held * sizeof(Item));
      items_ = std::move(items);
      limit_ = items_.get() + grown;
    }
    oldest_ = items_.get();
    top_ = oldest_ + held;
  }

  std::unique_ptr<Item[]> items_;
  Item* oldest_ = nullptr;  // Items before it have been moved away.
  Item* top_ = nullptr;
  Item* limit_ = nullptr;
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_RUN_TASK_STACK_H_
