#include <millrace/algorithms/radix_sort/splitters.h>

#include <gtest/gtest.h>
#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/runtime/error.h>
#include <millrace/tests/random/seeded_random.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace millrace::radix_sort {
namespace {

using Keys = std::vector<std::uint32_t>;

SortArguments arguments_of(const Keys& keys, SortOrder order = SortOrder::kAscending) {
  return {.key_type = KeyType::kU32, .order = order, .count = keys.size(), .keys_in = keys.data()};
}

std::vector<Splitter> records_of(const Keys& keys, SortOrder order = SortOrder::kAscending) {
  const auto map = KeyBits<std::uint32_t>::of(KeyType::kU32, order);
  std::vector<Splitter> records;
  for (const std::uint32_t key : keys) records.push_back({map.ordered(key), records.size()});
  return records;
}

// How many records each part has.
std::vector<double> sizes_of(const Keys& keys, std::span<const Splitter> splitters) {
  std::vector<double> sizes(splitters.size() + 1);
  for (const Splitter& record : records_of(keys)) ++sizes[part_of(splitters, record)];
  return sizes;
}

Keys uniform_keys(std::size_t count, std::uint64_t most) {
  SeededRandom random;
  Keys keys(count);
  for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(random(0, most));
  return keys;
}

void expect_shares(const Keys& keys, const std::vector<double>& weights) {
  const auto splitters = choose_splitters(
      sample_records(arguments_of(keys), 0, weights.size() * kSamplesOfPart), weights);
  const std::vector<double> sizes = sizes_of(keys, splitters);
  double all = 0;
  for (const double weight : weights) all += weight;
  for (std::size_t part = 0; part < weights.size(); ++part) {
    const auto count = static_cast<double>(keys.size());
    EXPECT_NEAR(sizes[part], weights[part] / all * count, 0.04 * count) << "part " << part;
  }
}

TEST(Splitters, GivePartsTheirShares) {
  const Keys keys = uniform_keys(100000, UINT32_MAX);
  expect_shares(keys, {1, 1});
  expect_shares(keys, {1, 1, 1, 1});
  expect_shares(keys, {5, 1, 3});
}

TEST(Splitters, CutEqualKeysByPlace) {
  expect_shares(Keys(100000, 7), {1, 2, 1});
  expect_shares(uniform_keys(100000, 2), {1, 1, 1, 1});
}

TEST(Splitters, PutPartsOneBehindTheOther) {
  const Keys keys = uniform_keys(5000, 100);
  for (const SortOrder order : {SortOrder::kAscending, SortOrder::kDescending}) {
    const auto splitters = choose_splitters(sample_records(arguments_of(keys, order), 0, 64),
                                            std::vector<double>{1, 1, 1});
    std::vector<Splitter> records = records_of(keys, order);
    std::sort(records.begin(), records.end());
    std::vector<std::size_t> parts;
    for (const Splitter& record : records) parts.push_back(part_of(splitters, record));
    EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end()));
    EXPECT_EQ(parts.front(), 0U);
    EXPECT_EQ(parts.back(), 2U);
  }
}

TEST(Splitters, LeavePartsWithoutWeightEmpty) {
  const Keys keys = uniform_keys(1000, 50);
  const auto sizes = [&](std::vector<double> weights) {
    return sizes_of(keys, choose_splitters(sample_records(arguments_of(keys), 0, 100), weights));
  };
  EXPECT_EQ(sizes({0, 1}), (std::vector<double>{0, 1000}));
  EXPECT_EQ(sizes({1, 0}), (std::vector<double>{1000, 0}));
  EXPECT_EQ(sizes({0, 3, 0}), (std::vector<double>{0, 1000, 0}));
  const std::vector<double> middle = sizes({1, 0, 1});
  EXPECT_EQ(middle[1], 0);
  EXPECT_GT(middle[0], 300);
  EXPECT_GT(middle[2], 300);
}

TEST(Splitters, TakeFewRecordsOrNone) {
  EXPECT_TRUE(sample_records(arguments_of({}), 0, 10).empty());
  EXPECT_EQ(choose_splitters({}, std::vector<double>{1, 1}).size(), 1U);
  EXPECT_TRUE(choose_splitters({}, std::vector<double>{1}).empty());
  const Keys one = {9};
  const auto splitters =
      choose_splitters(sample_records(arguments_of(one), 0, 10), std::vector<double>{1, 1, 1});
  const std::vector<double> sizes = sizes_of(one, splitters);
  EXPECT_EQ(sizes[0] + sizes[1] + sizes[2], 1);
}

TEST(Splitters, SampleAllRangesOfTheKeysInTheirOwnOrder) {
  const Keys keys = uniform_keys(1003, UINT32_MAX);
  const auto sample = sample_records(arguments_of(keys, SortOrder::kDescending), 5000, 100);
  ASSERT_EQ(sample.size(), 100U);
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const std::size_t place = sample[i].place - 5000;
    ASSERT_LT(place, keys.size());
    EXPECT_EQ(sample[i].key, static_cast<std::uint32_t>(~keys[place]));
    EXPECT_NEAR(static_cast<double>(place), 10.03 * static_cast<double>(i) + 5, 16);
  }
  EXPECT_EQ(sample_records(arguments_of(keys), 0, 5000).size(), keys.size());
}

TEST(Splitters, OfWideKeysAreInTheirTotalOrder) {
  const std::vector<double> keys = {0.0, -1.0, 5e300, -0.0};
  auto sample = sample_records(
      {.key_type = KeyType::kF64, .count = keys.size(), .keys_in = keys.data()}, 0, 4);
  std::sort(sample.begin(), sample.end());
  std::vector<std::uint64_t> places;
  for (const Splitter& record : sample) places.push_back(record.place);
  EXPECT_EQ(places, (std::vector<std::uint64_t>{1, 3, 0, 2}));
}

TEST(Splitters, DoNotDependOnTheOrderOfTheSample) {
  const Keys keys = uniform_keys(1000, 20);
  auto sample = sample_records(arguments_of(keys), 0, 200);
  const std::vector<double> weights = {1, 2, 3};
  const auto expected = choose_splitters(sample, weights);
  std::reverse(sample.begin(), sample.end());
  EXPECT_EQ(choose_splitters(sample, weights), expected);
}

TEST(Splitters, RefuseWeightsThatAreNone) {
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
