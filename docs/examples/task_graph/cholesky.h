// SPDX-License-Identifier: Apache-2.0

// Cholesky's factorization A = L L^T of a positive definite matrix on a device, by a task graph.
#ifndef MILLRACE_DOCS_EXAMPLES_TASK_GRAPH_CHOLESKY_H_
#define MILLRACE_DOCS_EXAMPLES_TASK_GRAPH_CHOLESKY_H_

#include <millrace/docs/examples/task_graph/cholesky_tasks.h>
#include <millrace/docs/examples/task_graph/tiled_matrix.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <cstddef>
#include <cstdint>

namespace millrace::examples {

// A matrix and the counters of its graph in memory of a device, which may be factored repeatedly.
// One thread uses it at a time, and the queue must outlive it.
class CholeskyGraph {
 public:
  // Memory for matrices of the size and the tile of `matrix`. Throws what Buffer and Queue do.
  CholeskyGraph(Queue& queue, const TiledMatrix& matrix);

  // Copies a matrix of that size and tile to the device.
  void load(const TiledMatrix& matrix);

  // Sets the counters and factors what has been loaded, in place. Throws kTaskFailed if the matrix
  // is not positive definite; the error's detail is the order of its first leading minor that is
  // not. Throws also what run_tasks throws. After an exception load the matrix anew.
  RunReport run(const RunOptions& options = {});

  // Returns the factor L. Above its diagonal are other numbers.
  TiledMatrix factor();

 private:
  Queue& queue_;
  int size_;
  int tile_;
  std::size_t tile_rows_;
  Buffer<double> tiles_;
  Buffer<std::uint32_t> missing_;
  Buffer<std::uint32_t> all_missing_;  // Copied to missing_ before each run.
};

struct CholeskyResult {
  TiledMatrix factor;
  RunReport report;
};

// Factors one matrix.
CholeskyResult factor_cholesky(Queue& queue, const TiledMatrix& matrix,
                               const RunOptions& options = {});

// The floating-point operations of a factorization, n^3 / 3.
double cholesky_operations(int size);

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_TASK_GRAPH_CHOLESKY_H_
