// SPDX-License-Identifier: Apache-2.0

// The cells of a grid, each of which needs the one above and the one to the left.
#ifndef MILLRACE_DOCS_EXAMPLES_WAITING_COUNT_PATHS_H_
#define MILLRACE_DOCS_EXAMPLES_WAITING_COUNT_PATHS_H_

#include <millrace/runtime/tasks/task_set.h>

#include <cstdint>

struct CountPaths {  // The ways from a corner to each cell, modulo 2^64.
  std::uint32_t side;
  std::uint32_t* missing;  // 2 for each cell inside, 1 at the two borders.
  std::uint64_t* paths;
  std::uint32_t row, column;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const std::uint32_t cell = row * side + column;
    const std::uint64_t above = row > 0 ? paths[cell - side] : 0;
    const std::uint64_t left = column > 0 ? paths[cell - 1] : 0;
    paths[cell] = cell == 0 ? 1 : above + left;
    if (column + 1 < side) {
      context.arrive(&missing[cell + 1], CountPaths{side, missing, paths, row, column + 1});
    }
    if (row + 1 < side) {
      context.arrive(&missing[cell + side], CountPaths{side, missing, paths, row + 1, column});
    }
  }
};

using PathTasks = millrace::TaskSet<CountPaths>;

#endif  // MILLRACE_DOCS_EXAMPLES_WAITING_COUNT_PATHS_H_
