// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/cpu/simd/splitter_tree.h>
#include <millrace/algorithms/radix_sort/key_distribution.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace millrace::radix_sort {
namespace {

using Key = std::uint32_t;
using Keys = std::vector<Key>;

constexpr std::size_t kCount = 100'000;
constexpr std::size_t kSamplesOfBucket = 8;

Keys keys_of(KeyDistribution distribution) {
  Keys keys(kCount);
  fill_keys(KeyType::kU32, distribution, 1, keys.size(), keys.data());
  return keys;
}

Keys sorted(Keys keys) {
  std::ranges::sort(keys);
  return keys;
}

SplitterTree<Key> tree_of(const Keys& keys, int bits) {
  Keys sample(kSamplesOfBucket << bits);
  for (std::size_t i = 0; i < sample.size(); ++i) {
    sample[i] = keys[i * (keys.size() - 1) / (sample.size() - 1)];
  }
  return {sorted(sample), bits};
}

// Returns how many keys the largest bucket has, but for those that have one key alone.
std::size_t most_in_bucket(const Keys& keys, const SplitterTree<Key>& tree) {
  std::vector<std::size_t> sizes(tree.buckets());
  for (const Key key : keys) ++sizes[tree.bucket_of(key)];
  std::size_t most = 0;
  for (std::size_t bucket = 0; bucket < sizes.size(); ++bucket) {
    if (!tree.has_one_key(bucket)) most = std::max(most, sizes[bucket]);
  }
  return most;
}

TEST(SplitterTree, MakesBucketsOfAboutTheSameSizeOfAnyDistribution) {
  for (const KeyDistribution distribution : kKeyDistributions) {
    const Keys keys = keys_of(distribution);
    for (const int bits : {4, 6, 8}) {
      const SplitterTree<Key> tree = tree_of(keys, bits);
      EXPECT_LE(most_in_bucket(keys, tree), 3 * keys.size() / tree.buckets())
          << to_string(distribution) << ", " << bits << " bits";
    }
  }
}

TEST(SplitterTree, PutsBucketsInTheOrderOfTheirKeys) {
  const Keys keys = sorted(keys_of(KeyDistribution::kZipf));
  const SplitterTree<Key> tree = tree_of(keys, 6);
  for (std::size_t i = 1; i < keys.size(); ++i) {
    ASSERT_LE(tree.bucket_of(keys[i - 1]), tree.bucket_of(keys[i]));
  }
}

TEST(SplitterTree, CountsSplittersUpToAKey) {
  const SplitterTree<Key> tree(Keys{10, 20, 30, 40}, 2);  // 20, 30 and 40 are splitters.
  const struct {
    Key key;
    std::size_t bucket;
  } tests[] = {{0, 0}, {19, 0}, {20, 1}, {29, 1}, {30, 2}, {39, 2}, {40, 3}, {UINT32_MAX, 3}};
  for (const auto& test : tests) EXPECT_EQ(tree.bucket_of(test.key), test.bucket) << test.key;
}

// Half a bucket of keys on either side of an even cut is searched for the roundest key.
TEST(SplitterTree, TakesRoundSplitters) {
  Keys sample(512);
  for (std::size_t i = 0; i < sample.size(); ++i) sample[i] = static_cast<Key>(128 * i + 77);
  const SplitterTree<Key> tree(sample, 3);
  for (Key splitter = 8192; splitter < 65536; splitter += 8192) {
    EXPECT_EQ(tree.bucket_of(splitter - 1), splitter / 8192 - 1);
    EXPECT_EQ(tree.bucket_of(splitter), splitter / 8192);
  }
}

TEST(SplitterTree, GivesAFrequentKeyABucketOfItsOwn) {
  for (const Key frequent : {Key{0}, Key{1}, Key{7}, UINT32_MAX - 1, UINT32_MAX}) {
    Keys sample(40, frequent);
    for (Key key = 0; key < 24; ++key) sample.push_back(key * 178'956'970);
    const SplitterTree<Key> tree(sorted(sample), 3);
    const std::size_t bucket = tree.bucket_of(frequent);
    EXPECT_TRUE(tree.has_one_key(bucket)) << frequent;
    for (const Key other : {frequent - 1, frequent + 1}) {
      EXPECT_NE(tree.bucket_of(other), bucket) << other << " beside " << frequent;
    }
  }
}

TEST(SplitterTree, HasOneKeyInBucketsBetweenNeighboursAlone) {
  const SplitterTree<Key> tree(Keys{5, 5, 5, 5, 5, 5, 9, 9}, 2);
  EXPECT_FALSE(tree.has_one_key(tree.bucket_of(4)));
  EXPECT_TRUE(tree.has_one_key(tree.bucket_of(5)));
  EXPECT_FALSE(tree.has_one_key(tree.bucket_of(6)));
  EXPECT_FALSE(tree.has_one_key(tree.bucket_of(9)));
}

TEST(SplitterTree, TakesASingleSample) {
  const SplitterTree<std::uint64_t> tree(std::vector<std::uint64_t>{3}, 8);
  EXPECT_LT(tree.bucket_of(2), tree.bucket_of(3));
  EXPECT_TRUE(tree.has_one_key(tree.bucket_of(3)));
  EXPECT_LT(tree.bucket_of(3), tree.bucket_of(4));
  EXPECT_EQ(tree.bucket_of(UINT64_MAX), 255U);
}

}  // namespace
}  // namespace millrace::radix_sort
