// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/task_bench/peers/task_graph_peers.h>

#include <tbb/flow_graph.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace millrace::tools {
namespace {

void run_point(const TaskGraph& graph, std::uint32_t step, std::uint32_t position) {
  const std::uint32_t errors = graph.run_lane(step, position, 0, 1);
  if (errors > 0) std::atomic_ref(*graph.errors).fetch_add(errors, std::memory_order_relaxed);
}

// Calls visit(step, position) for each task, step by step.
template <class Visit>
void for_each_task(const GraphTables& tables, const Visit& visit) {
  for (std::uint32_t step = 0; step < tables.steps; ++step) {
    for (std::uint32_t i = 0; i < tables.points[step].size(); ++i) visit(step, i);
  }
}

class FlowGraph {
 public:
  FlowGraph(const TaskGraph& graph, const GraphTables& tables) : width_(tables.width) {
    first_of_step_.reserve(tables.steps);
    for_each_task(tables, [&](std::uint32_t step, std::uint32_t position) {
      if (position == 0) first_of_step_.push_back(nodes_.size());
      nodes_.emplace_back(flow_, [&graph, step, position](const Message&) {
        run_point(graph, step, position);
        return Message();
      });
      connect(graph, tables, step, position);
    });
  }

  void run() {
    for (Node* const root : roots_) root->try_put(Message());
    flow_.wait_for_all();
  }

 private:
  using Message = tbb::flow::continue_msg;
  using Node = tbb::flow::continue_node<Message>;

  // Makes the edges from the inputs of the newest node.
  void connect(const TaskGraph& graph, const GraphTables& tables, std::uint32_t step,
               std::uint32_t position) {
    if (tables.missing[std::size_t{step} * width_ + position] == 0) {
      roots_.push_back(&nodes_.back());
      return;
    }
    const TaskIndices inputs = graph.inputs_of(step, position);
    for (std::uint32_t i = 0; i < inputs.count; ++i) {
      tbb::flow::make_edge(nodes_[first_of_step_[step - 1] + inputs[i]], nodes_.back());
    }
  }

  std::uint32_t width_;
  tbb::flow::graph flow_;
  std::deque<Node> nodes_;
  std::vector<std::size_t> first_of_step_;
  std::vector<Node*> roots_;
};

std::function<void()> prepare_flow_graph(const TaskGraph& graph, const GraphTables& tables) {
  const auto flow = std::make_shared<FlowGraph>(graph, tables);
  return [flow] { flow->run(); };
}

#ifdef _OPENMP
void start_openmp_task(const TaskGraph& graph, std::uint32_t step, std::uint32_t position) {
  PointOutput* const here = graph.outputs + std::size_t{step} * graph.width;
  const TaskIndices inputs = step > 0 ? graph.inputs_of(step, position) : TaskIndices{nullptr, 0};
  [[maybe_unused]] PointOutput* const before = here - (step > 0 ? graph.width : 0);
  const TaskGraph* const task_graph = &graph;
#pragma omp task firstprivate(task_graph, step, position) depend(out               \
                                                                 : here[position]) \
    depend(iterator(std::uint32_t i = 0                                            \
                    : inputs.count),                                               \
           in                                                                      \
           : before[inputs.data[i]])
  run_point(*task_graph, step, position);
}

std::function<void()> prepare_openmp(const TaskGraph& graph, const GraphTables& tables) {
  return [&graph, &tables] {
#pragma omp parallel
#pragma omp single
    for_each_task(tables, [&](std::uint32_t step, std::uint32_t position) {
      start_openmp_task(graph, step, position);
    });
  };
}
#endif

constexpr TaskGraphPeer kPeers[] = {
    {"tbb::flow::graph", &prepare_flow_graph},
#ifdef _OPENMP
    {"OpenMP tasks", &prepare_openmp},
#endif
};

}  // namespace

std::span<const TaskGraphPeer> task_graph_peers() { return kPeers; }

}  // namespace millrace::tools
