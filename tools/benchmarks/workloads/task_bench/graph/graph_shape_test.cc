// SPDX-License-Identifier: Apache-2.0

// Patterns of small graphs, beside lists by hand and, where they are random, by Task Bench's core.
#include <millrace/tools/benchmarks/workloads/task_bench/graph/graph_shape.h>
#include <millrace/tools/benchmarks/workloads/task_bench/graph/sip_hash.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millrace::tools {
namespace {

using testing::Each;
using testing::ElementsAre;

using Lists = std::vector<std::vector<std::uint32_t>>;

// The dependences of all points.
Lists lists_of(const GraphShape& shape, std::uint32_t set) {
  Lists lists;
  for (std::uint32_t point = 0; point < shape.width; ++point) {
    lists.push_back(shape.dependences(set, point));
  }
  return lists;
}

GraphShape shape(DependencePattern pattern, std::uint32_t width, std::uint32_t steps = 4) {
  return {.pattern = pattern, .width = width, .steps = steps};
}

std::vector<PointRange> ranges_of(const GraphShape& shape) {
  std::vector<PointRange> ranges;
  for (std::uint32_t step = 0; step < shape.steps; ++step) ranges.push_back(shape.points_at(step));
  return ranges;
}

TEST(GraphShape, TrivialHasNoDependences) {
  EXPECT_EQ(lists_of(shape(DependencePattern::kTrivial, 3), 0), Lists({{}, {}, {}}));
}

TEST(GraphShape, NoCommDependsOnItself) {
  EXPECT_EQ(lists_of(shape(DependencePattern::kNoComm, 3), 0), Lists({{0}, {1}, {2}}));
}

TEST(GraphShape, StencilEndsAtTheBorders) {
  EXPECT_EQ(lists_of(shape(DependencePattern::kStencil1d, 4), 0),
            Lists({{0, 1}, {0, 1, 2}, {1, 2, 3}, {2, 3}}));
}

TEST(GraphShape, PeriodicStencilGoesRound) {
  EXPECT_EQ(lists_of(shape(DependencePattern::kStencil1dPeriodic, 4), 0),
            Lists({{0, 1, 3}, {0, 1, 2}, {1, 2, 3}, {0, 2, 3}}));
  EXPECT_EQ(lists_of(shape(DependencePattern::kStencil1dPeriodic, 2), 0), Lists({{0, 1}, {0, 1}}));
}

TEST(GraphShape, DomDependsOnTheLowerNeighbour) {
  EXPECT_EQ(lists_of(shape(DependencePattern::kDom, 4), 0), Lists({{0}, {0, 1}, {1, 2}, {2, 3}}));
}

TEST(GraphShape, DomGrowsAndShrinks) {
  EXPECT_THAT(ranges_of(shape(DependencePattern::kDom, 3, 6)),
              ElementsAre(PointRange{0, 1}, PointRange{0, 2}, PointRange{0, 3}, PointRange{0, 3},
                          PointRange{1, 3}, PointRange{2, 3}));
  // Its 4 steps are not enough to grow to its width.
  EXPECT_THAT(ranges_of(shape(DependencePattern::kDom, 8, 4)),
              ElementsAre(PointRange{4, 5}, PointRange{5, 7}, PointRange{6, 8}, PointRange{7, 8}));
}

TEST(GraphShape, TreeDoublesUpToItsWidth) {
  const GraphShape tree = shape(DependencePattern::kTree, 5, 5);
  EXPECT_EQ(lists_of(tree, 0), Lists({{0}, {0}, {1}, {1}, {2}}));
  EXPECT_THAT(ranges_of(tree), ElementsAre(PointRange{0, 1}, PointRange{0, 2}, PointRange{0, 4},
                                           PointRange{0, 5}, PointRange{0, 5}));
  EXPECT_EQ(shape(DependencePattern::kTree, 5, 100).points_at(99), (PointRange{0, 5}));
}

TEST(GraphShape, FftHasADistanceForEachSet) {
  const GraphShape fft = shape(DependencePattern::kFft, 6);
  ASSERT_EQ(fft.sets(), 3u);
  EXPECT_EQ(lists_of(fft, 0), Lists({{0, 1}, {0, 1, 2}, {1, 2, 3}, {2, 3, 4}, {3, 4, 5}, {4, 5}}));
  EXPECT_EQ(lists_of(fft, 2), Lists({{0, 4}, {1, 5}, {2}, {3}, {0, 4}, {1, 5}}));
  // The first step that has dependences has those at a distance of 1.
  EXPECT_EQ(fft.set_at(1), 0u);
  EXPECT_EQ(fft.set_at(3), 2u);
  EXPECT_EQ(fft.set_at(4), 0u);
}

TEST(GraphShape, NearestOfAnEvenRadixHasOneMoreBelow) {
  GraphShape nearest = shape(DependencePattern::kNearest, 5);
  nearest.radix = 4;
  EXPECT_EQ(lists_of(nearest, 0),
            Lists({{0, 1}, {0, 1, 2}, {0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4}}));
  nearest.radix = 3;
  EXPECT_EQ(lists_of(nearest, 0), Lists({{0, 1}, {0, 1, 2}, {1, 2, 3}, {2, 3, 4}, {3, 4}}));
}

TEST(GraphShape, SpreadMovesAllButTheFirstWithEachSet) {
  GraphShape spread = shape(DependencePattern::kSpread, 6);
  spread.radix = 2;
  EXPECT_EQ(lists_of(spread, 0), Lists({{0, 3}, {1, 4}, {2, 5}, {0, 3}, {1, 4}, {2, 5}}));
  EXPECT_EQ(lists_of(spread, 1), Lists({{0, 4}, {1, 5}, {0, 2}, {1, 3}, {2, 4}, {3, 5}}));
  EXPECT_EQ(spread.sets(), 3u);
  EXPECT_EQ(spread.set_at(5), 2u);
}

TEST(GraphShape, RandomNearestDrawsAsTaskBenchDoes) {
  const GraphShape random = shape(DependencePattern::kRandomNearest, 8);
  EXPECT_EQ(lists_of(random, 0),
            Lists({{0}, {1}, {2, 4}, {3, 4, 5}, {3, 4}, {5, 6, 7}, {4, 6, 7}, {7}}));
  EXPECT_EQ(lists_of(random, 1), Lists({{0}, {1, 3}, {2}, {1, 3}, {4}, {5}, {4, 6}, {6, 7}}));
  EXPECT_EQ(lists_of(random, 2), Lists({{0, 2}, {1}, {1, 2, 3}, {3}, {4}, {5, 7}, {6, 7}, {5, 7}}));
}

TEST(GraphShape, OfANarrowGraphHasTheRadixThatFits) {
  const GraphShape narrow = shape_of(DependencePattern::kSpread, 2, 4);
  EXPECT_EQ(narrow.radix, 2u);
  EXPECT_EQ(narrow.period, 1u);
  EXPECT_THAT(lists_of(narrow, 0), Each(ElementsAre(0, 1)));
  EXPECT_EQ(shape_of(DependencePattern::kSpread, 64, 4).period, 3u);
}

TEST(DependencePattern, HasTaskBenchsNames) {
  std::vector<std::string> names;
  for (const DependencePattern pattern : kAllPatterns) names.push_back(to_string(pattern));
  EXPECT_THAT(names, ElementsAre("trivial", "no_comm", "stencil_1d", "stencil_1d_periodic", "dom",
                                 "tree", "fft", "nearest", "spread", "random_nearest"));
}

// These are the reference implementation's vectors of whole words.
TEST(SipHash, GivesThePublishedValues) {
  constexpr SipKey kKey = {0x0706050403020100, 0x0f0e0d0c0b0a0908};
  EXPECT_EQ(sip_hash(kKey, {}), 0x726fdb47dd0e0e31u);
  EXPECT_EQ(sip_hash(kKey, {0x0706050403020100}), 0x93f5f5799a932462u);
  EXPECT_EQ(sip_hash(kKey, {0x0706050403020100, 0x0f0e0d0c0b0a0908}), 0x3f2acc7f57c29bdbu);
}

}  // namespace
}  // namespace millrace::tools
