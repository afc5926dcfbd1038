// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/cpu/quick_sort_choice.h>
#include <millrace/algorithms/radix_sort/cpu/simd/radix_sort_simd.h>

#include <gtest/gtest.h>

namespace millrace::radix_sort {
namespace {

template <class K>
class QuickSortChoice : public testing::Test {
 protected:
  void SetUp() override {
    if (kernels<K, NoValue>().quick_sort == nullptr) GTEST_SKIP() << "vectors are too short";
  }
};

using Keys = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(QuickSortChoice, Keys);

TYPED_TEST(QuickSortChoice, BothSortsAreMeasured) {
  const SortTimes times = measure_sorts<TypeParam>();
  EXPECT_GT(times.by_pivots, 0);
  EXPECT_GT(times.by_digits, 0);
}

// A sort of one process never changes from one way to the other.
TYPED_TEST(QuickSortChoice, IsMadeOncePerProcess) {
  const bool is_fast = is_quick_sort_fast<TypeParam>();
  for (int i = 0; i < 100; ++i) ASSERT_EQ(is_quick_sort_fast<TypeParam>(), is_fast);
}

TEST(QuickSortRule, PivotsMayTakeHalfAsLongAgainAsDigits) {
  EXPECT_TRUE(is_fast_enough({.by_pivots = 6e-6, .by_digits = 6.3e-6}));
  EXPECT_TRUE(is_fast_enough({.by_pivots = 9e-6, .by_digits = 6e-6}));
  EXPECT_FALSE(is_fast_enough({.by_pivots = 9.1e-6, .by_digits = 6e-6}));
}

TEST(QuickSortRule, SomeMillionKeysAreSplitByUpToFourThreads) {
  EXPECT_TRUE(is_profitable_to_split(5'000'000, 4, 2, false));
  EXPECT_FALSE(is_profitable_to_split(50'000'000, 4, 2, false));
  EXPECT_TRUE(is_profitable_to_split(50'000'000, 4, 2, true));
  EXPECT_FALSE(is_profitable_to_split(500'000'000, 4, 2, true));
}

TEST(QuickSortRule, ManyThreadsSplitAHundredThousandKeys) {
  EXPECT_TRUE(is_profitable_to_split(100'000, 4, 16, false));
  EXPECT_FALSE(is_profitable_to_split(200'000, 4, 16, true));
}

TEST(QuickSortRule, KeysOfEightBytesAreSplitIfTheyAreSkewed) {
  EXPECT_FALSE(is_profitable_to_split(60'000, 8, 2, false));
  EXPECT_TRUE(is_profitable_to_split(60'000, 8, 2, true));
  EXPECT_TRUE(is_profitable_to_split(60'000, 8, 16, true));
  EXPECT_FALSE(is_profitable_to_split(100'000, 8, 16, true));
}

}  // namespace
}  // namespace millrace::radix_sort
