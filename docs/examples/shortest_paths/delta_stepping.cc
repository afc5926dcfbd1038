// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/shortest_paths/delta_stepping.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/check.h>

#include <algorithm>
#include <span>
#include <string>

namespace millrace::examples {
namespace {

// Returns a copy of `values`, of which there is at least one, in memory of the device.
template <class T>
Buffer<T> upload(Queue& queue, std::span<const T> values) {
  Buffer<T> buffer(queue.device().shared_from_this(), MemorySpace::kDevice, values.size());
  copy(queue, buffer.span(), BufferSpan<const T>(values));
  queue.wait();
  return buffer;
}

void check(const WeightedGraph& graph, const PathOptions& options) {
  check_range("nodes", graph.nodes(), 1, kMaxGraphNodes);
  check_range("source", options.source, 0, graph.nodes() - 1);
  check_range("delta", options.delta, 1, kUnreachable);
}

bool is_within(const WeightedGraph& graph, std::uint32_t source,
               const std::vector<std::uint32_t>& distances) {
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    if (distances[node] == kUnreachable) continue;
    for (std::uint32_t i = graph.begin[node]; i < graph.begin[node + 1]; ++i) {
      const auto [target, length] = graph.edges[i];
      if (distances[target] > distances[node] + length) return false;
    }
  }
  return distances[source] == 0;
}

}  // namespace

PathResult shortest_paths(Queue& queue, const WeightedGraph& graph, const PathOptions& options) {
  check(graph, options);
  std::vector<WeightedEdge> edges = graph.edges;
  if (edges.empty()) edges.emplace_back();  // A buffer has at least one element.
  PathResult result;
  result.distances.assign(graph.nodes(), kUnreachable);
  const auto begin = upload<std::uint32_t>(queue, graph.begin);
  const auto device_edges = upload<WeightedEdge>(queue, edges);
  auto distances = upload<std::uint32_t>(queue, result.distances);
  const PathSearch search{begin.data(), device_edges.data(), distances.data(), options.delta};
  const auto device_search = upload<PathSearch>(queue, std::span(&search, 1));

  const RelaxEdges root{device_search.data(), options.source, 0, 0};
  result.report = run_tasks(queue, TaskList<DeltaSteppingTasks>(root), options.run);
  copy(queue, BufferSpan<std::uint32_t>(std::span(result.distances)), distances.span());
  queue.wait();
  return result;
}

bool are_shortest(const WeightedGraph& graph, std::uint32_t source,
                  const std::vector<std::uint32_t>& distances) {
  if (distances.size() != graph.nodes() || !is_within(graph, source, distances)) return false;
  std::vector<bool> has_path(graph.nodes());
  has_path[source] = true;
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    if (distances[node] == kUnreachable) continue;
    for (std::uint32_t i = graph.begin[node]; i < graph.begin[node + 1]; ++i) {
      const auto [target, length] = graph.edges[i];
      if (distances[target] == distances[node] + length) has_path[target] = true;
    }
  }
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    if (distances[node] != kUnreachable && !has_path[node]) return false;
  }
  return true;
}

}  // namespace millrace::examples
