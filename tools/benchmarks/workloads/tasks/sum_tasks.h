// SPDX-License-Identifier: Apache-2.0

// Tasks with next to no work.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_SUM_TASKS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_SUM_TASKS_H_

#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>

namespace millrace::tools {

struct SumArguments {
  const std::int64_t* values;
  std::int64_t* sum;
};

// Adds one element of an array to a sum.
struct AddElement {
  static constexpr bool kSpawns = false;
  SumArguments arguments;
  std::size_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(arguments.sum, arguments.values[index]);
  }
};

// Spawns AddElement for every index below `count`.
struct SpawnAll {
  SumArguments arguments;
  std::size_t count;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    for (std::size_t i = 0; i < count; ++i) context.spawn(AddElement{arguments, i});
  }
};

// Spawns halves of begin..end-1 down to single elements.
struct SpawnHalves {
  SumArguments arguments;
  std::uint32_t begin;
  std::uint32_t end;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (end - begin == 1) {
      context.add(arguments.sum, arguments.values[begin]);
      return;
    }
    const std::uint32_t middle = begin + (end - begin) / 2;
    context.spawn(SpawnHalves{arguments, begin, middle});
    context.spawn(SpawnHalves{arguments, middle, end});
  }
};

struct FlatSum : TaskSet<AddElement> {
  using Arguments = SumArguments;
};
using FanSum = TaskSet<SpawnAll, AddElement>;
using TreeSum = TaskSet<SpawnHalves>;

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASKS_SUM_TASKS_H_
