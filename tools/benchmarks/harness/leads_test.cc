// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/harness/leads.h>

#include <gtest/gtest.h>

namespace millrace::tools {
namespace {

TEST(Crossovers, NameWhoLeadsAndFromWhere) {
  const SizeSeries a = {{10, 1.0}, {20, 2.0}, {40, 9.0}, {80, 20.0}};
  const SizeSeries b = {{10, 2.0}, {20, 3.0}, {40, 4.0}, {80, 5.0}};
  const auto found = leads(a, b);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(found[0].is_first);
  EXPECT_EQ(found[0].from, 10u);
  EXPECT_EQ(found[0].until, 20u);
  EXPECT_FALSE(found[1].is_first);
  EXPECT_EQ(found[1].after, 20u);
  EXPECT_EQ(found[1].from, 40u);
  EXPECT_EQ(found[1].until, 80u);
  EXPECT_EQ(describe(found, "a", "b"), "a is faster from 10 on; b from between 20 and 40 on");
}

TEST(Crossovers, AreOfSizesThatBothHave) {
  const auto found = leads({{10, 1.0}, {20, 9.0}}, {{5, 0.5}, {10, 2.0}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(describe(found, "a", "b"), "a is faster from 10 on");
  EXPECT_EQ(describe(leads({{1, 1.0}}, {{2, 1.0}}), "a", "b"), "");
}

TEST(Crossovers, ALeadWithinNoiseIsNone) {
  const SizeSeries rising = {{10, 1.0}, {20, 2.0}, {40, 3.001}};
  const SizeSeries flat = {{10, 2.0}, {20, 2.001}, {40, 3.0}};
  const auto found = leads(rising, flat);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].until, 10u);
  EXPECT_TRUE(leads({{10, 1.0}}, {{10, 1.0}}).empty());
}

}  // namespace
}  // namespace millrace::tools
