// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/algorithms/radix_sort/radix_sort_test_input.h>

#include <gtest/gtest.h>

#include <bit>
#include <compare>
#include <limits>
#include <vector>

namespace millrace::radix_sort {
namespace {

template <class K>
struct KeyCase;
template <>
struct KeyCase<std::uint32_t> {
  using Bits = std::uint32_t;
  static constexpr KeyType kType = KeyType::kU32;
};
template <>
struct KeyCase<std::int32_t> {
  using Bits = std::uint32_t;
  static constexpr KeyType kType = KeyType::kI32;
};
template <>
struct KeyCase<float> {
  using Bits = std::uint32_t;
  static constexpr KeyType kType = KeyType::kF32;
};
template <>
struct KeyCase<std::uint64_t> {
  using Bits = std::uint64_t;
  static constexpr KeyType kType = KeyType::kU64;
};
template <>
struct KeyCase<std::int64_t> {
  using Bits = std::uint64_t;
  static constexpr KeyType kType = KeyType::kI64;
};
template <>
struct KeyCase<double> {
  using Bits = std::uint64_t;
  static constexpr KeyType kType = KeyType::kF64;
};

template <class K>
class KeyBitsTest : public testing::Test {
 protected:
  using Bits = typename KeyCase<K>::Bits;

  // Random keys, each with its bitwise neighbour, and the extremes.
  std::vector<Bits> keys() {
    std::vector<Bits> keys = {0,
                              KeyBits<Bits>::kSign,
                              static_cast<Bits>(~Bits{0}),
                              static_cast<Bits>(~KeyBits<Bits>::kSign),
                              std::bit_cast<Bits>(std::numeric_limits<K>::max()),
                              std::bit_cast<Bits>(std::numeric_limits<K>::lowest())};
    for (int i = 0; i < 500; ++i) {
      keys.push_back(static_cast<Bits>(random()));
      keys.push_back(keys.back() + 1);
    }
    return keys;
  }

  SeededRandom random;
};

using KeyCases =
    testing::Types<std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t, double>;
TYPED_TEST_SUITE(KeyBitsTest, KeyCases);

TYPED_TEST(KeyBitsTest, OrderedBitsCompareAsTheKeys) {
  using Bits = typename KeyCase<TypeParam>::Bits;
  const auto up = KeyBits<Bits>::of(KeyCase<TypeParam>::kType, SortOrder::kAscending);
  const auto down = KeyBits<Bits>::of(KeyCase<TypeParam>::kType, SortOrder::kDescending);
  const auto keys = this->keys();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Bits a = keys[i];
    const Bits b = keys[(i * 7 + 1) % keys.size()];
    const auto expected =
        std::strong_order(std::bit_cast<TypeParam>(a), std::bit_cast<TypeParam>(b));
    ASSERT_EQ(up.ordered(a) <=> up.ordered(b), expected) << a << " and " << b;
    ASSERT_EQ(down.ordered(b) <=> down.ordered(a), expected) << a << " and " << b;
  }
}

TYPED_TEST(KeyBitsTest, RawUndoesOrdered) {
  using Bits = typename KeyCase<TypeParam>::Bits;
  for (const SortOrder order : {SortOrder::kAscending, SortOrder::kDescending}) {
    const auto bits = KeyBits<Bits>::of(KeyCase<TypeParam>::kType, order);
    for (const Bits key : this->keys()) ASSERT_EQ(bits.raw(bits.ordered(key)), key);
  }
}

TEST(KeyBits, OnlyAscendingUnsignedKeysAreOrderedAsTheyAre) {
  for (const KeyType type : kKeyTypes) {
    for (const SortOrder order : {SortOrder::kAscending, SortOrder::kDescending}) {
      const bool is_unsigned = type == KeyType::kU32 || type == KeyType::kU64;
      EXPECT_EQ(KeyBits<std::uint64_t>::of(type, order).is_identity(),
                is_unsigned && order == SortOrder::kAscending);
    }
  }
}

}  // namespace
}  // namespace millrace::radix_sort
