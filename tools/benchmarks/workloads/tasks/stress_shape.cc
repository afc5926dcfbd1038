// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/tasks/stress_shape.h>

#include <algorithm>
#include <iterator>
#include <random>

namespace millrace::tools {
namespace {

const char* to_string(StressKind kind) {
  switch (kind) {
    case StressKind::kOneType: return "one type";
    case StressKind::kSizes: return "two sizes";
    case StressKind::kWidths: return "three widths";
  }
  return "";
}

std::size_t types_of(StressKind kind) {
  switch (kind) {
    case StressKind::kOneType: return StressTasks<StressKind::kOneType>::kTypes;
    case StressKind::kSizes: return StressTasks<StressKind::kSizes>::kTypes;
    case StressKind::kWidths: return StressTasks<StressKind::kWidths>::kTypes;
  }
  return 0;
}

std::vector<std::uint64_t> nodes_by_type(const StressShape& shape) {
  std::vector<std::uint64_t> counts(types_of(shape.kind));
  for (std::uint32_t node = 0; node < shape.nodes(); ++node) {
    ++counts[stress_type(shape.kind, shape.seed, node)];
  }
  return counts;
}

}  // namespace

StressShape draw_stress_shape(std::uint64_t seed, std::uint32_t most_nodes) {
  std::mt19937_64 random(seed);
  const auto one_of = [&random](const auto& choices) {
    return std::data(choices)[random() % std::size(choices)];
  };
  constexpr StressKind kKinds[] = {StressKind::kOneType, StressKind::kSizes, StressKind::kWidths};
  constexpr std::size_t kMemories[] = {0, 16 << 10, 64 << 10, 1 << 20};
  constexpr std::uint32_t kBushiness[] = {1, 2, 8, 200};
  StressShape shape{.seed = seed,
                    .kind = one_of(kKinds),
                    .policy = one_of(kConcretePolicies),
                    .task_memory_bytes = one_of(kMemories),
                    .bushiness = one_of(kBushiness),
                    .roots = 0,
                    .first_child = {}};
  const auto nodes = static_cast<std::uint32_t>(1 + random() % most_nodes);
  const std::uint32_t kRoots[] = {1, 5, nodes / 2 + 1, nodes};
  shape.roots = std::min(one_of(kRoots), nodes);
  std::uint32_t next = shape.roots;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    shape.first_child.push_back(next);
    const bool must = node + 1 == next;  // Otherwise the rest would be out of reach.
    const auto children = static_cast<std::uint32_t>(random() % (2 * shape.bushiness + 1));
    next = std::min(nodes, next + std::max(children, must ? 1u : 0u));
  }
  shape.first_child.push_back(next);
  return shape;
}

std::string to_text(const StressShape& shape) {
  return "seed " + std::to_string(shape.seed) + " (" + millrace::to_string(shape.policy) + ", " +
         std::to_string(shape.nodes()) + " nodes, " + std::to_string(shape.roots) +
         " roots, bushiness " + std::to_string(shape.bushiness) + ", " + to_string(shape.kind) +
         ", " + std::to_string(shape.task_memory_bytes) + " bytes)";
}

std::string fault_of(const StressShape& shape, const StressOutcome& outcome) {
  for (std::uint32_t node = 0; node < shape.nodes(); ++node) {
    if (outcome.runs_of_nodes[node] == 1) continue;
    return "node " + std::to_string(node) + " of " + std::to_string(shape.nodes()) + " ran " +
           std::to_string(outcome.runs_of_nodes[node]) + " times";
  }
  if (outcome.damaged_words > 0) {
    return std::to_string(outcome.damaged_words) + " words arrived damaged";
  }
  return outcome.tasks_by_type == nodes_by_type(shape) ? ""
                                                       : "the report counts other tasks than ran";
}

}  // namespace millrace::tools
