// SPDX-License-Identifier: Apache-2.0

// The inner loops of Cholesky's factorization on a CPU, in vectors of the best instruction set that
// the machine has. Matrices are in panels of 8 rows: the 8 elements of a column are adjacent, and
// columns follow each other.
#ifndef MILLRACE_DOCS_EXAMPLES_TASK_GRAPH_BLOCK_SIMD_H_
#define MILLRACE_DOCS_EXAMPLES_TASK_GRAPH_BLOCK_SIMD_H_

namespace millrace::examples {

inline constexpr int kBlockSide = 8;  // Rows of a panel, and rows and columns of a block.
inline constexpr int kBlockElements = kBlockSide * kBlockSide;

// Subtracts a b^T from the block c. The panels a and b have `depth` columns, at least 1.
void subtract_block_product(double* c, const double* a, const double* b, int depth);

// Replaces the block x by the solution y of y l^T = x, with the lower triangle of l.
void solve_block(double* x, const double* l);

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_TASK_GRAPH_BLOCK_SIMD_H_
