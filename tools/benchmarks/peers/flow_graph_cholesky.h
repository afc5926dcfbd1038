// SPDX-License-Identifier: Apache-2.0

// The peer of a task graph that is known beforehand: Cholesky's factorization by oneTBB's flow
// graph, whose nodes run the same kernels on the same tiles.
#ifndef MILLRACE_TOOLS_BENCHMARKS_PEERS_FLOW_GRAPH_CHOLESKY_H_
#define MILLRACE_TOOLS_BENCHMARKS_PEERS_FLOW_GRAPH_CHOLESKY_H_

#include <millrace/docs/examples/task_graph/cholesky_tasks.h>
#include <millrace/docs/examples/task_graph/tiled_matrix.h>

#include <tbb/flow_graph.h>

#include <cstddef>
#include <deque>

namespace millrace::tools {

// A matrix and the graph of its steps, which may be run repeatedly.
class FlowGraphCholesky {
 public:
  static constexpr char kName[] = "tbb::flow::graph";

  // Makes the graph for matrices of the size and the tile of `matrix`.
  explicit FlowGraphCholesky(const examples::TiledMatrix& matrix);

  // Nodes have references to this object.
  FlowGraphCholesky(const FlowGraphCholesky&) = delete;
  FlowGraphCholesky& operator=(const FlowGraphCholesky&) = delete;

  // Copies a matrix of that size and tile.
  void load(const examples::TiledMatrix& matrix) { matrix_ = matrix; }

  // Factors it in place, on all threads. It must be positive definite.
  void run();

  const examples::TiledMatrix& factor() const { return matrix_; }

 private:
  using Node = tbb::flow::continue_node<tbb::flow::continue_msg>;

  void make_nodes();
  void make_edges();
  void join(Node& before, std::size_t row, std::size_t column, std::size_t step);
  void run_step(std::size_t row, std::size_t column, std::size_t step);

  examples::TiledMatrix matrix_;
  tbb::flow::graph graph_;
  std::deque<Node> nodes_;  // Indexed by step_index().
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_PEERS_FLOW_GRAPH_CHOLESKY_H_
