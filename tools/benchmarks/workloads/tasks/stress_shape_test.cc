// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/queues/waiting_stress_tasks.h>
#include <millrace/tools/benchmarks/workloads/tasks/stress_shape.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint32_t kMostNodes = 300;
constexpr std::uint64_t kSeeds = 200;

// A forest of a kind; each number is of the children of a node, the roots first.
StressShape shape_of(StressKind kind, std::uint32_t roots,
                     const std::vector<std::uint32_t>& children) {
  StressShape shape{.seed = 17, .kind = kind, .roots = roots, .first_child = {roots}};
  for (const std::uint32_t count : children) {
    shape.first_child.push_back(shape.first_child.back() + count);
  }
  return shape;
}

// Result of a run in which all is right.
StressOutcome right_outcome(const StressShape& shape) {
  StressOutcome outcome;
  outcome.runs_of_nodes.assign(shape.nodes(), 1);
  outcome.sums = sums_of(shape);
  const std::size_t types = shape.kind == StressKind::kOneType ? 1
                            : shape.kind == StressKind::kSizes ? 2
                                                               : 3;
  outcome.tasks_by_type.resize(types);
  for (std::uint32_t node = 0; node < shape.nodes(); ++node) {
    ++outcome.tasks_by_type[stress_type(shape.kind, shape.seed, node)];
  }
  return outcome;
}

// Kinds whose tasks of each type right_outcome() knows.
constexpr StressKind kSimpleKinds[] = {StressKind::kOneType, StressKind::kSizes,
                                       StressKind::kWidths};

TEST(StressShape, IsTheSameForTheSameSeed) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const StressShape first = draw_stress_shape(seed, kMostNodes);
    const StressShape second = draw_stress_shape(seed, kMostNodes);
    EXPECT_EQ(to_text(first), to_text(second));
    EXPECT_EQ(first.first_child, second.first_child);
  }
}

TEST(StressShape, DrawsAllKindsAndPolicies) {
  std::set<StressKind> kinds;
  std::set<Policy> policies;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const StressShape shape = draw_stress_shape(seed, kMostNodes);
    kinds.insert(shape.kind);
    policies.insert(shape.policy);
    EXPECT_LE(shape.nodes(), kMostNodes);
  }
  EXPECT_EQ(kinds, std::set(std::begin(kStressKinds), std::end(kStressKinds)));
  EXPECT_EQ(policies.size(), std::size(kConcretePolicies));
}

TEST(StressShape, ReachesEachNodeOnce) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const StressShape shape = draw_stress_shape(seed, kMostNodes);
    ASSERT_GE(shape.roots, 1U);
    ASSERT_EQ(shape.first_child.front(), shape.roots);
    ASSERT_EQ(shape.first_child.back(), shape.nodes());
    for (std::uint32_t node = 0; node < shape.nodes(); ++node) {
      ASSERT_LE(shape.first_child[node], shape.first_child[node + 1]);
      // The parent of each node has a lower number.
      ASSERT_GT(shape.first_child[node + 1], node + (node + 1 < shape.nodes() ? 1 : 0));
    }
  }
}

TEST(StressShape, HasTheRootsThatItMustHave) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    for (const std::uint32_t least : {std::uint32_t{1}, std::uint32_t{100}, kMostNodes}) {
      const StressShape shape = draw_stress_shape(seed, kMostNodes, kSharedStressKinds, least);
      ASSERT_GE(shape.roots, least);
      ASSERT_LE(shape.roots, shape.nodes());
      ASSERT_LE(shape.nodes(), kMostNodes);
    }
  }
}

TEST(StressShape, HasNoFaultWhereEachNodeRanOnce) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const StressShape shape = draw_stress_shape(seed, kMostNodes, kSimpleKinds);
    EXPECT_EQ(fault_of(shape, right_outcome(shape)), "");
  }
}

TEST(StressShape, NamesTheNodeThatRanTwiceOrNever) {
  const StressShape shape = draw_stress_shape(1, kMostNodes, kSimpleKinds);
  StressOutcome outcome = right_outcome(shape);
  outcome.runs_of_nodes.back() = 0;
  const std::string last = std::to_string(shape.nodes() - 1);
  EXPECT_EQ(fault_of(shape, outcome),
            "node " + last + " of " + std::to_string(shape.nodes()) + " ran 0 times");
  outcome.runs_of_nodes.front() = 2;
  EXPECT_THAT(fault_of(shape, outcome), HasSubstr("node 0 of "));
  EXPECT_THAT(fault_of(shape, outcome), HasSubstr(" ran 2 times"));
}

TEST(StressShape, FindsDamageAndWrongReports) {
  const StressShape shape = draw_stress_shape(1, kMostNodes, kSimpleKinds);
  StressOutcome damaged = right_outcome(shape);
  damaged.damaged_words = 3;
  EXPECT_EQ(fault_of(shape, damaged), "3 words arrived damaged");
  StressOutcome miscounted = right_outcome(shape);
  ++miscounted.tasks_by_type.back();
  EXPECT_EQ(fault_of(shape, miscounted), "the report counts other tasks than ran");
  miscounted.tasks_by_type.clear();
  EXPECT_EQ(fault_of(shape, miscounted), "the report counts other tasks than ran");
}

TEST(StressShape, JoinsHaveABoundedNumberOfChildren) {
  constexpr StressKind kJoins[] = {StressKind::kJoins};
  std::set<std::size_t> capacities;
  std::uint32_t most = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const StressShape shape = draw_stress_shape(seed, kMostNodes, kJoins);
    capacities.insert(shape.join_capacity);
    for (std::uint32_t node = 0; node < shape.nodes(); ++node) {
      most = std::max(most, shape.first_child[node + 1] - shape.first_child[node]);
    }
  }
  EXPECT_EQ(most, kMostJoined);
  EXPECT_THAT(capacities, ElementsAre(0, 1, 2, 64));
}

TEST(StressShape, ParentsHaveTheirChildren) {
  // Node 0 has the children 2 and 3, and node 3 has 4.
  EXPECT_THAT(parents_of(shape_of(StressKind::kJoins, 2, {2, 0, 0, 1, 0})),
              ElementsAre(0, 0, 0, 0, 3));
}

TEST(StressShape, SumsAreOfANodesNumberAndThreeAndFiveTimesThoseOfItsChildren) {
  const auto number = [](std::uint32_t node) { return stress_number(17, node); };
  const StressShape joins = shape_of(StressKind::kJoins, 2, {3, 0, 0, 0, 1, 0});
  EXPECT_THAT(
      sums_of(joins),
      ElementsAre(number(0) + number(2) + 3 * number(3) + 5 * (number(4) + number(5)), number(1)));
}

TEST(StressShape, CountersSumFourNumbersOfEachNode) {
  std::vector<std::uint64_t> right;
  for (std::uint32_t root = 0; root < 2; ++root) {
    for (std::uint32_t which = 0; which < 4; ++which) {
      right.push_back(stress_number(17, root, which) +
                      (root == 1 ? stress_number(17, 2, which) : 0));
    }
  }
  EXPECT_EQ(sums_of(shape_of(StressKind::kCounters, 2, {0, 1, 0})), right);
}

// Each node adds its number to its root's sum, times the weights on the way there.
TEST(StressShape, SumsAreThoseFromTheRootsDown) {
  for (const StressKind kind : {StressKind::kJoins, StressKind::kCounters}) {
    const std::uint32_t count = kind == StressKind::kJoins ? 1 : kCountedValues;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const StressShape shape = draw_stress_shape(seed, kMostNodes, std::span(&kind, 1));
      const std::vector<std::uint32_t> parents = parents_of(shape);
      std::vector<std::uint64_t> sums(std::size_t{count} * shape.roots);
      for (std::uint32_t node = 0; node < shape.nodes(); ++node) {
        std::uint64_t weight = 1;
        std::uint32_t root = node;
        for (; root >= shape.roots; root = parents[root]) {
          weight *= 2 * std::uint64_t{root - shape.first_child[parents[root]]} + 1;
        }
        for (std::uint32_t which = 0; which < count; ++which) {
          sums[std::size_t{count} * root + which] += weight * stress_number(seed, node, which);
        }
      }
      EXPECT_EQ(sums_of(shape), sums) << to_text(shape);
    }
  }
}

TEST(StressShape, KindsWithoutValuesHaveNoSums) {
  for (const StressKind kind : {StressKind::kOneType, StressKind::kPlain}) {
    EXPECT_THAT(sums_of(shape_of(kind, 1, {1, 0})), IsEmpty());
  }
}

TEST(StressShape, FindsWrongSums) {
  const StressShape shape = shape_of(StressKind::kJoins, 2, {1, 0, 0});
  StressOutcome outcome{{1, 1, 1}, 0, {}, sums_of(shape)};
  const std::string right = std::to_string(outcome.sums[1]);
  outcome.sums[1] = 7;
  EXPECT_EQ(fault_of(shape, outcome), "sum 1 of 2 is 7; right is " + right);
  outcome.sums.clear();
  EXPECT_THAT(fault_of(shape, outcome), HasSubstr("sum 0 of 2 is 0; right is "));
}

// A join of a node that grows has a task for each child, too.
TEST(StressShape, CountsTheTasksOfKindsThatWait) {
  const std::vector<std::uint32_t> children = {3, 0, 0, 2, 0, 0};
  using Counts = std::vector<std::uint64_t>;
  const auto expect = [&](StressShape shape, const Counts& tasks) {
    EXPECT_EQ(fault_of(shape, {Counts(6, 1), 0, tasks, sums_of(shape)}), "") << to_text(shape);
  };
  StressShape joins = shape_of(StressKind::kJoins, 1, children);
  expect(joins, {0, 6, 0, 2, 0, 0});
  joins.growing_of_16 = 16;
  expect(joins, {0, 6, 5, 2, 0, 0});
  StressShape counters = shape_of(StressKind::kCounters, 1, children);
  expect(counters, {6, 0, 0, 0, 6, 0});
  counters.warps_of_16 = 16;
  expect(counters, {6, 0, 0, 0, 0, 6});
  expect(shape_of(StressKind::kPlain, 1, children), {6, 0, 0, 0, 0, 0});
}

TEST(StressShape, SaysWhatAKindThatWaitsDrew) {
  StressShape joins = shape_of(StressKind::kJoins, 1, {1, 0});
  joins.join_capacity = 2;
  joins.growing_of_16 = 4;
  joins.first_deadline = std::chrono::microseconds(20);
  EXPECT_THAT(to_text(joins), HasSubstr(", joins, 0 bytes, records for 2 joins, 4/16 grow, "
                                        "deadline 20 us)"));
}

}  // namespace
}  // namespace millrace::tools
