// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/random_macroblocks.h>
#include <millrace/algorithms/idct/residual_coder/coded_cost.h>
#include <millrace/tests/simd/simd_target.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <tuple>
#include <vector>

namespace millrace::idct {
namespace {

constexpr auto k4x4 = TransformSize::k4x4;
constexpr auto k8x8 = TransformSize::k8x8;

TEST(CodedCost, OfNothingIsTheEndsOfBlock) {
  const std::int16_t levels[256] = {};
  EXPECT_EQ(coded_cost(k4x4, levels).bits, 16);
  EXPECT_EQ(coded_cost(k8x8, levels).bits, 4);
  EXPECT_EQ(coded_cost(k4x4, levels).zero_levels, 256);
}

TEST(CodedCost, AddsLevelsAndRuns) {
  std::int16_t levels[256] = {};
  levels[coefficient_index(k4x4, 0, 0, 0, 0)] = -3;  // se(-3): 5 bits, ue(0): 1.
  levels[coefficient_index(k4x4, 0, 0, 2, 0)] = 1;   // Fourth in zig-zag: se(1): 3, ue(2): 3.
  EXPECT_EQ(coded_cost(k4x4, levels).bits, 16 + 5 + 1 + 3 + 3);
  EXPECT_EQ(coded_cost(k4x4, levels).zero_levels, 254);
}

TEST(CodedCost, ScansInZigzagOrder) {
  // Clause 8.5.6: c_00, c_01, c_10, c_20, c_11, c_02, ...
  const int scan[6][2] = {{0, 0}, {0, 1}, {1, 0}, {2, 0}, {1, 1}, {0, 2}};
  const int run_bits[6] = {1, 3, 3, 5, 5, 5};  // ue(0), ue(1), ...
  for (const TransformSize size : {k4x4, k8x8}) {
    for (int k = 0; k < 6; ++k) {
      std::int16_t levels[256] = {};
      levels[coefficient_index(size, 1, 1, scan[k][0], scan[k][1])] = 1;
      EXPECT_EQ(coded_cost(size, levels).bits, (size == k4x4 ? 16 : 4) + 3 + run_bits[k]);
    }
  }
}

int exp_golomb_bits(int code_number) {
  return 2 * std::bit_width(static_cast<unsigned>(code_number + 1)) - 1;
}

// Returns the cost, level by level in the order in which they would be written.
int plain_bits(TransformSize size, const std::int16_t (&levels)[256]) {
  const int n = block_width(size);
  const auto zigzag_before = [](const std::tuple<int, int>& a, const std::tuple<int, int>& b) {
    const auto [ai, aj] = a;
    const auto [bi, bj] = b;
    return ai + aj != bi + bj ? ai + aj < bi + bj : (ai + aj) % 2 == 1 ? ai < bi : ai > bi;
  };
  std::vector<std::tuple<int, int>> scan;
  for (int k = 0; k < n * n; ++k) {
    scan.emplace_back(k / n, k % n);
  }
  std::sort(scan.begin(), scan.end(), zigzag_before);
  int bits = 0;
  for (int block = 0; block < 256 / (n * n); ++block) {
    int run = 0;
    for (const auto& [i, j] : scan) {
      const int level = levels[coefficient_index(size, block % (16 / n), block / (16 / n), i, j)];
      if (level != 0) {
        bits += exp_golomb_bits(level > 0 ? 2 * level - 1 : -2 * level) + exp_golomb_bits(run);
      }
      run = level == 0 ? run + 1 : 0;
    }
    ++bits;
  }
  return bits;
}

TEST(CodedCost, IsTheSumOfItsCodesOnEveryTarget) {
  SeededRandom random;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    const SimdTarget on_target(target);
    for (int repeat = 0; repeat < 200; ++repeat) {
      const int density = random.integer(1, 100);
      const int largest = 1 << random.integer(0, 14);
      std::int16_t levels[256];
      for (std::int16_t& level : levels) {
        level = static_cast<std::int16_t>(
            random.integer(1, 100) <= density ? random.integer(-largest, largest) : 0);
      }
      for (const TransformSize size : {k4x4, k8x8}) {
        const CodedCost cost = coded_cost(size, levels);
        EXPECT_EQ(cost.bits, plain_bits(size, levels)) << hwy::TargetName(target);
        EXPECT_EQ(cost.zero_levels, std::count(std::begin(levels), std::end(levels), 0));
      }
    }
  }
}

}  // namespace
}  // namespace millrace::idct
