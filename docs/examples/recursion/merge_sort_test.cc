// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/recursion/merge_sort.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>

#include <algorithm>
#include <limits>

namespace millrace::examples {
namespace {

SortedRange range_of(const std::vector<SortPair>& pairs) {
  return {pairs.data(), static_cast<std::uint32_t>(pairs.size())};
}

std::vector<SortPair> pairs_of(const std::vector<std::uint32_t>& keys, std::uint32_t value) {
  std::vector<SortPair> pairs;
  for (const std::uint32_t key : keys) pairs.push_back({key, value++});
  return pairs;
}

TEST(MergePath, TakesEqualKeysFromTheFirstRange) {
  const auto first = pairs_of({1, 3, 3, 5}, 0);
  const auto second = pairs_of({3, 3, 4}, 10);
  const std::uint32_t expected[] = {0, 1, 2, 3, 3, 3, 3, 4};  // 1 3 3 | 3 3 4 | 5.
  for (std::uint32_t diagonal = 0; diagonal <= 7; ++diagonal) {
    EXPECT_EQ(merge_path(range_of(first), range_of(second), diagonal), expected[diagonal]);
  }
}

TEST(MergePath, IsOneRangeWhereTheOtherIsEmpty) {
  const auto pairs = pairs_of({2, 2, 7}, 0);
  for (std::uint32_t diagonal = 0; diagonal <= 3; ++diagonal) {
    EXPECT_EQ(merge_path(range_of(pairs), {nullptr, 0}, diagonal), diagonal);
    EXPECT_EQ(merge_path({nullptr, 0}, range_of(pairs), diagonal), 0u);
  }
}

TEST(MergeInterval, WritesThatSegmentOfTheMergeAlone) {
  const auto first = sort_directly(random_pairs(40, 9, 1));
  const auto second = sort_directly(random_pairs(23, 9, 2));
  std::vector<SortPair> all(63), both = first;
  merge_ranges(range_of(first), range_of(second), all.data());
  both.insert(both.end(), second.begin(), second.end());
  EXPECT_EQ(all, sort_directly(both));
  const SortPair untouched = {77, 77};
  for (const auto& [begin, end] : {std::pair(0, 63), std::pair(0, 1), std::pair(17, 18),
                                   std::pair(30, 63), std::pair(62, 63), std::pair(9, 9)}) {
    std::vector<SortPair> segment(63, untouched);
    merge_interval(range_of(first), range_of(second), begin, end, segment.data());
    for (int i = 0; i < 63; ++i) {
      EXPECT_EQ(segment[i], i >= begin && i < end ? all[i] : untouched) << begin << ' ' << end;
    }
  }
}

TEST(SortSmall, SortsFromEitherArray) {
  for (std::size_t size = 1; size < 70; ++size) {
    const auto pairs = random_pairs(size, 20, size);
    for (const bool is_in_place : {true, false}) {
      auto to = pairs, other = pairs;
      sort_small(is_in_place ? to.data() : other.data(), to.data(), other.data(),
                 static_cast<std::uint32_t>(size));
      EXPECT_EQ(to, sort_directly(pairs)) << size;
    }
  }
}

class MergeSortTest : public conformance::PolicyTest {
 protected:
  void expect_sorted(const std::vector<SortPair>& pairs, MergeSortOptions options) {
    options.run.policy = policy;
    const MergeSortResult result = merge_sort(*queue, pairs, options);
    EXPECT_TRUE(result.pairs == sort_directly(pairs))
        << pairs.size() << " pairs, cut-off " << options.cut_off << ", segment " << options.segment;
    EXPECT_EQ(result.report.policy, policy);
  }
};

TEST_P(MergeSortTest, PairsOfAnyNumber) {
  const std::size_t most = scaled(100'000, 2'000);
  for (const std::size_t size : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{64},
                                 std::size_t{65}, most / 7, most}) {
    expect_sorted(random_pairs(size, static_cast<std::uint32_t>(size / 3 + 1), size),
                  {.cut_off = 32, .segment = 100});
  }
  expect_sorted(random_pairs(most, 1000, 1), {});
}

TEST_P(MergeSortTest, TasksOfAnySize) {
  const auto pairs = random_pairs(scaled(5'000, 300), 50, 4);
  for (const int cut_off : {1, 7, 64, kMaxMergeSortTask}) {
    for (const int segment : {1, 33, kMaxMergeSortTask}) {
      expect_sorted(pairs, {.cut_off = cut_off, .segment = segment});
    }
  }
}

TEST_P(MergeSortTest, KeysOfAnyOrder) {
  const std::size_t size = scaled(20'000, 500);
  auto rising = random_pairs(size, std::numeric_limits<std::uint32_t>::max(), 5);
  std::ranges::sort(rising, {}, &SortPair::key);
  auto falling = rising;
  std::ranges::reverse(falling);
  const MergeSortOptions options = {.cut_off = 16, .segment = 50};
  expect_sorted(rising, options);
  expect_sorted(falling, options);
  expect_sorted(random_pairs(size, 1, 0), options);  // All the same.
  expect_sorted(random_pairs(size, 2, 0), options);
}

TEST_P(MergeSortTest, RangesMergesAndSegmentsAreTasks) {
  // 64 pairs: 8 leaves below 7 merges, of which one has 4 segments and two have 2.
  const auto pairs = random_pairs(64, 10, 6);
  const MergeSortResult result =
      merge_sort(*queue, pairs, {.cut_off = 8, .segment = 16, .run = {.policy = policy}});
  EXPECT_EQ(result.report.tasks_by_type, (std::vector<std::uint64_t>{15, 7, 8}));
}

TEST_P(MergeSortTest, RejectsOptionsOutOfRange) {
  const auto pairs = random_pairs(10, 10, 7);
  for (const MergeSortOptions& options :
       {MergeSortOptions{.cut_off = 0}, MergeSortOptions{.cut_off = kMaxMergeSortTask + 1},
        MergeSortOptions{.segment = 0}, MergeSortOptions{.segment = kMaxMergeSortTask + 1}}) {
    EXPECT_THROW(merge_sort(*queue, pairs, options), Error);
  }
  EXPECT_THROW(merge_sort(*queue, {}), Error);
}

INSTANTIATE_TEST_SUITE_P(Examples, MergeSortTest,
                         testing::Combine(testing::ValuesIn(conformance::device_names()),
                                          testing::ValuesIn(kConcretePolicies)),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::examples
