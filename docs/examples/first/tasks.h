// SPDX-License-Identifier: Apache-2.0

// The integral of a function over an interval, which is halved until its value is known well.
#ifndef MILLRACE_DOCS_EXAMPLES_FIRST_TASKS_H_
#define MILLRACE_DOCS_EXAMPLES_FIRST_TASKS_H_

#include <cmath>

#include <millrace/runtime/tasks/task_set.h>

struct Interval {  // A task: trivially copyable, up to 256 bytes.
  double begin, end;
  double* integral;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const double middle = (begin + end) / 2;
    const double whole = (end - begin) * std::sqrt(middle);
    const double halves =
        (end - begin) / 2 * (std::sqrt((begin + middle) / 2) + std::sqrt((middle + end) / 2));
    if (std::abs(halves - whole) < 1e-9) {
      context.add(integral, halves);
    } else {
      context.spawn(Interval{begin, middle, integral});
      context.spawn(Interval{middle, end, integral});
    }
  }
};

using Tasks = millrace::TaskSet<Interval>;  // Several types may spawn each other.

#endif  // MILLRACE_DOCS_EXAMPLES_FIRST_TASKS_H_
