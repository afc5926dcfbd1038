// SPDX-License-Identifier: Apache-2.0

// Counters of the graph of Cholesky's factorization before it runs.
#ifndef MILLRACE_DOCS_EXAMPLES_TASK_GRAPH_ARRIVALS_OF_STEPS_H_
#define MILLRACE_DOCS_EXAMPLES_TASK_GRAPH_ARRIVALS_OF_STEPS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::examples {

// Columns of tiles that a device has: number `first` and each `stride`-th after it.
struct TileColumns {
  std::size_t first = 0;
  std::size_t stride = 1;

  bool has(std::size_t column) const { return column % stride == first; }
};

// Returns the tasks for which each step of each tile waits, by step_index(). A step of a column
// that the device does not have waits for more than there are.
std::vector<std::uint32_t> arrivals_of_steps(std::size_t tile_rows, TileColumns columns = {});

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_TASK_GRAPH_ARRIVALS_OF_STEPS_H_
