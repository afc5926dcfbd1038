// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/stream/interleave.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace millrace::radix_sort {
namespace {

template <class T>
class InterleaveTest : public testing::Test {};
using Values = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(InterleaveTest, Values);

// `count` outputs, of which so many in a hundred are early, against one at a time.
template <class T>
void check_interleave(std::size_t count, unsigned early_percent, std::mt19937_64& random) {
  std::vector<T> early;
  std::vector<T> late;
  std::vector<T> expected;
  std::vector<std::uint32_t> mask((count + 31) / 32);
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_early = random() % 100 < early_percent;
    const T value = static_cast<T>(random());
    (is_early ? early : late).push_back(value);
    if (is_early) mask[i / 32] |= 1U << (i % 32);
    expected.push_back(value);
  }
  std::vector<T> out(count);
  interleave<T>(mask.data(), early, late, out);
  EXPECT_EQ(out, expected) << count << " outputs, " << early_percent << " % early";
}

TYPED_TEST(InterleaveTest, FollowsTheMask) {
  const auto seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  for (const std::size_t count : {0, 1, 7, 8, 9, 31, 32, 33, 64, 1000, 1024, 4097}) {
    for (const unsigned percent : {0, 3, 40, 97, 100}) {
      check_interleave<TypeParam>(count, percent, random);
    }
  }
}

}  // namespace
}  // namespace millrace::radix_sort
