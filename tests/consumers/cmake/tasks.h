// SPDX-License-Identifier: Apache-2.0

// A user's task set: adds up the numbers of a range by halving it.
#ifndef TASKS_H_
#define TASKS_H_

#include <millrace/runtime/tasks/task_set.h>

#include <cstdint>

struct Sum {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t* sum;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (end - begin <= 16) {
      std::uint64_t own = 0;
      for (std::uint64_t i = begin; i < end; ++i) own += i;
      context.add(sum, own);
      return;
    }
    const std::uint64_t middle = begin + (end - begin) / 2;
    context.spawn(Sum{begin, middle, sum});
    context.spawn(Sum{middle, end, sum});
  }
};

using Tasks = millrace::TaskSet<Sum>;

#endif  // TASKS_H_
