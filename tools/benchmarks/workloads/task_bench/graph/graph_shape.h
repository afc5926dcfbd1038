// SPDX-License-Identifier: Apache-2.0

// The task graphs of Task Bench (E. Slaughter et al., Task Bench: A Parameterized Benchmark for
// Evaluating Parallel Runtime Performance, SC 2020; its core/core.cc, commit bf4ad19, defines the
// patterns). A graph has steps of points. A point of a step is a task, which depends on points of
// the step before.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_GRAPH_GRAPH_SHAPE_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_GRAPH_GRAPH_SHAPE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tools {

enum class DependencePattern {
  kTrivial,            // No dependences at all.
  kNoComm,             // The same point.
  kStencil1d,          // The point and its two neighbours.
  kStencil1dPeriodic,  // The same on a ring.
  kDom,                // The point and its lower neighbour; the width grows, then shrinks.
  kTree,               // Half the point; the width doubles.
  kFft,                // The point and those at a distance that doubles each step.
  kNearest,            // The `radix` nearest points.
  kSpread,             // `radix` points at equal distances.
  kRandomNearest,      // A random subset of the `radix` nearest points.
};

inline constexpr DependencePattern kAllPatterns[] = {
    DependencePattern::kTrivial,   DependencePattern::kNoComm,
    DependencePattern::kStencil1d, DependencePattern::kStencil1dPeriodic,
    DependencePattern::kDom,       DependencePattern::kTree,
    DependencePattern::kFft,       DependencePattern::kNearest,
    DependencePattern::kSpread,    DependencePattern::kRandomNearest};

// Returns Task Bench's name of a pattern, "stencil_1d".
std::string to_string(DependencePattern pattern);

// The points begin..end-1 of a step.
struct PointRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  std::uint32_t size() const { return end - begin; }
  bool contains(std::uint32_t point) const { return begin <= point && point < end; }
  bool operator==(const PointRange&) const = default;
};

// A graph. Its dependences repeat: a step has one of several sets of them.
struct GraphShape {
  DependencePattern pattern = DependencePattern::kTrivial;
  std::uint32_t width = 2;  // Most points of a step, at least 2.
  std::uint32_t steps = 1;  // At least 1.

  // Number of dependences of a point under kNearest, kSpread and kRandomNearest, and number of sets
  // under the last two. Task Bench's own figures have a radix of 5.
  std::uint32_t radix = 5;
  std::uint32_t period = 3;
  double fraction = 0.25;  // Probability of a dependence under kRandomNearest.

  PointRange points_at(std::uint32_t step) const;
  std::uint32_t sets() const;
  std::uint32_t set_at(std::uint32_t step) const;

  // Returns the points on which a point depends, in rising order, each once. Those that the step
  // before does not have are among them.
  std::vector<std::uint32_t> dependences(std::uint32_t set, std::uint32_t point) const;
};

// Returns the graph with the radix and the period that are largest for its width, up to 5 and 3.
// The width of kDom is the largest, up to `width`, that so many steps can grow to and shrink from.
GraphShape shape_of(DependencePattern pattern, std::uint32_t width, std::uint32_t steps);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_GRAPH_GRAPH_SHAPE_H_
