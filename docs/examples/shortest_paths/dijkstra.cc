// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/shortest_paths/delta_stepping.h>

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>

#include <chrono>
#include <utility>

namespace millrace::examples {
namespace {

struct EdgeLength {
  std::uint32_t length;
};
using BoostGraph =
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, EdgeLength,
                                       boost::no_property, std::uint32_t, std::uint32_t>;

BoostGraph boost_graph(const WeightedGraph& graph) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  std::vector<EdgeLength> lengths;
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    for (std::uint32_t i = graph.begin[node]; i < graph.begin[node + 1]; ++i) {
      ends.emplace_back(node, graph.edges[i].target);
      lengths.push_back({graph.edges[i].length});
    }
  }
  return {boost::edges_are_sorted, ends.begin(), ends.end(), lengths.begin(), graph.nodes()};
}

}  // namespace

std::vector<std::uint32_t> dijkstra(const WeightedGraph& graph, std::uint32_t source,
                                    double& seconds) {
  const BoostGraph boosts = boost_graph(graph);
  std::vector<std::uint32_t> distances(graph.nodes());
  const auto by_node = get(boost::vertex_index, boosts);
  const auto begin = std::chrono::steady_clock::now();
  boost::dijkstra_shortest_paths(
      boosts, source,
      boost::weight_map(get(&EdgeLength::length, boosts))
          .distance_map(boost::make_iterator_property_map(distances.begin(), by_node)));
  seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return distances;
}

}  // namespace millrace::examples
