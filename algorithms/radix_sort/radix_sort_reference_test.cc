// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/radix_sort_reference.h>

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace millrace::radix_sort {
namespace {

TEST(RadixSortReference, SortsIntegers) {
  const std::vector<std::int64_t> keys = {3, -1, std::numeric_limits<std::int64_t>::min(), 3, 0};
  std::vector<std::int64_t> sorted(5);
  reference_sort(
      {.key_type = KeyType::kI64, .count = 5, .keys_in = keys.data(), .keys_out = sorted.data()});
  EXPECT_EQ(sorted,
            (std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min(), -1, 0, 3, 3}));
}

TEST(RadixSortReference, PutsMinusZeroBeforeZeroAndNaNsAtTheEnds) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> keys = {nan, 0.0, -nan, -0.0, -1.0};
  std::vector<std::uint32_t> indices(5);
  reference_sort({.key_type = KeyType::kF64,
                  .value_bytes = 4,
                  .is_argsort = true,
                  .count = 5,
                  .keys_in = keys.data(),
                  .values_out = indices.data()});
  EXPECT_EQ(indices, (std::vector<std::uint32_t>{2, 4, 3, 1, 0}));
}

TEST(RadixSortReference, KeepsTheOrderOfEqualKeysWhenDescending) {
  const std::vector<std::uint32_t> keys = {1, 2, 1, 2};
  const std::vector<std::uint64_t> values = {10, 11, 12, 13};
  std::vector<std::uint32_t> keys_out(4);
  std::vector<std::uint64_t> values_out(4);
  reference_sort({.key_type = KeyType::kU32,
                  .value_bytes = 8,
                  .order = SortOrder::kDescending,
                  .count = 4,
                  .keys_in = keys.data(),
                  .keys_out = keys_out.data(),
                  .values_in = values.data(),
                  .values_out = values_out.data()});
  EXPECT_EQ(keys_out, (std::vector<std::uint32_t>{2, 2, 1, 1}));
  EXPECT_EQ(values_out, (std::vector<std::uint64_t>{11, 13, 10, 12}));
}

TEST(RadixSortReference, SortsInPlace) {
  std::vector<std::int32_t> keys = {3, -1, 2};
  reference_sort(
      {.key_type = KeyType::kI32, .count = 3, .keys_in = keys.data(), .keys_out = keys.data()});
  EXPECT_EQ(keys, (std::vector<std::int32_t>{-1, 2, 3}));
}

}  // namespace
}  // namespace millrace::radix_sort
