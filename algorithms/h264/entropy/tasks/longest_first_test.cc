// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/entropy/tasks/longest_first.h>
#include <millrace/tests/random/seeded_random.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace millrace::h264 {
namespace {

using testing::ElementsAre;

std::vector<std::int32_t> order_of(const std::vector<std::size_t>& lengths) {
  std::vector<std::int32_t> order;
  longest_first(
      lengths.size(), [&](std::size_t i) { return lengths[i]; }, order);
  return order;
}

TEST(LengthClass, GrowsWithTheLengthAndHasLengthsThatDifferByLessThanAQuarter) {
  std::size_t first = 0;  // The shortest length of the class.
  for (std::size_t length = 1; length < 100'000; ++length) {
    const std::size_t own = length_class(length);
    if (own != length_class(first)) {
      ASSERT_EQ(own, length_class(first) + 1) << length;
      first = length;
    }
    ASSERT_LT(4 * (length - first), std::max<std::size_t>(first, 1)) << length;
  }
  EXPECT_EQ(length_class(std::numeric_limits<std::uint64_t>::max()), kLengthClasses - 1);
}

TEST(LongestFirst, PutsLongSlicesBeforeShortOnes) {
  EXPECT_THAT(order_of({100, 0, 20'000, 3, 1'000}), ElementsAre(2, 4, 0, 3, 1));
}

TEST(LongestFirst, KeepsTheOrderOfEqualLengths) {
  EXPECT_THAT(order_of({7, 900, 7, 900, 7}), ElementsAre(1, 3, 0, 2, 4));
}

TEST(LongestFirst, TakesNothing) { EXPECT_TRUE(order_of({}).empty()); }

TEST(LongestFirst, HasEachIndexOnceAndNoMuchLongerOneBehindAShorterOne) {
  SeededRandom random;
  std::vector<std::size_t> lengths(1000);
  for (std::size_t& length : lengths) length = random() >> random(1, 63);
  const std::vector<std::int32_t> order = order_of(lengths);
  std::vector<std::int32_t> sorted = order;
  std::ranges::sort(sorted);
  std::vector<std::int32_t> all(lengths.size());
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(sorted, all);
  for (std::size_t i = 1; i < order.size(); ++i) {
    const std::size_t before = lengths[static_cast<std::size_t>(order[i - 1])];
    const std::size_t behind = lengths[static_cast<std::size_t>(order[i])];
    ASSERT_GE(before + before / 4, behind) << i;
  }
}

}  // namespace
}  // namespace millrace::h264
