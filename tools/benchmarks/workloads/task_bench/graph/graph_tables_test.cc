// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/task_bench/graph/graph_tables.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

namespace millrace::tools {
namespace {

using testing::ElementsAre;

// An edge from a task to one that depends on it, by their indices.
using Edges = std::multiset<std::pair<std::uint32_t, std::uint32_t>>;

// A graph that reads the tables on the host.
TaskGraph graph_of(const GraphTables& tables) {
  return {.width = tables.width,
          .steps = tables.steps,
          .roots = tables.roots,
          .iterations = 0,
          .step_tables = tables.step_tables.data(),
          .list_begins = tables.list_begins.data(),
          .lists = tables.lists.data(),
          .missing = nullptr,
          .outputs = nullptr,
          .errors = nullptr};
}

// The edges that the definition says.
Edges edges_of(const GraphShape& shape) {
  Edges edges;
  for (std::uint32_t step = 1; step < shape.steps; ++step) {
    const PointRange before = shape.points_at(step - 1);
    const PointRange here = shape.points_at(step);
    for (std::uint32_t point = here.begin; point < here.end; ++point) {
      for (const std::uint32_t input : shape.dependences(shape.set_at(step), point)) {
        if (!before.contains(input)) continue;
        edges.emplace((step - 1) * shape.width + input - before.begin,
                      step * shape.width + point - here.begin);
      }
    }
  }
  return edges;
}

Edges edges_by_inputs(const TaskGraph& graph, const GraphTables& tables) {
  Edges edges;
  for (std::uint32_t step = 1; step < tables.steps; ++step) {
    for (std::uint32_t i = 0; i < tables.points[step].size(); ++i) {
      const TaskIndices inputs = graph.inputs_of(step, i);
      for (std::uint32_t k = 0; k < inputs.count; ++k) {
        edges.emplace((step - 1) * graph.width + inputs[k], step * graph.width + i);
      }
    }
  }
  return edges;
}

Edges edges_by_dependents(const TaskGraph& graph, const GraphTables& tables) {
  Edges edges;
  for (std::uint32_t step = 0; step < tables.steps; ++step) {
    for (std::uint32_t i = 0; i < tables.points[step].size(); ++i) {
      const TaskIndices dependents = graph.dependents_of(step, i);
      for (std::uint32_t k = 0; k < dependents.count; ++k) {
        edges.emplace(step * graph.width + i, (step + 1) * graph.width + dependents[k]);
      }
    }
  }
  return edges;
}

TEST(GraphTables, HaveTheEdgesOfTheDefinitionBothWays) {
  for (const DependencePattern pattern : kAllPatterns) {
    for (const std::uint32_t width : {2u, 3u, 5u, 8u, 17u}) {
      for (const std::uint32_t steps : {1u, 2u, 7u, 40u}) {
        const GraphShape shape = shape_of(pattern, width, steps);
        const GraphTables tables = make_graph_tables(shape);
        const TaskGraph graph = graph_of(tables);
        const Edges edges = edges_of(shape);
        ASSERT_EQ(edges_by_inputs(graph, tables), edges) << to_string(pattern) << width;
        ASSERT_EQ(edges_by_dependents(graph, tables), edges) << to_string(pattern) << width;
      }
    }
  }
}

TEST(GraphTables, CountTheInputsOfEachTask) {
  const GraphTables tables = make_graph_tables(shape_of(DependencePattern::kStencil1d, 3, 2));
  EXPECT_THAT(tables.missing, ElementsAre(0, 0, 0, 2, 3, 2));
}

TEST(GraphTables, RootsAreTheFirstTasks) {
  for (const DependencePattern pattern : kAllPatterns) {
    for (const std::uint32_t steps : {1u, 5u, 12u, 30u}) {
      const GraphTables tables = make_graph_tables(shape_of(pattern, 12, steps));
      const bool is_trivial = pattern == DependencePattern::kTrivial;
      EXPECT_EQ(tables.roots, is_trivial ? 12 * steps : tables.points[0].size())
          << to_string(pattern) << steps;
      const auto first = tables.missing.begin();
      EXPECT_EQ(std::count(first, first + tables.roots, 0u), tables.roots);
    }
  }
}

TEST(GraphTables, RejectADomWhosePointsDependOnNothing) {
  const GraphShape shape{.pattern = DependencePattern::kDom, .width = 6, .steps = 5};
  EXPECT_THROW(make_graph_tables(shape), Error);
}

TEST(GraphTables, CountTheTasksOfStepsThatAreNarrow) {
  EXPECT_EQ(make_graph_tables(shape_of(DependencePattern::kDom, 3, 6)).tasks, 12u);
  EXPECT_EQ(make_graph_tables(shape_of(DependencePattern::kTree, 5, 5)).tasks, 17u);
  EXPECT_EQ(make_graph_tables(shape_of(DependencePattern::kFft, 5, 5)).tasks, 25u);
}

TEST(GraphTables, StepsWithEqualListsShareThem) {
  const auto lists = [](std::uint32_t steps) {
    return make_graph_tables(shape_of(DependencePattern::kSpread, 32, steps)).lists.size();
  };
  EXPECT_EQ(lists(20), lists(2000));
}

TEST(GraphTables, RejectGraphsThatAreTooSmallOrLarge) {
  EXPECT_THROW(make_graph_tables(shape_of(DependencePattern::kFft, 1, 4)), Error);
  EXPECT_THROW(make_graph_tables(shape_of(DependencePattern::kFft, 2, 0)), Error);
  EXPECT_THROW(make_graph_tables(shape_of(DependencePattern::kFft, 1u << 20, 1u << 20)), Error);
}

}  // namespace
}  // namespace millrace::tools
