// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/task_graph/arrivals_of_steps.h>
#include <millrace/docs/examples/task_graph/cholesky_tasks.h>

#include <limits>

namespace millrace::examples {
namespace {

constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

// The tasks whose tiles a step reads, and the step before.
std::uint32_t count_arrivals(std::size_t row, std::size_t column, std::size_t step) {
  const std::uint32_t before = step > 0 ? 1 : 0;
  if (row == column) return before + (step < column ? 1 : 0);
  return before + (step < column ? 2 : 1);
}

}  // namespace

std::vector<std::uint32_t> arrivals_of_steps(std::size_t tile_rows, TileColumns columns) {
  std::vector<std::uint32_t> arrivals(step_index(tile_rows, 0, 0));
  for (std::size_t row = 0; row < tile_rows; ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      for (std::size_t step = 0; step <= column; ++step) {
        arrivals[step_index(row, column, step)] =
            columns.has(column) ? count_arrivals(row, column, step) : kNever;
      }
    }
  }
  return arrivals;
}

}  // namespace millrace::examples
