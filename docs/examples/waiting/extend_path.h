// SPDX-License-Identifier: Apache-2.0

// The shortest paths from one node to all others, by levels.
#ifndef MILLRACE_DOCS_EXAMPLES_WAITING_EXTEND_PATH_H_
#define MILLRACE_DOCS_EXAMPLES_WAITING_EXTEND_PATH_H_

#include <millrace/runtime/tasks/task_set.h>

#include <cstdint>

struct Roads {  // In memory of the device; roads begin[n] to begin[n + 1] - 1 lead from node n.
  const std::uint32_t *begin, *ends, *lengths;
  // Indexed by node; 0 at the first one, and the largest number at others.
  std::uint32_t* shortest;
};

struct ExtendPath {
  static constexpr bool kUsesLevels = true;
  Roads roads;
  std::uint32_t node, length;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    for (auto i = roads.begin[node]; i < roads.begin[node + 1]; ++i) {
      const std::uint32_t next = roads.ends[i];
      const std::uint32_t through = length + roads.lengths[i];
      if (context.fetch_min(&roads.shortest[next], through) > through) {
        context.spawn_at(through, ExtendPath{roads, next, through});
      }
    }
  }
};

using RoadTasks = millrace::TaskSet<ExtendPath>;

#endif  // MILLRACE_DOCS_EXAMPLES_WAITING_EXTEND_PATH_H_
