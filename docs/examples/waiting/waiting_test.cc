// SPDX-License-Identifier: Apache-2.0

// The tasks of docs/guide/waiting.md, on every device under every policy.
#include <millrace/docs/examples/guide_blocks.h>
#include <millrace/docs/examples/waiting/count_paths.h>
#include <millrace/docs/examples/waiting/extend_path.h>
#include <millrace/docs/examples/waiting/graph.h>
#include <millrace/docs/examples/waiting/sum_array.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/tests/conformance/conformance.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>

namespace millrace::examples {
namespace {

// A copy of `values` in memory of the device.
template <class T>
Buffer<T> on_device(Queue& queue, const std::vector<T>& values) {
  Buffer<T> buffer(queue.device().shared_from_this(), MemorySpace::kDevice, values.size());
  copy(queue, buffer.span(), BufferSpan<const T>(std::span(values)));
  queue.wait();
  return buffer;
}

// The lists of a graph's neighbours, one after another.
struct NeighbourLists {
  std::vector<std::uint32_t> begin = {0};
  std::vector<std::uint32_t> nodes;

  explicit NeighbourLists(const std::vector<std::vector<std::uint32_t>>& lists) {
    for (const auto& list : lists) {
      nodes.insert(nodes.end(), list.begin(), list.end());
      begin.push_back(static_cast<std::uint32_t>(nodes.size()));
    }
    nodes.push_back(0);  // Buffers are not empty.
  }
};

using WaitingTest = conformance::PolicyTest;

TEST_P(WaitingTest, ChildrenAreSummed) {
  std::vector<std::uint32_t> numbers(scaled(1'000'000, 3'000));
  std::iota(numbers.begin(), numbers.end(), 7u);
  const auto values = on_device(*queue, numbers);
  conformance::DeviceArray<std::uint64_t> result(*queue, 1);
  const SumArray root{result.data(), values.data(), static_cast<std::uint32_t>(numbers.size())};
  run_tasks(*queue, TaskList<SumTasks>(root), {.policy = policy});
  EXPECT_EQ(result.read()[0], std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0}));
}

TEST_P(WaitingTest, AGraphIsVisitedInOrder) {
  const auto nodes = static_cast<std::uint32_t>(scaled(20'000, 300));
  std::mt19937 random(5);
  std::vector<std::vector<std::uint32_t>> before(nodes), after(nodes);
  std::vector<std::uint32_t> missing(nodes), longest(nodes);
  for (std::uint32_t node = 1; node < nodes; ++node) {
    for (std::uint32_t i = random() % 4; i > 0; --i) {
      const std::uint32_t other = node - 1 - random() % std::min(node, 50u);
      before[node].push_back(other);
      after[other].push_back(node);
      ++missing[node];
      longest[node] = std::max(longest[node], longest[other] + 1);
    }
  }
  const auto before_begin = on_device(*queue, NeighbourLists(before).begin);
  const auto before_nodes = on_device(*queue, NeighbourLists(before).nodes);
  const auto after_begin = on_device(*queue, NeighbourLists(after).begin);
  const auto after_nodes = on_device(*queue, NeighbourLists(after).nodes);
  auto counters = on_device(*queue, missing);
  conformance::DeviceArray<std::uint32_t> result(*queue, nodes);
  const Graph graph{before_begin.data(), before_nodes.data(), after_begin.data(),
                    after_nodes.data(),  counters.data(),     result.data()};
  TaskList<GraphTasks> roots;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    if (missing[node] == 0) roots.push(VisitNode{graph, node});
  }
  run_tasks(*queue, roots, {.policy = policy});
  EXPECT_EQ(result.read(), longest);
}

TEST_P(WaitingTest, AWavefrontIsWalked) {
  const auto side = static_cast<std::uint32_t>(scaled(200, 16));
  std::vector<std::uint32_t> missing(side * side);
  std::vector<std::uint64_t> expected(side * side);
  for (std::uint32_t cell = 0; cell < side * side; ++cell) {
    const std::uint64_t above = cell < side ? 0 : expected[cell - side];
    const std::uint64_t left = cell % side == 0 ? 0 : expected[cell - 1];
    missing[cell] = (cell < side ? 0 : 1) + (cell % side == 0 ? 0 : 1);
    expected[cell] = cell == 0 ? 1 : above + left;
  }
  auto counters = on_device(*queue, missing);
  conformance::DeviceArray<std::uint64_t> paths(*queue, side * side);
  run_tasks(*queue, TaskList<PathTasks>(CountPaths{side, counters.data(), paths.data(), 0, 0}),
            {.policy = policy});
  EXPECT_EQ(paths.read(), expected);
}

// The lengths of the shortest paths from node 0, by going through all roads as long as that helps.
std::vector<std::uint32_t> shortest_paths(const std::vector<std::vector<std::uint32_t>>& ends,
                                          const std::vector<std::uint32_t>& lengths,
                                          std::vector<std::uint32_t> shortest) {
  for (bool is_shorter = true; is_shorter;) {
    is_shorter = false;
    std::size_t road = 0;
    for (std::size_t node = 0; node < ends.size(); ++node) {
      for (const std::uint32_t next : ends[node]) {
        const std::uint64_t through = std::uint64_t{shortest[node]} + lengths[road++];
        if (through >= shortest[next]) continue;
        shortest[next] = static_cast<std::uint32_t>(through);
        is_shorter = true;
      }
    }
  }
  return shortest;
}

TEST_P(WaitingTest, ShortestPathsAreFoundInOrder) {
  const auto nodes = static_cast<std::uint32_t>(scaled(5'000, 150));
  std::mt19937 random(6);
  std::vector<std::vector<std::uint32_t>> ends(nodes);
  std::vector<std::uint32_t> lengths;
  for (auto& next : ends) {
    for (std::uint32_t i = random() % 5; i > 0; --i) {
      next.push_back(random() % nodes);
      lengths.push_back(1 + random() % 20);
    }
  }
  std::vector<std::uint32_t> unknown(nodes, ~std::uint32_t{0});
  unknown[0] = 0;
  const auto begin = on_device(*queue, NeighbourLists(ends).begin);
  const auto nexts = on_device(*queue, NeighbourLists(ends).nodes);
  const auto road_lengths = on_device(*queue, lengths);
  auto shortest = on_device(*queue, unknown);
  const Roads roads{begin.data(), nexts.data(), road_lengths.data(), shortest.data()};
  run_tasks(*queue, TaskList<RoadTasks>(ExtendPath{roads, 0, 0}), {.policy = policy});
  std::vector<std::uint32_t> found(nodes);
  copy(*queue, BufferSpan<std::uint32_t>(std::span(found)), shortest.span());
  queue->wait();
  EXPECT_EQ(found, shortest_paths(ends, lengths, unknown));
}

INSTANTIATE_TEST_SUITE_P(Waiting, WaitingTest,
                         testing::Combine(testing::ValuesIn(conformance::device_names()),
                                          testing::ValuesIn(kConcretePolicies)),
                         [](const auto& info) { return conformance::name_of(info); });

TEST(WaitingGuideTest, ShowsTheSources) {
  const std::string folder = "docs/examples/waiting/";
  expect_blocks_of_sources("docs/guide/waiting.md",
                           {folder + "sum_array.h", folder + "count_paths.h", folder + "graph.h",
                            folder + "extend_path.h"},
                           5);
}

}  // namespace
}  // namespace millrace::examples
