// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/task_graph/arrivals_of_steps.h>
#include <millrace/docs/examples/task_graph/cholesky.h>

#include <span>
#include <vector>

namespace millrace::examples {
namespace {

template <class T>
Buffer<T> make(Queue& queue, std::size_t count) {
  return Buffer<T>(queue.device().shared_from_this(), MemorySpace::kDevice, count);
}

}  // namespace

CholeskyGraph::CholeskyGraph(Queue& queue, const TiledMatrix& matrix)
    : queue_(queue),
      size_(matrix.size()),
      tile_(matrix.tile()),
      tile_rows_(matrix.tile_rows()),
      tiles_(make<double>(queue, matrix.elements().size())),
      missing_(make<std::uint32_t>(queue, step_index(matrix.tile_rows(), 0, 0))),
      all_missing_(make<std::uint32_t>(queue, missing_.size())) {
  const std::vector<std::uint32_t> missing = arrivals_of_steps(matrix.tile_rows());
  copy(queue_, all_missing_.span(), BufferSpan<const std::uint32_t>(std::span(missing)));
  queue_.wait();
}

void CholeskyGraph::load(const TiledMatrix& matrix) {
  copy(queue_, tiles_.span(), BufferSpan<const double>(matrix.elements()));
  queue_.wait();
}

RunReport CholeskyGraph::run(const RunOptions& options) {
  copy(queue_, missing_.span(), all_missing_.span());
  const CholeskyTiles tiles = {.tiles = tiles_.data(),
                               .missing = missing_.data(),
                               .count = static_cast<std::uint32_t>(tile_rows_),
                               .side = tile_};
  return run_tasks(queue_, TaskList<CholeskyTasks>(Potrf{tiles, 0}), options);
}

TiledMatrix CholeskyGraph::factor() {
  TiledMatrix factor(size_, tile_);
  copy(queue_, BufferSpan<double>(factor.elements()), tiles_.span());
  queue_.wait();
  return factor;
}

CholeskyResult factor_cholesky(Queue& queue, const TiledMatrix& matrix, const RunOptions& options) {
  CholeskyGraph graph(queue, matrix);
  graph.load(matrix);
  const RunReport report = graph.run(options);
  return {graph.factor(), report};
}

double cholesky_operations(int size) {
  const double n = size;
  return n * n * n / 3;
}

}  // namespace millrace::examples
