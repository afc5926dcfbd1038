// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/cpu/aligned_bytes.h>
#include <millrace/algorithms/radix_sort/cpu/simd/radix_sort_simd.h>
#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/tests/random/seeded_random.h>
#include <millrace/tests/simd/simd_target.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace millrace::radix_sort {
namespace {

class PivotsOnTarget : public OnSimdTarget {
 protected:
  void SetUp() override {
    if (kernels<std::uint32_t, NoValue>().quick_sort == nullptr) {
      GTEST_SKIP() << "digits are faster here";
    }
  }

  // Calls `test.operator()<K>(bits)` for both sizes of keys, ordered and not.
  template <class Test>
  static void for_keys(Test test) {
    const auto of = []<class K>(KeyType type) {
      return KeyBits<K>::of(type, SortOrder::kDescending);
    };
    test.template operator()<std::uint32_t>({});
    test.template operator()<std::uint32_t>(of.template operator()<std::uint32_t>(KeyType::kF32));
    test.template operator()<std::uint64_t>({});
    test.template operator()<std::uint64_t>(of.template operator()<std::uint64_t>(KeyType::kF64));
  }

  // Returns keys of `bits` random bits.
  template <class K>
  std::vector<K> random_keys(std::size_t count, int bits) {
    std::vector<K> keys(count);
    for (K& key : keys) key = static_cast<K>(random() >> (64 - bits));
    return keys;
  }

  // Expects a quick sort of raw keys to give them in order, and in place as well.
  template <class K>
  static void expect_sorted(const std::vector<K>& in, KeyBits<K> bits, const std::string& what) {
    std::vector<K> expected = in;
    std::ranges::sort(expected, {}, [&](K key) { return bits.ordered(key); });
    constexpr K kGuard = 77;
    std::vector<K> out(in.size() + 1, kGuard);
    const AlignedBytes scratch = aligned_bytes(bucket_scratch_bytes<K, NoValue>(in.size()));
    QuickSortWork<K> work{.keys = in.data(),
                          .count = in.size(),
                          .bits_in = bits,
                          .keys_to = out.data(),
                          .bits_out = bits,
                          .scratch = scratch.get()};
    kernels<K, NoValue>().quick_sort(work);
    ASSERT_EQ(out.back(), kGuard) << "wrote behind the output: " << what;
    out.pop_back();
    ASSERT_EQ(out, expected) << what;
    out = in;
    work.keys = work.keys_to = out.data();
    kernels<K, NoValue>().quick_sort(work);
    ASSERT_EQ(out, expected) << "in place: " << what;
  }

  // Returns true if a quick sort in place writes the memory in which digits are sorted.
  template <class K>
  static bool uses_digits(std::vector<K> keys) {
    const std::size_t bytes = bucket_scratch_bytes<K, NoValue>(keys.size());
    const AlignedBytes scratch = aligned_bytes(bytes);
    constexpr auto kUnwritten = std::byte{0xa5};
    std::fill_n(scratch.get(), bytes, kUnwritten);
    kernels<K, NoValue>().quick_sort({.keys = keys.data(),
                                      .count = keys.size(),
                                      .bits_in = {},
                                      .keys_to = keys.data(),
                                      .bits_out = {},
                                      .scratch = scratch.get()});
    return std::any_of(scratch.get(), scratch.get() + bytes,
                       [](std::byte b) { return b != kUnwritten; });
  }

  // Returns keys of which those that a pivot is chosen from are always the smallest that are left,
  // and equal: nine vectors each time that what is left is partitioned in place. So a small number
  // of keys is in front of each pivot (McIlroy, A Killer Adversary for Quicksort).
  template <class K>
  std::vector<K> keys_that_defeat_pivots(std::size_t count) {
    constexpr K kPivots = 40;
    const std::size_t lanes = (GetParam() <= HWY_AVX3 ? 64 : 32) / sizeof(K);
    std::vector<K> killer(count);
    std::vector<K> keys(count);  // kPivots + i: the killer's key i, which has no value yet.
    for (std::size_t i = 0; i < count; ++i) keys[i] = killer[i] = static_cast<K>(kPivots + i);
    std::size_t begin = 0;
    for (K pivot = 0; pivot < kPivots; ++pivot) {
      const std::size_t step = (count - begin - lanes) / 8;
      for (std::size_t sample = 0; sample < 9; ++sample) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          K& key = keys[begin + sample * step + lane];
          key = killer[key - kPivots] = pivot;
        }
      }
      begin += kernels<K, NoValue>().split({.keys = &keys[begin],
                                            .count = count - begin,
                                            .bits = {},
                                            .pivot = pivot,
                                            .keys_to = &keys[begin]});
    }
    return killer;
  }

  SeededRandom random;
};

TEST_P(PivotsOnTarget, SplitKeys) {
  for_keys([this]<class K>(KeyBits<K> order) {
    for (const std::size_t count : {1, 15, 80, 81, 1000, 4099}) {
      const auto in = random_keys<K>(count, 8);
      for (const K& pivot : {order.ordered(in[0]), K{0}, static_cast<K>(~K{0})}) {
        std::vector<K> out(count + 1, K{77});
        const std::size_t in_front = kernels<K, NoValue>().split({.keys = in.data(),
                                                                  .count = count,
                                                                  .bits = order,
                                                                  .pivot = pivot,
                                                                  .keys_to = out.data()});
        ASSERT_EQ(out[count], K{77}) << "wrote behind the output";
        out.pop_back();
        std::vector<K> expected(in);
        for (K& key : expected) key = order.ordered(key);
        const auto is_in_front = [&](const K& key) { return key <= pivot; };
        EXPECT_TRUE(std::is_partitioned(out.begin(), out.end(), is_in_front));
        EXPECT_EQ(in_front, static_cast<std::size_t>(
                                std::count_if(expected.begin(), expected.end(), is_in_front)));
        std::sort(expected.begin(), expected.end());
        std::sort(out.begin(), out.end());
        ASSERT_EQ(out, expected) << count << " keys";
      }
    }
  });
}

// A network of each size is complete, and has one key more or less than rows and blocks have.
TEST_P(PivotsOnTarget, SortAnySmallNumberOfKeys) {
  for_keys([this]<class K>(KeyBits<K> bits) {
    for (std::size_t count = 0; count < 70; ++count) {
      expect_sorted(random_keys<K>(count, 8 * sizeof(K)), bits, std::to_string(count) + " keys");
    }
    for (const std::size_t whole : {128, 256, 384, 512, 768, 1024}) {
      for (const std::size_t count : {whole - 1, whole, whole + 1}) {
        expect_sorted(random_keys<K>(count, 8 * sizeof(K)), bits, std::to_string(count) + " keys");
      }
    }
  });
}

// A network of comparators sorts all keys if it sorts zeros and ones (Knuth, The Art of Computer
// Programming 3, 5.3.4, theorem Z): here every number of zeros, in random positions.
TEST_P(PivotsOnTarget, SortZerosAndOnes) {
  for_keys([this]<class K>(KeyBits<K> bits) {
    for (const std::size_t count : {16, 100, 256, 1000}) {
      for (std::size_t zeros = 0; zeros <= count; zeros += 1 + count / 50) {
        std::vector<K> in(count, K{1});
        std::fill_n(in.begin(), zeros, K{0});
        for (std::size_t i = 1; i < count; ++i) std::swap(in[i], in[random(0, i)]);
        expect_sorted(in, bits, std::to_string(zeros) + " zeros of " + std::to_string(count));
      }
    }
  });
}

TEST_P(PivotsOnTarget, SortManyKeysOfAnyNumberOfBits) {
  for_keys([this]<class K>(KeyBits<K> bits) {
    for (const std::size_t count : {1025, 3000, 20'011}) {
      for (const int key_bits : {1, 3, 8, 16, 32, static_cast<int>(8 * sizeof(K))}) {
        expect_sorted(random_keys<K>(count, key_bits), bits,
                      std::to_string(count) + " keys of " + std::to_string(key_bits) + " bits");
      }
    }
  });
}

// The largest and the smallest key may be the pivot of a range that they fill.
TEST_P(PivotsOnTarget, SortKeysThatAreMostlyTheLargestOrTheSmallest) {
  for_keys([this]<class K>(KeyBits<K> bits) {
    for (const K frequent : {K{0}, static_cast<K>(~K{0})}) {
      auto in = random_keys<K>(5000, 8 * sizeof(K));
      for (std::size_t i = 0; i < in.size(); ++i) {
        if (i % 16 != 3) in[i] = frequent;
      }
      expect_sorted(in, bits, "mostly " + std::to_string(frequent));
    }
  });
}

TEST_P(PivotsOnTarget, SortKeysThatAreInOrderAlready) {
  for_keys([this]<class K>(KeyBits<K> bits) {
    auto in = random_keys<K>(5000, 8 * sizeof(K));
    std::ranges::sort(in, {}, [&](K key) { return bits.ordered(key); });
    expect_sorted(in, bits, "sorted");
    std::swap(in[17], in[18]);
    expect_sorted(in, bits, "two keys swapped");
    std::ranges::reverse(in);
    expect_sorted(in, bits, "reversed");
  });
}

// Pivots of which each has a small number of keys in front of it end in digits, so that no sort is
// quadratic.
TEST_P(PivotsOnTarget, LeaveKeysThatDefeatThemToDigits) {
  for_keys([this]<class K>(KeyBits<K> bits) {
    if (!bits.is_identity()) return;
    const std::vector<K> in = keys_that_defeat_pivots<K>(50'000);
    expect_sorted(in, bits, "keys that defeat pivots");
    EXPECT_TRUE(uses_digits(in));
    EXPECT_FALSE(uses_digits(random_keys<K>(in.size(), 8 * sizeof(K)))) << "uniform keys";
  });
}

// Keys of a bucket are ordered, and raw behind it.
TEST_P(PivotsOnTarget, MapOrderedKeysBack) {
  for_keys([this]<class K>(KeyBits<K> bits) {
    for (const std::size_t count : {100, 5000}) {
      const auto ordered = random_keys<K>(count, 8 * sizeof(K));
      std::vector<K> expected = ordered;
      std::ranges::sort(expected);
      for (K& key : expected) key = bits.raw(key);
      std::vector<K> out(count);
      const AlignedBytes scratch = aligned_bytes(bucket_scratch_bytes<K, NoValue>(count));
      kernels<K, NoValue>().quick_sort({.keys = ordered.data(),
                                        .count = count,
                                        .bits_in = {},
                                        .keys_to = out.data(),
                                        .bits_out = bits,
                                        .scratch = scratch.get()});
      ASSERT_EQ(out, expected) << count << " keys";
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Targets, PivotsOnTarget, simd_targets(), name_of_simd_target);

}  // namespace
}  // namespace millrace::radix_sort
