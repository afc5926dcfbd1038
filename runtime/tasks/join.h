// SPDX-License-Identifier: Apache-2.0

// A join starts a task, its continuation, when a given number of tasks have arrived. Children leave
// their values in the members of the continuation.
//
//   struct Sum {                                     // The continuation.
//     Join<std::uint64_t> parent;
//     std::uint64_t left, right;                     // The values of its two children.
//     template <class Context> MILLRACE_FUNCTION void operator()(Context& context) const {
//       context.arrive(parent, left + right);
//     }
//   };
//   struct Fibonacci {
//     static constexpr std::uint32_t kJoins = 1;     // Joins that one call opens at most.
//     Join<std::uint64_t> parent;
//     std::uint32_t n;
//     template <class Context> MILLRACE_FUNCTION void operator()(Context& context) const {
//       if (n < 2) return context.arrive(parent, n);
//       const auto join = context.open_join(2, Sum{parent, 0, 0});
//       context.spawn(Fibonacci{join.to(&Sum::left), n - 1});
//       context.spawn(Fibonacci{join.to(&Sum::right), n - 2});
//     }
//   };
//   using Tasks = TaskSet<Fibonacci, Sum>;
#ifndef MILLRACE_RUNTIME_TASKS_JOIN_H_
#define MILLRACE_RUNTIME_TASKS_JOIN_H_

#include <millrace/runtime/core/target_function.h>
#include <millrace/runtime/tasks/task.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace millrace {

// A handle of an open join, for one arrival with a value of type V, or without one. Tasks carry it
// by value, and hand it on in tasks that they spawn and in values with which they arrive; not in
// other memory. It holds an index and no pointer, so an unfinished task may continue on another
// device. A default handle belongs to no join: arriving there does nothing.
//
// It is one word, which compilers keep in one register; tasks have no padding for it.
template <class V = void>
class __attribute__((packed, aligned(4))) Join {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  Join() = default;

  // For the join with this index in its run. The value is stored at byte `offset` of the
  // continuation. `slot` is a hint of the device where the join was opened, at most 65,535.
  MILLRACE_FUNCTION constexpr Join(std::uint32_t index, std::uint32_t offset,
                                   std::uint32_t slot = 0)
      : word_(index | std::uint64_t{offset} << 32 | std::uint64_t{slot} << 48) {}

  MILLRACE_FUNCTION constexpr std::uint32_t index() const {
    return static_cast<std::uint32_t>(word_);
  }
  MILLRACE_FUNCTION constexpr std::uint32_t offset() const {
    return static_cast<std::uint32_t>(word_ >> 32) & 0xffff;
  }
  MILLRACE_FUNCTION constexpr std::uint32_t slot() const {
    return static_cast<std::uint32_t>(word_ >> 48);
  }

  // Returns a handle of the same join without the value. An arrival there leaves the member as it
  // is.
  MILLRACE_FUNCTION constexpr Join<void> without_value() const { return {index(), 0, slot()}; }

 private:
  std::uint64_t word_ = kNone;
};

// The device that a join belongs to, in a run that several devices share. The upper bits of a
// join's index are the home of the device that opened it; arrivals on other devices travel there.
struct JoinHome {
  static constexpr int kRecordBits = 24;  // Bits of a record index; those above are the home.
  static constexpr std::uint32_t kRecords = std::uint32_t{1} << kRecordBits;
  static constexpr std::uint32_t kHomes = 255;  // Homes are less. kNone has none of them.

  std::uint32_t bits = 0;  // The home, shifted to its bits of an index.
  std::uint32_t mask = 0;  // The bits of a home; 0 in a run of one device, whose joins are its own.

  static constexpr JoinHome of(std::uint32_t home) {
    return {home << kRecordBits, ~(kRecords - 1)};
  }
  MILLRACE_FUNCTION constexpr bool owns(std::uint32_t index) const {
    return ((index ^ bits) & mask) == 0;
  }
  // Convert between an index that is owned and the index of its join's record on the device.
  MILLRACE_FUNCTION constexpr std::uint32_t record_index_of(std::uint32_t index) const {
    return index ^ bits;
  }
  MILLRACE_FUNCTION constexpr std::uint32_t index_of(std::uint32_t record_index) const {
    return record_index ^ bits;
  }
};

// The join that a task has just opened, with a continuation of type C.
template <class C>
class OpenedJoin {
 public:
  MILLRACE_FUNCTION explicit OpenedJoin(std::uint32_t index, std::uint32_t slot = 0)
      : index_(index), slot_(slot) {}

  // Makes an arrival without a value.
  MILLRACE_FUNCTION operator Join<void>() const { return {index_, 0, slot_}; }

  // For an arrival whose value goes to this member of the continuation, or to element `i` of it.
  // Two arrivals must not share a member.
  template <class V>
  MILLRACE_FUNCTION Join<V> to(V C::*member) const {
    return {index_, offset_of([member](const C& task) { return &(task.*member); }), slot_};
  }
  template <class V, std::size_t kCount>
  MILLRACE_FUNCTION Join<V> to(V (C::*member)[kCount], std::uint32_t i) const {
    return {index_, offset_of([member, i](const C& task) { return &(task.*member)[i]; }), slot_};
  }

 private:
  template <class Address>
  MILLRACE_FUNCTION static std::uint32_t offset_of(const Address& address_in) {
    const TaskSlot<TaskSet<C>> slot;  // Not read.
    const auto* const begin = reinterpret_cast<const unsigned char*>(&slot);
    const auto* const value =
        reinterpret_cast<const unsigned char*>(address_in(slot.template get<C>()));
    return static_cast<std::uint32_t>(value - begin);
  }

  std::uint32_t index_;
  std::uint32_t slot_;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TASKS_JOIN_H_
