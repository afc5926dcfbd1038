// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/group/splitter.h>
#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/item_range.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace millrace::radix_sort {
namespace {

using Keys = std::vector<std::uint32_t>;

std::vector<Splitter> records_of(const Keys& keys, SortOrder order = SortOrder::kAscending) {
  const auto map = KeyBits<std::uint32_t>::of(KeyType::kU32, order);
  std::vector<Splitter> records;
  for (const std::uint32_t key : keys) records.push_back({map.ordered(key), records.size()});
  return records;
}

// Returns some of them, evenly spaced; all, if there are no more.
std::vector<Splitter> sample_of(const std::vector<Splitter>& records, std::size_t samples) {
  const std::size_t count = std::min(samples, records.size());
  std::vector<Splitter> sample;
  for (std::size_t i = 0; i < count; ++i) {
    sample.push_back(records[even_cut(records.size(), i, count)]);
  }
  return sample;
}

// Returns the range of a record: that of the last splitter which is not behind it.
std::size_t range_of(std::span<const Splitter> splitters, const Splitter& record) {
  const auto behind = std::upper_bound(splitters.begin(), splitters.end(), record);
  return static_cast<std::size_t>(behind - splitters.begin());
}

// Returns the number of records of each range.
std::vector<double> sizes_of(const Keys& keys, std::span<const Splitter> splitters) {
  std::vector<double> sizes(splitters.size() + 1);
  for (const Splitter& record : records_of(keys)) ++sizes[range_of(splitters, record)];
  return sizes;
}

Keys uniform_keys(std::size_t count, std::uint64_t most) {
  SeededRandom random;
  Keys keys(count);
  for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(random(0, most));
  return keys;
}

void expect_fractions(const Keys& keys, const std::vector<double>& weights) {
  const auto splitters =
      choose_splitters(sample_of(records_of(keys), weights.size() * kSamplesOfRange), weights);
  const std::vector<double> sizes = sizes_of(keys, splitters);
  double all = 0;
  for (const double weight : weights) all += weight;
  for (std::size_t range = 0; range < weights.size(); ++range) {
    const auto count = static_cast<double>(keys.size());
    EXPECT_NEAR(sizes[range], weights[range] / all * count, 0.04 * count) << "range " << range;
  }
}

TEST(Splitters, GiveRangesTheirFractions) {
  const Keys keys = uniform_keys(100000, UINT32_MAX);
  expect_fractions(keys, {1, 1});
  expect_fractions(keys, {1, 1, 1, 1});
  expect_fractions(keys, {5, 1, 3});
}

TEST(Splitters, CutEqualKeysByIndex) {
  expect_fractions(Keys(100000, 7), {1, 2, 1});
  expect_fractions(uniform_keys(100000, 2), {1, 1, 1, 1});
}

TEST(Splitters, PutRangesOneBehindTheOther) {
  const Keys keys = uniform_keys(5000, 100);
  for (const SortOrder order : {SortOrder::kAscending, SortOrder::kDescending}) {
    const auto splitters =
        choose_splitters(sample_of(records_of(keys, order), 64), std::vector<double>{1, 1, 1});
    std::vector<Splitter> records = records_of(keys, order);
    std::sort(records.begin(), records.end());
    std::vector<std::size_t> ranges;
    for (const Splitter& record : records) ranges.push_back(range_of(splitters, record));
    EXPECT_TRUE(std::is_sorted(ranges.begin(), ranges.end()));
    EXPECT_EQ(ranges.front(), 0U);
    EXPECT_EQ(ranges.back(), 2U);
  }
}

TEST(Splitters, LeaveRangesWithoutWeightEmpty) {
  const Keys keys = uniform_keys(1000, 50);
  const auto sizes = [&](std::vector<double> weights) {
    return sizes_of(keys, choose_splitters(sample_of(records_of(keys), 400), weights));
  };
  EXPECT_EQ(sizes({0, 1}), (std::vector<double>{0, 1000}));
  EXPECT_EQ(sizes({1, 0}), (std::vector<double>{1000, 0}));
  EXPECT_EQ(sizes({0, 3, 0}), (std::vector<double>{0, 1000, 0}));
  const std::vector<double> middle = sizes({1, 0, 1});
  EXPECT_EQ(middle[1], 0);
  EXPECT_GT(middle[0], 300);
  EXPECT_GT(middle[2], 300);
}

TEST(Splitters, TakeASingleRecordOrNone) {
  EXPECT_EQ(choose_splitters({}, std::vector<double>{1, 1}).size(), 1U);
  EXPECT_TRUE(choose_splitters({}, std::vector<double>{1}).empty());
  const Keys one = {9};
  const auto splitters =
      choose_splitters(sample_of(records_of(one), 10), std::vector<double>{1, 1, 1});
  const std::vector<double> sizes = sizes_of(one, splitters);
  EXPECT_EQ(sizes[0] + sizes[1] + sizes[2], 1);
}

TEST(Splitters, DoNotDependOnTheOrderOfTheSample) {
  const Keys keys = uniform_keys(1000, 20);
  auto sample = sample_of(records_of(keys), 200);
  const std::vector<double> weights = {1, 2, 3};
  const auto expected = choose_splitters(sample, weights);
  std::reverse(sample.begin(), sample.end());
  EXPECT_EQ(choose_splitters(sample, weights), expected);
}

TEST(Splitters, RejectWeightsThatAreNone) {
  const double infinite = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& weights :
       {std::vector<double>{}, {0, 0}, {1, -1}, {1, infinite}, {std::nan(""), 1}}) {
    try {
      choose_splitters({}, weights);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    }
  }
}

}  // namespace
}  // namespace millrace::radix_sort
