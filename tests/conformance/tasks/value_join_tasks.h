// SPDX-License-Identifier: Apache-2.0

// Task sets whose joins have values that are no single words: of 2, 3 and 16 bytes.
#ifndef MILLRACE_TESTS_CONFORMANCE_TASKS_VALUE_JOIN_TASKS_H_
#define MILLRACE_TESTS_CONFORMANCE_TASKS_VALUE_JOIN_TASKS_H_

#include <millrace/runtime/host/splitmix64.h>
#include <millrace/runtime/tasks/join.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstdint>
#include <type_traits>

namespace millrace::conformance {

struct Reading {
  double mean;
  std::uint32_t count;
  std::uint16_t kind;  // Two bytes of padding follow.

  MILLRACE_FUNCTION bool equals(const Reading& other) const {
    return mean == other.mean && count == other.count && kind == other.kind;
  }
};
static_assert(sizeof(Reading) == 16);

struct Colour {
  unsigned char red;
  unsigned char green;
  unsigned char blue;

  MILLRACE_FUNCTION bool equals(const Colour& other) const {
    return red == other.red && green == other.green && blue == other.blue;
  }
};
static_assert(sizeof(Colour) == 3);

// Returns value number `index`, of which every member follows from the index.
template <class V>
MILLRACE_FUNCTION V value_at(std::uint32_t index) {
  const std::uint64_t random = splitmix64(index);
  if constexpr (std::is_same_v<V, Reading>) {
    return {static_cast<double>(random >> 11), static_cast<std::uint32_t>(random),
            static_cast<std::uint16_t>(random >> 48)};
  } else if constexpr (std::is_same_v<V, Colour>) {
    return {static_cast<unsigned char>(random), static_cast<unsigned char>(random >> 8),
            static_cast<unsigned char>(random >> 16)};
  } else {
    static_assert(std::is_same_v<V, std::uint16_t>);
    return static_cast<std::uint16_t>(random);
  }
}

// The trees of a run: tree i has the joins i, kTrees + 2 * i, and so on.
struct ValueTrees {
  static constexpr std::uint32_t kTrees = 20;
  std::uint32_t* runs;  // Right continuations of each join, then wrong ones.
  std::uint32_t joins;
};

// Arrives with value number `index`.
template <class V>
struct ValueChild {
  Join<V> join;
  std::uint32_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.arrive(join, value_at<V>(index));
  }
};

// Continuation `index` has n values of 16 bytes, and twice as many of 3 and of 2, whose bytes share
// words. It counts at its index if all are right.
template <std::uint32_t n>
struct ValueEnd {
  static constexpr std::uint32_t kValues = 5 * n;
  Reading readings[n];
  std::uint32_t index;
  Colour colours[2 * n];
  std::uint16_t marks[2 * n];
  // Makes the continuation of n = 1 so large that lanes of GPUs keep a reading until their task has
  // ended.
  std::uint64_t unused;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    std::uint32_t next = index * kValues;
    bool is_right = true;
    for (const Reading& value : readings) is_right &= value.equals(value_at<Reading>(next++));
    for (const Colour& value : colours) is_right &= value.equals(value_at<Colour>(next++));
    for (const std::uint16_t value : marks) is_right &= value == value_at<std::uint16_t>(next++);
    const ValueTrees& trees = context.arguments();
    context.add(trees.runs + (is_right ? index : trees.joins), 1u);
  }
};

// Opens join `index`. Every other one does so before it spawns the joins below it, which are then
// nested in it on a lane's stack.
template <std::uint32_t n>
struct ValueTree {
  static constexpr std::uint32_t kJoins = 1;
  std::uint32_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const bool is_open_first = index % 2 == 0;
    if (!is_open_first) spawn_below(context);
    using End = ValueEnd<n>;
    const auto join = context.open_join(End::kValues, End{{}, index, {}, {}, 0});
    std::uint32_t next = index * End::kValues;
    for (std::uint32_t i = 0; i < n; ++i) {
      context.spawn(ValueChild<Reading>{join.to(&End::readings, i), next++});
    }
    for (std::uint32_t i = 0; i < 2 * n; ++i) {
      context.spawn(ValueChild<Colour>{join.to(&End::colours, i), next++});
    }
    for (std::uint32_t i = 0; i < 2 * n; ++i) {
      context.spawn(ValueChild<std::uint16_t>{join.to(&End::marks, i), next++});
    }
    if (is_open_first) spawn_below(context);
  }

  template <class Context>
  MILLRACE_FUNCTION void spawn_below(Context& context) const {
    const std::uint32_t first = ValueTrees::kTrees + 2 * index;
    for (std::uint32_t below = first; below < first + 2; ++below) {
      if (below < context.arguments().joins) context.spawn(ValueTree{below});
    }
  }
};

template <std::uint32_t n>
struct ValueJoinTasks : TaskSet<ValueTree<n>, ValueChild<Reading>, ValueChild<Colour>,
                                ValueChild<std::uint16_t>, ValueEnd<n>> {
  using Arguments = ValueTrees;
};

// Lanes of GPUs keep joins of up to 40 bytes on stacks of their own.
using SmallValueTasks = ValueJoinTasks<1>;
using LargeValueTasks = ValueJoinTasks<3>;
static_assert(SmallValueTasks::kSlotBytes == 40 && LargeValueTasks::kSlotBytes > 40);

}  // namespace millrace::conformance

#endif  // MILLRACE_TESTS_CONFORMANCE_TASKS_VALUE_JOIN_TASKS_H_
