// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/peers/flow_graph_cholesky.h>

#include <algorithm>

namespace millrace::tools {
namespace {

using examples::step_index;

// One thread as the lanes of a task.
struct ThreadContext {
  static constexpr int lane() { return 0; }
  static constexpr int lanes() { return 1; }
  static constexpr void sync() {}
};

// The same order as by the tasks' kPriority; 0 is a node without a priority.
tbb::flow::node_priority_t priority_of(std::size_t row, std::size_t column, std::size_t step) {
  if (step == column) return row == column ? examples::Potrf::kPriority : examples::Trsm::kPriority;
  return row == column ? examples::Syrk::kPriority : examples::Gemm::kPriority;
}

template <class Visit>
void for_each_step(std::size_t tile_rows, const Visit& visit) {
  for (std::size_t row = 0; row < tile_rows; ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      for (std::size_t step = 0; step <= column; ++step) visit(row, column, step);
    }
  }
}

}  // namespace

FlowGraphCholesky::FlowGraphCholesky(const examples::TiledMatrix& matrix) : matrix_(matrix) {
  make_nodes();
  make_edges();
}

void FlowGraphCholesky::run() {
  nodes_.front().try_put({});
  graph_.wait_for_all();
}

void FlowGraphCholesky::make_nodes() {
  for_each_step(matrix_.tile_rows(), [this](std::size_t row, std::size_t column, std::size_t step) {
    nodes_.emplace_back(
        graph_, [=, this](const tbb::flow::continue_msg&) { run_step(row, column, step); },
        priority_of(row, column, step));
  });
}

void FlowGraphCholesky::make_edges() {
  for_each_step(matrix_.tile_rows(), [this](std::size_t row, std::size_t column, std::size_t step) {
    Node& node = nodes_[step_index(row, column, step)];
    if (step < column) return join(node, row, column, step + 1);
    for (std::size_t other = column + 1; other < matrix_.tile_rows(); ++other) {
      if (row == column) {
        join(node, other, column, column);
      } else {
        join(node, std::max(row, other), std::min(row, other), column);
      }
    }
  });
}

void FlowGraphCholesky::join(Node& before, std::size_t row, std::size_t column, std::size_t step) {
  tbb::flow::make_edge(before, nodes_[step_index(row, column, step)]);
}

void FlowGraphCholesky::run_step(std::size_t row, std::size_t column, std::size_t step) {
  const int side = matrix_.tile();
  const auto tile = [&](std::size_t tile_row, std::size_t tile_column) {
    return matrix_.elements().data() + examples::tile_index(tile_row, tile_column) * side * side;
  };
  ThreadContext context;
  double* const own = tile(row, column);
  if (step < column && row == column) {
    examples::syrk(context, own, tile(row, step), side);
  } else if (step < column) {
    examples::gemm(context, own, tile(row, step), tile(column, step), side);
  } else if (row == column) {
    examples::potrf(context, own, side);
  } else {
    examples::trsm(context, own, tile(column, column), side);
  }
}

}  // namespace millrace::tools
