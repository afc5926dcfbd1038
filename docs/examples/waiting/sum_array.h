// SPDX-License-Identifier: Apache-2.0

// The sum of an array, by halves.
#ifndef MILLRACE_DOCS_EXAMPLES_WAITING_SUM_ARRAY_H_
#define MILLRACE_DOCS_EXAMPLES_WAITING_SUM_ARRAY_H_

#include <millrace/runtime/tasks/join.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstdint>

struct AddHalves {  // The continuation: it starts when both children have arrived.
  millrace::Join<std::uint64_t> parent;
  std::uint64_t left, right;  // Their values.

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.arrive(parent, left + right);
  }
};

struct SumRange {
  static constexpr std::uint32_t kJoins = 1;  // It opens at most one join.
  millrace::Join<std::uint64_t> parent;
  const std::uint32_t* values;
  std::uint32_t count;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (count > 100) {
      const auto join = context.open_join(2, AddHalves{parent, 0, 0});
      context.spawn(SumRange{join.to(&AddHalves::left), values, count / 2});
      context.spawn(SumRange{join.to(&AddHalves::right), values + count / 2, count - count / 2});
    } else {
      std::uint64_t sum = 0;
      for (std::uint32_t i = 0; i < count; ++i) sum += values[i];
      context.arrive(parent, sum);
    }
  }
};

struct StoreSum {
  std::uint64_t* result;
  std::uint64_t value;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context&) const {
    *result = value;
  }
};

struct SumArray {  // The root.
  static constexpr std::uint32_t kJoins = 1;
  std::uint64_t* result;
  const std::uint32_t* values;
  std::uint32_t count;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const auto join = context.open_join(1, StoreSum{result, 0});
    context.spawn(SumRange{join.to(&StoreSum::value), values, count});
  }
};

using SumTasks = millrace::TaskSet<SumArray, SumRange, AddHalves, StoreSum>;

#endif  // MILLRACE_DOCS_EXAMPLES_WAITING_SUM_ARRAY_H_
