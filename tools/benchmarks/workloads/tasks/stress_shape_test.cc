// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/tasks/stress_shape.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace millrace::tools {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t kMostNodes = 300;
constexpr std::uint64_t kSeeds = 200;

// What a run leaves behind in which all is right.
StressOutcome right_outcome(const StressShape& shape) {
  StressOutcome outcome;
  outcome.runs_of_nodes.assign(shape.nodes(), 1);
  const std::size_t types = shape.kind == StressKind::kOneType ? 1
                            : shape.kind == StressKind::kSizes ? 2
                                                               : 3;
  outcome.tasks_by_type.resize(types);
  for (std::uint32_t node = 0; node < shape.nodes(); ++node) {
    ++outcome.tasks_by_type[stress_type(shape.kind, shape.seed, node)];
  }
  return outcome;
}

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
  EXPECT_EQ(kinds.size(), 3U);
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

TEST(StressShape, HasNoFaultWhereEachNodeRanOnce) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const StressShape shape = draw_stress_shape(seed, kMostNodes);
    EXPECT_EQ(fault_of(shape, right_outcome(shape)), "");
  }
}

TEST(StressShape, NamesTheNodeThatRanTwiceOrNever) {
  const StressShape shape = draw_stress_shape(1, kMostNodes);
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
  const StressShape shape = draw_stress_shape(1, kMostNodes);
  StressOutcome damaged = right_outcome(shape);
  damaged.damaged_words = 3;
  EXPECT_EQ(fault_of(shape, damaged), "3 words arrived damaged");
  StressOutcome miscounted = right_outcome(shape);
  ++miscounted.tasks_by_type.back();
  EXPECT_EQ(fault_of(shape, miscounted), "the report counts other tasks than ran");
  miscounted.tasks_by_type.clear();
  EXPECT_EQ(fault_of(shape, miscounted), "the report counts other tasks than ran");
}

}  // namespace
}  // namespace millrace::tools
