// SPDX-License-Identifier: Apache-2.0

// The integral of a function over an interval, which is halved until its value is known well.
#ifndef MILLRACE_DOCS_EXAMPLES_FIRST_TASKS_H_
#define MILLRACE_DOCS_EXAMPLES_FIRST_TASKS_H_

#include <millrace/runtime/tasks/task_set.h>

#include <cmath>

struct Interval {  // A task: trivially copyable, up to 256 bytes.
  double begin, end;
  double* integral;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const double middle = (begin + end) / 2, half = middle - begin;
    const double whole = 2 * half * std::sqrt(middle);
    const double halves = half * (std::sqrt(begin + half / 2) + std::sqrt(end - half / 2));
    if (std::abs(halves - whole) < 1e-9) return context.add(integral, halves);
    context.spawn(Interval{begin, middle, integral});
    context.spawn(Interval{middle, end, integral});
  }
};
using Tasks = millrace::TaskSet<Interval>;  // Several types may spawn each other.

#endif  // MILLRACE_DOCS_EXAMPLES_FIRST_TASKS_H_
