// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/cpu/simd/radix_sort_simd.h>
#include <millrace/algorithms/radix_sort/cpu/simd/splitter_tree.h>
#include <millrace/algorithms/radix_sort/radix_sort_test_input.h>
#include <millrace/tests/simd/simd_target.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

namespace millrace::radix_sort {
namespace {

// Memory aligned to a cache line.
class Scratch {
 public:
  explicit Scratch(std::size_t bytes)
      : memory_(static_cast<std::byte*>(::operator new(bytes, kAlignment))) {}
  ~Scratch() { ::operator delete(memory_, kAlignment); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::byte* data() { return memory_; }

 private:
  static constexpr std::align_val_t kAlignment{kCacheLine};
  std::byte* memory_;
};

// Elements as two arrays.
template <class K, class V>
struct Arrays {
  std::vector<K> keys;
  std::vector<V> values;

  bool operator==(const Arrays& other) const {
    if constexpr (!std::is_same_v<V, NoValue>) {
      if (values != other.values) return false;
    }
    return keys == other.keys;
  }
};

template <class K, class V>
Arrays<K, V> empty_arrays(std::size_t count) {
  return {std::vector<K>(count), std::vector<V>(std::is_same_v<V, NoValue> ? 0 : count)};
}

// Returns the elements at `indices`.
template <class K, class V>
Arrays<K, V> gathered(const Arrays<K, V>& in, const std::vector<std::size_t>& indices) {
  auto out = empty_arrays<K, V>(indices.size());
  for (std::size_t i = 0; i < indices.size(); ++i) {
    out.keys[i] = in.keys[indices[i]];
    if constexpr (!std::is_same_v<V, NoValue>) out.values[i] = in.values[indices[i]];
  }
  return out;
}

// Returns the indices of elements in the stable order of `number_of(key)`.
template <class K, class Number>
std::vector<std::size_t> stable_order(const std::vector<K>& keys, Number number_of) {
  std::vector<std::size_t> indices(keys.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  std::stable_sort(indices.begin(), indices.end(), [&](std::size_t a, std::size_t b) {
    return number_of(keys[a]) < number_of(keys[b]);
  });
  return indices;
}

class KernelsOnTarget : public OnSimdTarget {
 protected:
  // Calls `test.operator()<K, V>()` for each kind of elements.
  template <class Test>
  static void for_kinds(Test test) {
    test.template operator()<std::uint32_t, NoValue>();
    test.template operator()<std::uint32_t, std::uint32_t>();
    test.template operator()<std::uint32_t, std::uint64_t>();
    test.template operator()<std::uint64_t, NoValue>();
    test.template operator()<std::uint64_t, std::uint32_t>();
    test.template operator()<std::uint64_t, std::uint64_t>();
  }

  // Returns keys of `bits` random bits.
  template <class K, class V>
  Arrays<K, V> random_arrays(std::size_t count, int bits) {
    auto arrays = empty_arrays<K, V>(count);
    for (K& key : arrays.keys) key = static_cast<K>(random() >> (64 - bits));
    if constexpr (!std::is_same_v<V, NoValue>) {
      std::iota(arrays.values.begin(), arrays.values.end(), static_cast<V>(random()));
    }
    return arrays;
  }

  // Sorts records as one bucket, to other arrays and in place.
  template <class K, class V>
  static void expect_sorts(Arrays<K, V> in) {
    const std::size_t count = in.keys.size();
    const auto expected = gathered(in, stable_order(in.keys, [](K key) { return key; }));
    auto out = empty_arrays<K, V>(count);
    Scratch scratch(bucket_scratch_bytes<K, V>(count));
    BucketWork<K, V> work{.keys = in.keys.data(),
                          .values = in.values.data(),
                          .first_index = 0,
                          .count = count,
                          .keys_to = out.keys.data(),
                          .values_to = out.values.data(),
                          .bits = {},
                          .scratch = scratch.data()};
    kernels<K, V>().sort(work);
    EXPECT_EQ(out, expected);

    work.keys = work.keys_to = in.keys.data();
    work.values = work.values_to = in.values.data();
    kernels<K, V>().sort(work);
    EXPECT_EQ(in, expected) << "in place";
  }

  SeededRandom random;
};

TEST_P(KernelsOnTarget, OrderMakesKeysOrdered) {
  for (const KeyType type : {KeyType::kU32, KeyType::kI32, KeyType::kF32}) {
    const auto bits = KeyBits<std::uint32_t>::of(type, SortOrder::kDescending);
    const auto in = random_arrays<std::uint32_t, NoValue>(1001, 32).keys;
    std::vector<std::uint32_t> out(in.size());
    kernels<std::uint32_t, NoValue>().order(in.data(), in.size(), bits, out.data());
    for (std::size_t i = 0; i < in.size(); ++i) ASSERT_EQ(out[i], bits.ordered(in[i]));
  }
}

TEST_P(KernelsOnTarget, CountsTheValuesOfADigit) {
  for (const std::size_t count : {0, 1, 1000}) {
    const Digit digit{.shift = 13, .bits = 11};
    const auto bits = KeyBits<std::uint32_t>::of(KeyType::kF32, SortOrder::kAscending);
    const auto keys = random_arrays<std::uint32_t, NoValue>(count, 32).keys;
    std::vector<std::uint32_t> expected(digit.values());
    std::uint32_t expected_differing = 0;
    for (const std::uint32_t key : keys) {
      ++expected[bits.ordered(key) >> 13 & 2047];
      expected_differing |= bits.ordered(key) ^ 0x12345678U;
    }
    std::vector<std::uint32_t> counts(digit.values(), 99);
    const std::uint32_t differing =
        kernels<std::uint32_t, NoValue>().count({.keys = keys.data(),
                                                 .count = count,
                                                 .bits = bits,
                                                 .digit = digit,
                                                 .reference = 0x12345678U,
                                                 .counts = counts.data()});
    EXPECT_EQ(counts, expected);
    EXPECT_EQ(differing, expected_differing);
  }
}

TEST_P(KernelsOnTarget, ClassifiesKeysByATreeOfSplitters) {
  const auto check = [this]<class K>(KeyType type) {
    const auto order = KeyBits<K>::of(type, SortOrder::kDescending);
    for (const int bits : {1, 5, SplitterTree<K>::kMostBits}) {
      for (const std::size_t count : {1, 3, 64, 67, 5000}) {
        auto keys = random_arrays<K, NoValue>(count, 8 * sizeof(K)).keys;
        keys[count / 2] = order.raw(~K{0});
        std::vector<K> sample;
        for (const K key : keys) sample.push_back(order.ordered(key));
        std::sort(sample.begin(), sample.end());
        const SplitterTree<K> tree(sample, bits);

        std::vector<std::uint8_t> expected(count + 1, 99);
        std::vector<std::uint32_t> expected_counts(tree.buckets());
        for (std::size_t i = 0; i < count; ++i) {
          expected[i] = static_cast<std::uint8_t>(tree.bucket_of(order.ordered(keys[i])));
          ++expected_counts[expected[i]];
        }
        std::vector<std::uint8_t> buckets(count + 1, 99);
        std::vector<std::uint32_t> counts(tree.buckets(), 77);
        kernels<K, NoValue>().classify({.splitters = &tree,
                                        .keys = keys.data(),
                                        .count = count,
                                        .bits = order,
                                        .buckets = buckets.data(),
                                        .counts = counts.data()});
        ASSERT_EQ(buckets, expected) << count << " keys, " << bits << " bits";
        ASSERT_EQ(counts, expected_counts) << count << " keys, " << bits << " bits";
      }
    }
  };
  check.operator()<std::uint32_t>(KeyType::kF32);
  check.operator()<std::uint64_t>(KeyType::kI64);
}

TEST_P(KernelsOnTarget, ScattersElementsByTheNumbersOfTheirBuckets) {
  for_kinds([this]<class K, class V>() {
    const std::size_t count = random(1, 10'000);
    const Digit digit{.shift = 0, .bits = 8};
    const auto in = random_arrays<K, V>(count, 8 * sizeof(K));
    const auto bucket_of = [](K key) { return static_cast<std::uint8_t>(key % 200); };
    const auto expected = gathered(in, stable_order(in.keys, bucket_of));

    std::vector<std::uint8_t> buckets;
    std::vector<std::uint64_t> next_indices(digit.values() + 1);
    for (const K key : in.keys) {
      buckets.push_back(bucket_of(key));
      ++next_indices[buckets.back() + 1];
    }
    std::partial_sum(next_indices.begin(), next_indices.end(), next_indices.begin());
    auto out = empty_arrays<K, V>(count);
    Scratch scratch(kScatterScratchBytes);
    kernels<K, V>().scatter({.keys = in.keys.data(),
                             .values = in.values.data(),
                             .first_index = 0,
                             .count = count,
                             .bits = {},
                             .digit = digit,
                             .buckets = buckets.data(),
                             .next_indices = next_indices.data(),
                             .keys_to = out.keys.data(),
                             .values_to = out.values.data(),
                             .is_streaming = false,
                             .scratch = scratch.data()});
    ASSERT_EQ(out, expected) << count << " elements";
  });
}

TEST_P(KernelsOnTarget, ScattersElementsByADigit) {
  for_kinds([this]<class K, class V>() {
    for (const int digit_bits : {1, 8, 9, 11}) {
      for (const bool is_streaming : {false, true}) {
        const std::size_t count = random(1, 60'000);
        const Digit digit{.shift = 3, .bits = digit_bits};
        const auto in = random_arrays<K, V>(count, 3 + digit_bits);
        const auto expected = gathered(in, stable_order(in.keys, [](K key) { return key >> 3; }));

        std::vector<std::uint64_t> next_indices(digit.values() + 1);
        for (const K key : in.keys) ++next_indices[(key >> 3) + 1];
        std::partial_sum(next_indices.begin(), next_indices.end(), next_indices.begin());
        const std::size_t lead = random(0, 70);
        auto out = empty_arrays<K, V>(lead + count);
        Scratch scratch(kScatterScratchBytes);
        kernels<K, V>().scatter({.keys = in.keys.data(),
                                 .values = in.values.data(),
                                 .first_index = 0,
                                 .count = count,
                                 .bits = {},
                                 .digit = digit,
                                 .buckets = nullptr,
                                 .next_indices = next_indices.data(),
                                 .keys_to = out.keys.data() + lead,
                                 .values_to = out.values.data() + (out.values.empty() ? 0 : lead),
                                 .is_streaming = is_streaming,
                                 .scratch = scratch.data()});

        const std::vector<K> before(out.keys.begin(), out.keys.begin() + lead);
        EXPECT_EQ(before, std::vector<K>(lead)) << "wrote before the output";
        out.keys.erase(out.keys.begin(), out.keys.begin() + lead);
        if (!out.values.empty()) out.values.erase(out.values.begin(), out.values.begin() + lead);
        ASSERT_EQ(out, expected) << count << " elements, " << digit_bits << " bits";
      }
    }
  });
}

TEST_P(KernelsOnTarget, SortsBuckets) {
  for_kinds([this]<class K, class V>() {
    const int key_bits = 8 * sizeof(K);
    for (const std::size_t count : {1, 2, 24, 25, 300, 5000}) {
      for (const int bits : {1, 5, 11, 12, 22, 23, key_bits}) {
        SCOPED_TRACE(std::to_string(count) + " keys of " + std::to_string(bits) + " bits");
        expect_sorts(random_arrays<K, V>(count, bits));
      }
    }
  });
}

TEST_P(KernelsOnTarget, SortsKeysThatDifferInTheirLowestBitsAlone) {
  // Many keys share the digits by which a bucket is sorted first; the highest bit makes these high.
  for_kinds([this]<class K, class V>() {
    auto in = random_arrays<K, V>(3000, 5);
    for (std::size_t i = 0; i < 3000; i += 7) in.keys[i] |= K{1} << (8 * sizeof(K) - 1);
    expect_sorts(in);
  });
}

// All keys but one have the same highest bits, as floating-point numbers of one range do: records
// are sorted as words, in which the lowest bits of keys of 8 bytes do not fit.
TEST_P(KernelsOnTarget, SortsKeysThatShareTheirDigits) {
  for_kinds([this]<class K, class V>() {
    const std::size_t count = 5000;
    auto in = random_arrays<K, V>(count, 8 * sizeof(K) - 8);
    in.keys[17] |= K{1} << (8 * sizeof(K) - 1);
    for (std::size_t i = 2; i < count; i += 3) in.keys[i] = in.keys[i - 1] ^ static_cast<K>(i % 2);
    expect_sorts(in);
  });
}

TEST_P(KernelsOnTarget, SortsIndicesAndUndoesTheOrderOfKeys) {
  const auto bits = KeyBits<std::uint32_t>::of(KeyType::kI32, SortOrder::kDescending);
  const auto raw = random_arrays<std::uint32_t, NoValue>(777, 32).keys;
  const auto indices = stable_order(raw, [=](std::uint32_t key) { return bits.ordered(key); });
  std::vector<std::uint32_t> ordered(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) ordered[i] = bits.ordered(raw[i]);
  auto out = empty_arrays<std::uint32_t, std::uint64_t>(raw.size());
  Scratch scratch(bucket_scratch_bytes<std::uint32_t, std::uint64_t>(raw.size()));
  kernels<std::uint32_t, std::uint64_t>().sort({.keys = ordered.data(),
                                                .values = nullptr,
                                                .first_index = 100,
                                                .count = raw.size(),
                                                .keys_to = out.keys.data(),
                                                .values_to = out.values.data(),
                                                .bits = bits,
                                                .scratch = scratch.data()});
  for (std::size_t i = 0; i < raw.size(); ++i) {
    ASSERT_EQ(out.values[i], 100 + indices[i]);
    ASSERT_EQ(out.keys[i], raw[indices[i]]);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, KernelsOnTarget, simd_targets(), name_of_simd_target);

}  // namespace
}  // namespace millrace::radix_sort
