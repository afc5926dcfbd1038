// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/task_graph/cholesky.h>
#include <millrace/docs/examples/task_graph/tiled_matrix.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/peers/flow_graph_cholesky.h>
#include <millrace/tools/benchmarks/workloads/device_limits.h>
#include <millrace/tools/benchmarks/workloads/joins/cholesky_workload.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

namespace millrace::tools {
namespace {

using examples::TiledMatrix;

constexpr char kTilePrefix[] = "tile-";

// A matrix, and what its factor is to be.
class CholeskyCase {
 public:
  CholeskyCase(int size, int tile)
      : matrix_(examples::random_positive_definite(size, tile, /*seed=*/1)) {}

  const TiledMatrix& matrix() const { return matrix_; }

  // Throws kInternal if the residual exceeds its bound. The residual takes longer than the
  // factorization, so a factor that has been checked is compared with the next ones.
  void expect(const TiledMatrix& factor) {
    if (right_ && std::ranges::equal(right_->elements(), factor.elements())) return;
    const double residual = examples::cholesky_residual(matrix_, factor);
    const double bound = examples::cholesky_residual_bound(matrix_);
    if (!(residual <= bound)) {
      throw Error(ErrorCode::kInternal, "the residual is " + std::to_string(residual) +
                                            "; it must be at most " + std::to_string(bound));
    }
    right_ = factor;
  }

 private:
  TiledMatrix matrix_;
  std::optional<TiledMatrix> right_;
};

// The lower triangle is read and written.
RunAmount amount_of(const TiledMatrix& matrix) {
  const double operations = examples::cholesky_operations(matrix.size());
  const double elements = matrix.size() * (matrix.size() + 1.0) / 2;
  return {.items = operations,
          .bytes = 2 * sizeof(double) * elements,
          .operations = operations,
          .operation_limit = kMultiplyAddLimit};
}

// Runs of a graph, which has load(), run() and factor().
template <class Graph, class Run>
WorkRun run_of(const std::shared_ptr<CholeskyCase>& work, const std::shared_ptr<Graph>& graph,
               const Run& run) {
  return {.check =
              [=] {
                graph->load(work->matrix());
                run();
                work->expect(graph->factor());
                return amount_of(work->matrix());
              },
          .run =
              [=] {
                graph->load(work->matrix());
                return seconds_of(run);
              }};
}

// The queue, and the graph in its device's memory.
struct QueuedGraph {
  QueuedGraph(const std::shared_ptr<Device>& device, const TiledMatrix& matrix)
      : queue(device->make_queue()), graph(*queue, matrix) {}

  void load(const TiledMatrix& matrix) { graph.load(matrix); }
  TiledMatrix factor() { return graph.factor(); }

  std::unique_ptr<Queue> queue;
  examples::CholeskyGraph graph;
};

PreparedWork prepare_cholesky(const std::shared_ptr<Device>& device, int size, int tile) {
  const auto work = std::make_shared<CholeskyCase>(size, tile);
  const auto graph = std::make_shared<QueuedGraph>(device, work->matrix());
  PreparedWork prepared;
  for (const Policy policy : kAllPolicies) {
    prepared.runs.push_back(run_of(work, graph, [=] { graph->graph.run({.policy = policy}); }));
    prepared.runs.back().policy = to_string(policy);
  }
  if (!device->info().shares_host_memory || device->info().is_simulated) return prepared;
  const auto peer = std::make_shared<FlowGraphCholesky>(work->matrix());
  prepared.runs.push_back(run_of(work, peer, [=] { peer->run(); }));
  prepared.runs.back().peer = FlowGraphCholesky::kName;
  return prepared;
}

std::vector<std::string> tile_inputs() {
  std::vector<std::string> inputs;
  for (const int tile : {32, 64, 128}) inputs.push_back(kTilePrefix + std::to_string(tile));
  return inputs;
}

int tile_of(const std::string& input) {
  return std::stoi(input.substr(std::string(kTilePrefix).size()));
}

}  // namespace

Workload cholesky_workload() {
  Workload workload;
  workload.name = "joins-cholesky";
  workload.what = "Cholesky's factorization of SIZE rows, each step of a tile a task";
  workload.item_name = "operations";
  workload.inputs = tile_inputs();
  workload.sizes =
      SizeChoice{.cpu = {1024, 4096}, .gpu = {1024, 2048, 4096}, .quick = 1024, .simulated = 40};
  workload.size_rule = "is 1 to 8192";
  workload.is_size = [](std::uint64_t size) { return size >= 1 && size <= 8192; };
  workload.prepare = [](const std::shared_ptr<Device>& device, const std::string& input,
                        std::uint64_t size) {
    return prepare_cholesky(device, static_cast<int>(size), tile_of(input));
  };
  return workload;
}

}  // namespace millrace::tools
