// SPDX-License-Identifier: Apache-2.0

// Tasks of this backend's tests.
#ifndef MILLRACE_BACKENDS_KOKKOS_COUNT_NODE_H_
#define MILLRACE_BACKENDS_KOKKOS_COUNT_NODE_H_

#include <millrace/runtime/tasks/task_list.h>

#include <cstdint>

namespace millrace::kokkos {

// A binary tree with `levels` levels below this one, whose nodes are counted.
struct CountNode {
  std::uint64_t* nodes;
  int levels;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(nodes, 1);
    if (levels == 0) return;
    context.spawn(CountNode{nodes, levels - 1});
    context.spawn(CountNode{nodes, levels - 1});
  }
};

using CountTasks = TaskSet<CountNode>;

}  // namespace millrace::kokkos

#endif  // MILLRACE_BACKENDS_KOKKOS_COUNT_NODE_H_
