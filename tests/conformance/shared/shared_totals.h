// SPDX-License-Identifier: Apache-2.0

// The totals of tasks that several devices share, and what they should be.
#ifndef MILLRACE_TESTS_CONFORMANCE_SHARED_SHARED_TOTALS_H_
#define MILLRACE_TESTS_CONFORMANCE_SHARED_SHARED_TOTALS_H_

#include <millrace/runtime/group/shared_sums.h>
#include <millrace/runtime/group/shared_tasks.h>
#include <millrace/tests/conformance/shared/shared_tasks.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace millrace::conformance {

using Totals = std::vector<std::uint64_t>;

// The sums of all devices.
class AllSums {
 public:
  template <class Set>
  SharedTasks<Set> tasks(TaskList<Set> roots) {
    return {.roots = std::move(roots),
            .prepare = [this](Queue& queue) { return DeviceSums{sums_.on(queue)}; },
            .finish = [this](Queue& queue) { sums_.take(queue); }};
  }
  const Totals& totals() const { return sums_.totals(); }

 private:
  SharedSums sums_{kSums};
};

// The sums of a tree, by one thread.
inline Totals shared_totals(const std::vector<SharedNode>& roots) {
  Totals totals(kSums);
  std::vector<SharedNode> stack = roots;
  while (!stack.empty()) {
    const SharedNode node = stack.back();
    stack.pop_back();
    const std::size_t first = node.is_failing() ? 2 : 0;
    ++totals[first];
    totals[first + 1] += node.state;
    if (node.is_failing()) continue;
    for (std::uint32_t i = 0; i < node.children(); ++i) stack.push_back(node.child(i));
  }
  return totals;
}

inline TaskList<SharedTreeTasks> list_of(const std::vector<SharedNode>& roots) {
  TaskList<SharedTreeTasks> list;
  for (const SharedNode& root : roots) list.push(root);
  return list;
}

}  // namespace millrace::conformance

#endif  // MILLRACE_TESTS_CONFORMANCE_SHARED_SHARED_TOTALS_H_
