// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/auto/type_mix.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace millrace {
namespace {

double index_of(const std::vector<std::uint64_t>& items_by_type) {
  return gini_simpson(items_by_type);
}

template <std::size_t kTypes>
double sampled(const std::vector<TaskTag>& tags) {
  return sample_gini_simpson<kTypes>(tags.data(), tags.size());
}

TEST(TypeMix, IsTheProbabilityOfTwoTypes) {
  EXPECT_EQ(index_of({}), 0);
  EXPECT_EQ(index_of({0, 0}), 0);
  EXPECT_EQ(index_of({7}), 0);
  EXPECT_EQ(index_of({0, 7, 0}), 0);
  EXPECT_DOUBLE_EQ(index_of({7, 7}), 0.5);
  EXPECT_DOUBLE_EQ(index_of({7, 7, 7, 7}), 0.75);
  EXPECT_DOUBLE_EQ(index_of({95, 5}), 2 * 0.95 * 0.05);
  EXPECT_DOUBLE_EQ(index_of({3'000'000'000, 1'000'000'000}), 2 * 0.75 * 0.25);
}

TEST(TypeMix, OfAShortListAllAreSampled) {
  EXPECT_EQ(sampled<2>({}), 0);
  EXPECT_EQ(sampled<2>({1}), 0);
  EXPECT_DOUBLE_EQ(sampled<2>({0, 1, 1, 0}), 0.5);
  std::vector<TaskTag> tags(256, 2);
  tags.back() = 0;
  EXPECT_DOUBLE_EQ(sampled<3>(tags), 2 * (255.0 / 256) * (1.0 / 256));
}

// Tolerance of a sample of 256: the index of the sample is off by 0.024 for 5 %, in the root
// of the mean square.
TEST(TypeMix, OfALongListASampleIsCloseToIt) {
  std::mt19937 random(1);
  constexpr int kLists = 200;
  for (const unsigned percent : {0u, 5u, 50u, 100u}) {
    double squares = 0;
    for (int list = 0; list < kLists; ++list) {
      std::vector<TaskTag> tags(10'000);
      std::vector<std::uint64_t> counts(2);
      for (TaskTag& tag : tags) ++counts[tag = random() % 100 < percent ? 1 : 0];
      squares += std::pow(sampled<2>(tags) - index_of(counts), 2);
    }
    EXPECT_LT(std::sqrt(squares / kLists), 0.03) << percent << " %";
  }
}

// A sample at even strides would find one type if the stride is a multiple of the period.
TEST(TypeMix, OfTypesInTurnASampleSeesAll) {
  for (const std::size_t period : {2u, 3u, 16u, 100u}) {
    for (const std::size_t count : {1000u, 1024u, 64'000u, 1u << 20}) {
      std::vector<TaskTag> tags(count);
      for (std::size_t i = 0; i < count; ++i) tags[i] = i % period < period / 2 ? 0 : 1;
      EXPECT_NEAR(sampled<2>(tags), 0.5, 0.08) << count << " in periods of " << period;
    }
  }
}

TEST(TypeMix, OfTypesOneBehindTheOtherASampleSeesAll) {
  std::vector<TaskTag> tags(10'000, 0);
  std::fill(tags.begin() + 5'000, tags.end(), TaskTag{1});
  EXPECT_NEAR(sampled<2>(tags), 0.5, 0.01);
}

// The run itself rejects these tags.
TEST(TypeMix, TagsOutsideTheSetAreLeftOut) {
  EXPECT_DOUBLE_EQ(sampled<2>({0, 1, 2, 255}), 0.5);
  EXPECT_EQ(sampled<2>(std::vector<TaskTag>(1000, 255)), 0);
}

}  // namespace
}  // namespace millrace
