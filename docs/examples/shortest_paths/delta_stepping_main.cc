// SPDX-License-Identifier: Apache-2.0

// delta_stepping: finds the shortest paths from a node of a generated graph, and compares with
// Dijkstra's algorithm.
#include <millrace/docs/examples/command/example_command.h>
#include <millrace/docs/examples/shortest_paths/delta_stepping.h>
#include <millrace/runtime/core/check.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <vector>

namespace {

using namespace millrace::examples;

struct Input {
  std::vector<std::uint32_t> grid;  // Width and height.
  std::vector<int> rmat;            // Scale and edge factor.
  std::uint64_t seed = 1;
  std::optional<std::uint32_t> source;
  std::optional<std::uint32_t> delta;
  bool must_check = false;
};

WeightedGraph make_graph(const Input& input) {
  if (!input.rmat.empty()) return rmat_graph(input.rmat[0], input.rmat[1], input.seed);
  if (input.grid.empty()) return grid_graph(300, 200, input.seed);
  return grid_graph(input.grid[0], input.grid[1], input.seed);
}

// Nodes of an R-MAT graph have more edges, so that their paths are shorter.
std::uint32_t delta_of(const Input& input) {
  return input.delta.value_or(input.rmat.empty() ? 256 : 8);
}

// The graph, and what Dijkstra's algorithm finds in it.
struct Problem {
  WeightedGraph graph;
  std::uint32_t source;
  std::vector<std::uint32_t> expected;  // Empty if it is not to be compared with.

  explicit Problem(const Input& input)
      : graph(make_graph(input)), source(input.source.value_or(graph.hub())) {
    millrace::check_range("source", source, 0, graph.nodes() - 1);
    if (!input.must_check) return;
    double seconds = 0;
    expected = dijkstra(graph, source, seconds);
    std::printf("Dijkstra (Boost.Graph, one thread): %.2f ms\n", seconds * 1e3);
  }

  // Every result is checked against the edges of the graph.
  bool is_right(const std::vector<std::uint32_t>& distances) const {
    return are_shortest(graph, source, distances) && (expected.empty() || distances == expected);
  }
};

void print(const Problem& problem, const PathResult& result) {
  const auto reached = std::ranges::count_if(
      result.distances, [](std::uint32_t distance) { return distance != kUnreachable; });
  const double seconds = result.report.seconds;
  std::printf("%s: %lld of %u nodes reached by %zu edges, %.2f million edges a second\n",
              to_string(result.report.policy), static_cast<long long>(reached),
              problem.graph.nodes(), problem.graph.edges.size(),
              seconds > 0 ? static_cast<double>(problem.graph.edges.size()) / seconds / 1e6 : 0.0);
}

void add_options(CLI::App& app, Input& input) {
  auto* const grid =
      app.add_option("--grid", input.grid, "a road-like grid of this width and height (300 200)");
  auto* const rmat =
      app.add_option("--rmat", input.rmat, "an R-MAT graph of this scale and edge factor");
  grid->expected(2)->excludes(rmat);
  rmat->expected(2);
  app.add_option("--seed", input.seed, "of the graph")->capture_default_str();
  app.add_option("--source", input.source, "node that paths begin at (that with most edges)");
  app.add_option("--delta", input.delta, "width of a level (256, or 8 for R-MAT graphs)");
  app.add_flag("--check", input.must_check, "compares every distance with Boost.Graph's Dijkstra");
}

}  // namespace

int main(int argc, char** argv) {
  ExampleCommand command("Shortest paths by delta-stepping: tasks with levels.", {"visits"});
  Input input;
  add_options(command.app(), input);

  std::optional<Problem> problem;
  return command.run(argc, argv, [&](millrace::Queue& queue, millrace::Policy policy) {
    if (!problem) problem.emplace(input);
    const PathOptions options{
        .source = problem->source, .delta = delta_of(input), .run = {.policy = policy}};
    const PathResult result = shortest_paths(queue, problem->graph, options);
    print(*problem, result);
    command.add(result.report);
    return problem->is_right(result.distances);
  });
}
