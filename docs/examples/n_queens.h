// SPDX-License-Identifier: Apache-2.0

// Counts the ways to put N queens on an N x N board so that none attacks another.
#ifndef MILLRACE_DOCS_EXAMPLES_N_QUEENS_H_
#define MILLRACE_DOCS_EXAMPLES_N_QUEENS_H_

#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <cstdint>

namespace millrace::examples {

struct NQueensOptions {
  int queens = 12;  // 1 to kMaxQueens.
  int cut_off = 4;  // Rows whose placements are tasks, 0 or more; at most queens - 1 are.
  RunOptions run = {};
};

struct NQueensResult {
  std::uint64_t solutions = 0;
  RunReport report;
};

// Throws kInvalidArgument for options out of range, and what run_tasks throws.
NQueensResult count_n_queens(Queue& queue, const NQueensOptions& options);

// The number in the literature (OEIS A000170), for 1 to kMaxQueens queens.
std::uint64_t known_n_queens(int queens);

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_N_QUEENS_H_
