// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/idct/equal_rows.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <vector>

namespace millrace::tools {
namespace {

// Rows of several pieces and a rest, with bytes between them.
constexpr RowShape kShape = {.bytes = 1000, .stride = 1024, .count = 777};

std::vector<std::byte> random_rows() {
  std::mt19937 random(1);
  std::vector<std::byte> rows(kShape.stride * kShape.count);
  for (std::byte& byte : rows) byte = std::byte(random());
  return rows;
}

TEST(EqualRows, AreEqualToRowsOfTheSameBytes) {
  const std::vector<std::byte> rows = random_rows();
  const std::vector<std::byte> same = random_rows();
  EXPECT_TRUE(equal_rows(rows.data(), same.data(), kShape));
}

TEST(EqualRows, DifferByOneByteOfAnyRow) {
  const std::vector<std::byte> rows = random_rows();
  std::vector<std::byte> other = rows;
  for (std::size_t row = 0; row < kShape.count; ++row) {
    std::byte& byte = other[row * kShape.stride + row % 2 * (kShape.bytes - 1)];
    byte ^= std::byte{1};
    EXPECT_FALSE(equal_rows(rows.data(), other.data(), kShape)) << row;
    byte ^= std::byte{1};
  }
}

TEST(EqualRows, MayDifferBetweenRows) {
  const std::vector<std::byte> rows = random_rows();
  std::vector<std::byte> other = rows;
  for (std::size_t row = 0; row < kShape.count; ++row) {
    other[row * kShape.stride + kShape.bytes] ^= std::byte{1};
  }
  EXPECT_TRUE(equal_rows(rows.data(), other.data(), kShape));
}

TEST(EqualRows, AreEqualIfThereAreNone) {
  EXPECT_TRUE(equal_rows(nullptr, nullptr, {.bytes = 16, .stride = 16, .count = 0}));
  EXPECT_TRUE(equal_rows(nullptr, nullptr, {.bytes = 0, .stride = 0, .count = 16}));
}

}  // namespace
}  // namespace millrace::tools
