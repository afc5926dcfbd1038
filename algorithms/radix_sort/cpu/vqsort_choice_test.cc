// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/cpu/vqsort_choice.h>

#include <gtest/gtest.h>

namespace millrace::radix_sort {
namespace {

TEST(VqsortChoice, VqsortMayTakeTwiceAsLongAsDigits) {
  EXPECT_TRUE(is_fast_enough({.by_vqsort = 6e-6, .by_digits = 6.3e-6}));
  EXPECT_TRUE(is_fast_enough({.by_vqsort = 12e-6, .by_digits = 6e-6}));
  EXPECT_FALSE(is_fast_enough({.by_vqsort = 30e-6, .by_digits = 6e-6}));
}

TEST(VqsortChoice, BothSortsAreMeasured) {
  const SortTimes times = measure_sorts();
  EXPECT_GT(times.by_vqsort, 0);
  EXPECT_GT(times.by_digits, 0);
}

// A sort of one process never changes from one way to the other.
TEST(VqsortChoice, IsMadeOncePerProcess) {
  const bool is_fast = is_vqsort_fast();
  for (int i = 0; i < 100; ++i) ASSERT_EQ(is_vqsort_fast(), is_fast);
}

TEST(VqsortChoice, IsForSomeHundredThousandKeys) {
  EXPECT_TRUE(is_profitable_to_split(500'000, 2));
  EXPECT_TRUE(is_profitable_to_split(100'000, 16));
  EXPECT_FALSE(is_profitable_to_split(1'000'000, 2));
  EXPECT_FALSE(is_profitable_to_split(200'000, 16));
}

}  // namespace
}  // namespace millrace::radix_sort
