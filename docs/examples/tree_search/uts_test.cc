// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/tree_search/uts.h>
#include <millrace/docs/examples/tree_search/uts_tasks.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>

#include <numeric>
#include <string>

namespace millrace::examples {
namespace {

constexpr std::uint64_t kAny = ~std::uint64_t{0};

TEST(Sha1Block, IsThatOfTheStandard) {
  std::uint32_t block[16] = {0x61626380};  // "abc", of FIPS 180-4's examples.
  block[15] = 24;
  EXPECT_EQ(sha1_of_block(block),
            (Sha1Digest{{0xA9993E36, 0x4706816A, 0xBA3E2571, 0x7850C26C, 0x9CD0D89D}}));
}

TEST(UtsState, IsTheHashOfTheParentAndTheNumber) {
  const Sha1Digest root = uts_root(19);
  EXPECT_EQ(root, (Sha1Digest{{0xc6988ab7, 0x0cc9559a, 0xe4d6cba2, 0x54e29a84, 0x5a85f86b}}));
  const Sha1Digest child = {{0x3fff6186, 0xfcc7b5ef, 0xca851db7, 0x4d2bf643, 0xa3910430}};
  EXPECT_EQ(uts_child(root, 7), child);
  EXPECT_EQ(uts_child(root, 7, 5), child);
  EXPECT_EQ(uts_value(child), 0x23910430u);
}

TEST(UtsDefinition, GivesTheReferenceCodesCountsOfSmallTrees) {
  EXPECT_EQ(count_uts_directly({}, kAny), (UtsCounts{1732, 1050, 6}));
  EXPECT_EQ(count_uts_directly({.shape = UtsShape::kExponential}, kAny),
            (UtsCounts{4509, 2319, 17}));
  EXPECT_EQ(count_uts_directly({.shape = UtsShape::kCyclic}, kAny), (UtsCounts{5675, 3345, 31}));
  EXPECT_EQ(count_uts_directly({.shape = UtsShape::kFixed, .seed = 1}, kAny),
            (UtsCounts{7100, 5721, 6}));
  EXPECT_EQ(count_uts_directly({.seed = 2}, kAny), (UtsCounts{1, 1, 0}));
}

TEST(UtsDefinition, StopsAtMostNodes) {
  EXPECT_FALSE(count_uts_directly({}, 1731));
  EXPECT_TRUE(count_uts_directly({}, 1732));
}

TEST(UtsDefinition, ABalancedTreeIsAPower) {
  const UtsTreeOptions tree = {.type = UtsType::kBalanced, .branching = 3.5, .depth = 4};
  EXPECT_EQ(count_uts_directly(tree, kAny), (UtsCounts{1 + 3 + 9 + 27 + 81, 81, 4}));
}

TEST(UtsDefinition, KnowsPublishedTreesByTheMembersInUse) {
  UtsTreeOptions tree = {.shape = UtsShape::kFixed, .depth = 10, .seed = 19};
  EXPECT_EQ(published_uts_counts(tree), (UtsCounts{4'130'071, 3'305'118, 10}));
  tree.nonleaf_children = 77;
  EXPECT_TRUE(published_uts_counts(tree));
  tree.seed = 20;
  EXPECT_FALSE(published_uts_counts(tree));
}

class UtsTest : public conformance::PolicyTest {
 protected:
  UtsResult search(const UtsTreeOptions& tree, int granularity = 1) {
    return search_uts(*queue,
                      {.tree = tree, .granularity = granularity, .run = {.policy = policy}});
  }
};

TEST_P(UtsTest, EveryTypeAndShapeGivesTheCountsOfTheDefinition) {
  for (const int shape : {0, 1, 2, 3}) {
    for (const UtsType type : {UtsType::kGeometric, UtsType::kHybrid}) {
      for (const int seed : {0, 1, 5}) {
        const UtsTreeOptions tree = {.type = type,
                                     .shape = static_cast<UtsShape>(shape),
                                     .branching = 3.5,
                                     .depth = static_cast<int>(scaled(6, 4)),
                                     .seed = seed};
        EXPECT_EQ(search(tree).counts, count_uts_directly(tree, kAny))
            << static_cast<int>(type) << ", " << shape << ", " << seed;
      }
    }
  }
}

TEST_P(UtsTest, BinomialAndBalancedTreesGiveTheCountsOfTheDefinition) {
  for (const UtsTreeOptions& tree :
       {UtsTreeOptions{.type = UtsType::kBinomial,
       .branching = static_cast<double>(scaled(2000, 100)),
       .nonleaf_probability = 0.2,
       .nonleaf_children = 4,
       .seed = 3},
        UtsTreeOptions{.type = UtsType::kBinomial, .branching = 7.9, .nonleaf_probability = 0},
        UtsTreeOptions{.type = UtsType::kBinomial, .branching = 0.5},
        UtsTreeOptions{.type = UtsType::kBalanced, .branching = 2, .depth = 8},
        UtsTreeOptions{.type = UtsType::kBalanced, .branching = 200, .depth = 1}}) {
    EXPECT_EQ(search(tree).counts, count_uts_directly(tree, kAny));
  }
}

TEST_P(UtsTest, ATaskIsANodeBelowTheRoot) {
  const UtsResult result = search({});
  EXPECT_EQ(result.report.policy, policy);
  EXPECT_EQ(result.report.tasks() + 1, result.counts.nodes);
  EXPECT_EQ(result.nodes_by_depth.size(), result.counts.depth + 1);
  EXPECT_EQ(
      std::accumulate(result.nodes_by_depth.begin(), result.nodes_by_depth.end(), std::uint64_t{0}),
      result.counts.nodes);
}

TEST_P(UtsTest, TheGranularityDoesNotMatter) {
  EXPECT_EQ(search({}, 3).counts, (UtsCounts{1732, 1050, 6}));
}

TEST_P(UtsTest, ATreeMayBeAsDeepAsIsCounted) {
  UtsOptions options = {.max_depth = 6, .run = {.policy = policy}};
  EXPECT_EQ(search_uts(*queue, options).counts.depth, 6u);
  options.max_depth = 5;
  try {
    search_uts(*queue, options);
    ADD_FAILURE() << "a tree of depth 6 was counted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_NE(std::string(error.what()).find("max_depth is 5"), std::string::npos) << error.what();
  }
}

TEST_P(UtsTest, RejectsOptionsOutOfRange) {
  for (const UtsTreeOptions& tree :
       {UtsTreeOptions{.type = static_cast<UtsType>(4)},
        UtsTreeOptions{.shape = static_cast<UtsShape>(-1)}, UtsTreeOptions{.branching = 0},
        UtsTreeOptions{.branching = 65'536}, UtsTreeOptions{.depth = 0},
        UtsTreeOptions{.shape = UtsShape::kExponential, .depth = 1},
        UtsTreeOptions{.shape = UtsShape::kExponential, .branching = 0.9},
        UtsTreeOptions{.nonleaf_probability = 1.1}, UtsTreeOptions{.nonleaf_children = 101},
        UtsTreeOptions{.shift = -0.1}}) {
    EXPECT_THROW(search(tree), Error);
  }
  EXPECT_THROW(search({}, 0), Error);
  EXPECT_THROW(search_uts(*queue, {.max_depth = 0}), Error);
  EXPECT_THROW(search_uts(*queue, {.max_depth = 65'535}), Error);
}

INSTANTIATE_TEST_SUITE_P(Examples, UtsTest,
                         testing::Combine(testing::ValuesIn(conformance::device_names()),
                                          testing::ValuesIn(kConcretePolicies)),
                         [](const auto& info) { return conformance::name_of(info); });

// T1, T3 and T4, and small ones of their kinds where devices are simulated.
class PublishedTreesTest : public conformance::ConformanceTest {
 protected:
  void expect_counts(const UtsTreeOptions& tree, bool is_published) {
    const auto published = published_uts_counts(tree);
    EXPECT_EQ(published.has_value(), is_published);
    EXPECT_EQ(search_uts(*queue, {.tree = tree}).counts,
              published ? published : count_uts_directly(tree, kAny));
  }
};

TEST_P(PublishedTreesTest, Geometric) {
  const int depth = static_cast<int>(scaled(10, 5));
  expect_counts({.shape = UtsShape::kFixed, .branching = 4, .depth = depth, .seed = 19},
                depth == 10);
}

TEST_P(PublishedTreesTest, Binomial) {
  const double branching = static_cast<double>(scaled(2000, 5));
  expect_counts({.type = UtsType::kBinomial,
                 .branching = branching,
                 .nonleaf_probability = 0.124875,
                 .nonleaf_children = 8,
                 .seed = 42},
                branching == 2000);
}

TEST_P(PublishedTreesTest, Hybrid) {
  const int depth = static_cast<int>(scaled(16, 7));
  expect_counts({.type = UtsType::kHybrid, .branching = 6, .depth = depth, .seed = 1}, depth == 16);
}

INSTANTIATE_TEST_SUITE_P(Examples, PublishedTreesTest,
                         testing::ValuesIn(conformance::device_names()),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::examples
