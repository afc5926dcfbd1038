// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/cpu/simd/lane_orders.h>

#include <gtest/gtest.h>

namespace millrace::radix_sort {
namespace {

TEST(LaneOrders, ChosenLanesComeFirst) {
  EXPECT_EQ(kLaneOrders<std::uint32_t>[0b0010'0101], (LaneOrder{0, 2, 5, 1, 3, 4, 6, 7}));
  EXPECT_EQ(kLaneOrders<std::uint64_t>[0b0110], (LaneOrder{2, 3, 4, 5, 0, 1, 6, 7}));
}

TEST(LaneOrders, AllAndNoneKeepTheirOrder) {
  constexpr LaneOrder kSame = {0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(kLaneOrders<std::uint32_t>.front(), kSame);
  EXPECT_EQ(kLaneOrders<std::uint32_t>.back(), kSame);
  EXPECT_EQ(kLaneOrders<std::uint64_t>.front(), kSame);
  EXPECT_EQ(kLaneOrders<std::uint64_t>.back(), kSame);
}

TEST(LaneOrders, HaveOneForEachMask) {
  EXPECT_EQ(kLaneOrders<std::uint32_t>.size(), 256U);
  EXPECT_EQ(kLaneOrders<std::uint64_t>.size(), 16U);
}

}  // namespace
}  // namespace millrace::radix_sort
