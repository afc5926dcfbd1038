// SPDX-License-Identifier: Apache-2.0

// The example of docs/guide/many_devices.md: in how many ways do some of the weights have a sum?
#ifndef MILLRACE_DOCS_EXAMPLES_SEVERAL_DEVICES_CHOOSE_TASKS_H_
#define MILLRACE_DOCS_EXAMPLES_SEVERAL_DEVICES_CHOOSE_TASKS_H_

#include <millrace/runtime/tasks/task_set.h>

#include <cstdint>

namespace millrace::examples {

struct Weights {  // Each device has its own.
  const std::uint32_t* weights;
  std::uint32_t count;
  std::uint64_t* ways;
};

struct Choose {  // Takes or leaves each weight from `first` on.
  static constexpr bool kTravels = true;
  std::uint32_t first;
  std::uint32_t rest;  // The sum that is still missing.

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const Weights& own = context.arguments();
    if (rest == 0) context.add(own.ways, std::uint64_t{1});
    for (std::uint32_t i = first; i < own.count && rest > 0; ++i) {
      if (own.weights[i] <= rest) context.spawn(Choose{i + 1, rest - own.weights[i]});
    }
  }
};

struct ChooseTasks : millrace::TaskSet<Choose> {
  using Arguments = Weights;
};

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_SEVERAL_DEVICES_CHOOSE_TASKS_H_
