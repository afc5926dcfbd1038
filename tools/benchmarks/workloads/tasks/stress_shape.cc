// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/queues/waiting_stress_tasks.h>
#include <millrace/tools/benchmarks/workloads/tasks/stress_shape.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <type_traits>

namespace millrace::tools {
namespace {

const char* to_string(StressKind kind) {
  switch (kind) {
    case StressKind::kOneType: return "one type";
    case StressKind::kSizes: return "two sizes";
    case StressKind::kWidths: return "three widths";
    case StressKind::kPlain: return "plain";
    case StressKind::kJoins: return "joins";
    case StressKind::kCounters: return "counters";
  }
  return "";
}

std::size_t types_of(StressKind kind) {
  switch (kind) {
    case StressKind::kOneType: return StressTasks<StressKind::kOneType>::kTypes;
    case StressKind::kSizes: return StressTasks<StressKind::kSizes>::kTypes;
    case StressKind::kWidths: return StressTasks<StressKind::kWidths>::kTypes;
    default: return WaitingStressTasks::kTypes;
  }
}

// Returns the number of values that a node has.
std::uint32_t values_of(StressKind kind) {
  if (kind == StressKind::kCounters) return kCountedValues;
  return kind == StressKind::kJoins ? 1 : 0;
}

// Adds the tasks of one node of a waiting kind.
void add_waiting_tasks(const StressShape& shape, std::uint32_t node,
                       std::vector<std::uint64_t>& counts) {
  const auto tasks = [&counts]<class T>(std::type_identity<T>) -> std::uint64_t& {
    return counts[WaitingStressTasks::tag_of<T>()];
  };
  WaitingForest forest{};
  forest.seed = shape.seed;
  forest.growing_of_16 = shape.growing_of_16;
  forest.warps_of_16 = shape.warps_of_16;
  if (shape.kind != StressKind::kJoins) {
    ++tasks(std::type_identity<SpawningNode>());
    if (shape.kind == StressKind::kPlain) return;
    start_counted(forest, node, [&]<class T>(const T&) { ++tasks(std::type_identity<T>()); });
    return;
  }
  ++tasks(std::type_identity<JoiningNode>());
  const std::uint32_t children = shape.first_child[node + 1] - shape.first_child[node];
  if (children == 0) return;
  ++tasks(std::type_identity<JoinedSum>());
  if (forest.grows(node)) tasks(std::type_identity<JoinGrowth>()) += children;
}

std::vector<std::uint64_t> tasks_by_type(const StressShape& shape) {
  std::vector<std::uint64_t> counts(types_of(shape.kind));
  for (std::uint32_t node = 0; node < shape.nodes(); ++node) {
    if (is_waiting(shape.kind)) {
      add_waiting_tasks(shape, node, counts);
    } else {
      ++counts[stress_type(shape.kind, shape.seed, node)];
    }
  }
  return counts;
}

// Draws what only kinds that wait have.
template <class OneOf>
void draw_waiting(StressShape& shape, const OneOf& one_of) {
  using std::chrono::microseconds;
  constexpr microseconds kDeadlines[] = {microseconds(0), microseconds(0), microseconds(0),
                                         microseconds(20)};
  constexpr std::uint32_t kOf16[] = {0, 4, 16};
  constexpr std::size_t kJoinCapacities[] = {0, 1, 2, 64};
  shape.first_deadline = one_of(kDeadlines);
  if (shape.kind == StressKind::kJoins) {
    shape.join_capacity = one_of(kJoinCapacities);
    shape.growing_of_16 = one_of(kOf16);
    shape.bushiness = std::min(shape.bushiness, kMostJoined / 2);
  }
  if (shape.kind == StressKind::kCounters) shape.warps_of_16 = one_of(kOf16);
}

}  // namespace

StressShape draw_stress_shape(std::uint64_t seed, std::uint32_t most_nodes,
                              std::span<const StressKind> kinds, std::uint32_t least_roots) {
  std::mt19937_64 random(seed);
  const auto one_of = [&random](const auto& choices) {
    return std::data(choices)[random() % std::size(choices)];
  };
  constexpr std::size_t kMemories[] = {0, 16 << 10, 64 << 10, 1 << 20};
  constexpr std::uint32_t kBushiness[] = {1, 2, 8, 200};
  StressShape shape{.seed = seed,
                    .kind = one_of(kinds),
                    .policy = one_of(kConcretePolicies),
                    .task_memory_bytes = one_of(kMemories),
                    .bushiness = one_of(kBushiness),
                    .roots = 0,
                    .first_child = {}};
  if (is_waiting(shape.kind)) draw_waiting(shape, one_of);
  const auto nodes = std::max(static_cast<std::uint32_t>(1 + random() % most_nodes), least_roots);
  const std::uint32_t kRoots[] = {1, 5, nodes / 2 + 1, nodes};
  shape.roots = std::clamp(one_of(kRoots), least_roots, nodes);
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
  std::string text = "seed " + std::to_string(shape.seed) + " (" +
                     millrace::to_string(shape.policy) + ", " + std::to_string(shape.nodes()) +
                     " nodes, " + std::to_string(shape.roots) + " roots, bushiness " +
                     std::to_string(shape.bushiness) + ", " + to_string(shape.kind) + ", " +
                     std::to_string(shape.task_memory_bytes) + " bytes";
  if (shape.kind == StressKind::kJoins) {
    text += ", records for " + std::to_string(shape.join_capacity) + " joins, " +
            std::to_string(shape.growing_of_16) + "/16 grow";
  }
  if (shape.kind == StressKind::kCounters) {
    text += ", " + std::to_string(shape.warps_of_16) + "/16 warps";
  }
  if (shape.first_deadline.count() > 0) {
    text += ", deadline " + std::to_string(shape.first_deadline.count()) + " us";
  }
  return text + ")";
}

std::vector<std::uint32_t> parents_of(const StressShape& shape) {
  std::vector<std::uint32_t> parents(shape.nodes());
  for (std::uint32_t node = 0; node < shape.nodes(); ++node) {
    std::fill(parents.begin() + shape.first_child[node],
              parents.begin() + shape.first_child[node + 1], node);
  }
  return parents;
}

std::vector<std::uint64_t> sums_of(const StressShape& shape) {
  const std::uint32_t count = values_of(shape.kind);
  std::vector<std::uint64_t> values(std::size_t{count} * shape.nodes());
  // Children have higher numbers than their parents.
  for (std::uint32_t node = shape.nodes(); count > 0 && node-- > 0;) {
    for (std::uint32_t which = 0; which < count; ++which) {
      std::uint64_t& value = values[std::size_t{count} * node + which];
      value = stress_number(shape.seed, node, which);
      const std::uint32_t first = shape.first_child[node];
      for (std::uint32_t child = first; child < shape.first_child[node + 1]; ++child) {
        value += stress_weight(child - first) * values[std::size_t{count} * child + which];
      }
    }
  }
  values.resize(std::size_t{count} * shape.roots);
  return values;
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
  const std::vector<std::uint64_t> sums = sums_of(shape);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::uint64_t sum = i < outcome.sums.size() ? outcome.sums[i] : 0;
    if (sum == sums[i]) continue;
    return "sum " + std::to_string(i) + " of " + std::to_string(sums.size()) + " is " +
           std::to_string(sum) + "; right is " + std::to_string(sums[i]);
  }
  return outcome.tasks_by_type == tasks_by_type(shape) ? ""
                                                       : "the report counts other tasks than ran";
}

}  // namespace millrace::tools
