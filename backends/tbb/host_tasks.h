// SPDX-License-Identifier: Apache-2.0

// Tasks for tests of this backend. They call a function of the test, so that a test can do and
// observe anything inside a task.
#ifndef MILLRACE_BACKENDS_TBB_HOST_TASKS_H_
#define MILLRACE_BACKENDS_TBB_HOST_TASKS_H_

#include <millrace/runtime/tasks/task_list.h>

#include <functional>

namespace millrace::tbb_backend {

using HostFunction = std::function<void(int)>;

// Keeps the core busy for about `rounds` nanoseconds.
inline void spin(int rounds) {
  for (int i = 0; i < rounds; ++i) asm volatile("");
}

struct HostLeaf {
  const HostFunction* function;
  int index;

  template <class Context>
  void operator()(Context&) const {
    (*function)(index);
  }
};

// A tree with `levels` full levels below this node. Nodes are numbered as in a heap, from the
// root's 1; the last level consists of HostLeaf.
struct HostNode {
  const HostFunction* function;
  int index;
  int levels;

  template <class Context>
  void operator()(Context& context) const {
    (*function)(index);
    for (const int child : {2 * index, 2 * index + 1}) {
      if (levels > 1) {
        context.spawn(HostNode{function, child, levels - 1});
      } else {
        context.spawn(HostLeaf{function, child});
      }
    }
  }
};

using HostTasks = TaskSet<HostNode, HostLeaf>;

// Returns roots that call `function` with 1 to 2^(levels + 1) - 1, in tasks that spawn each other;
// levels > 0.
inline TaskList<HostTasks> host_tree(const HostFunction& function, int levels) {
  return TaskList<HostTasks>(HostNode{&function, 1, levels});
}

// Returns roots that call `function` with 0 to count-1.
inline TaskList<HostTasks> host_list(const HostFunction& function, int count) {
  TaskList<HostTasks> list;
  for (int i = 0; i < count; ++i) list.push(HostLeaf{&function, i});
  return list;
}

}  // namespace millrace::tbb_backend

#endif  // MILLRACE_BACKENDS_TBB_HOST_TASKS_H_
