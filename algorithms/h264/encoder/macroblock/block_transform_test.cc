// SPDX-License-Identifier: Apache-2.0

// Transforms and quantises blocks and puts them together again as decoders do.
#include <millrace/algorithms/h264/encoder/macroblock/block_transform.h>
#include <millrace/algorithms/h264/encoder/macroblock/level_quantiser.h>
#include <millrace/algorithms/h264/entropy/scan_order.h>
#include <millrace/algorithms/h264/reconstruction/residual.h>
#include <millrace/algorithms/idct/quantiser.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace millrace::h264 {
namespace {

// Size of a quantiser step in samples of an orthonormal transform.
double step_of(int qp) { return 0.625 * std::pow(2.0, qp / 6.0); }

template <int n>
struct Block {
  std::uint8_t samples[n * n];
};

template <int n>
Block<n> random_block(SeededRandom& random, int least, int most) {
  Block<n> block;
  for (std::uint8_t& sample : block.samples) {
    sample = static_cast<std::uint8_t>(
        random(static_cast<unsigned>(least), static_cast<unsigned>(most)));
  }
  return block;
}

// Codes a block and returns what decoders make of its levels.
template <int n>
Block<n> coded(const Block<n>& source, const Block<n>& prediction, int qp, int rounding) {
  constexpr auto kSize = n == 4 ? idct::TransformSize::k4x4 : idct::TransformSize::k8x8;
  constexpr ZigzagOrder<n> kOrder = zigzag_order<n>();
  const LevelQuantiser quantiser = level_quantiser(qp);
  std::int16_t w[n * n];
  transform_difference<n>({source.samples, n}, {prediction.samples, n}, w);
  std::int16_t coefficients[n * n];
  for (int k = 0; k < n * n; ++k) {
    const int i = kOrder.row[k];
    const int j = kOrder.column[k];
    const int level = n == 4 ? quantised_level(w[n * i + j], quantiser.multipliers_4x4[k],
                                               quantiser.shift_4x4, rounding)
                             : quantised_level(w[n * i + j], quantiser.multipliers_8x8[k],
                                               quantiser.shift_8x8, rounding);
    coefficients[n * j + i] = static_cast<std::int16_t>(idct::dequantised(kSize, qp, i, j, level));
  }
  Block<n> decoded = prediction;
  add_block_residual<n, n>(coefficients, decoded.samples, n);
  return decoded;
}

template <int n>
double root_mean_square(const Block<n>& a, const Block<n>& b) {
  double sum = 0;
  for (int i = 0; i < n * n; ++i) {
    const int difference = a.samples[i] - b.samples[i];
    sum += difference * difference;
  }
  return std::sqrt(sum / (n * n));
}

template <int n>
void expect_within_steps() {
  SeededRandom random;
  for (int qp = 0; qp <= idct::kMaxQp; ++qp) {
    for (const int rounding : {kIntraRounding, kInterRounding}) {
      for (int trial = 0; trial < 40; ++trial) {
        const int amplitude = 1 << trial % 8;
        const auto source = random_block<n>(random, 128 - amplitude / 2, 127 + amplitude / 2);
        const auto prediction = random_block<n>(random, 128 - amplitude / 2, 127 + amplitude / 2);
        // A coefficient is wrong by less than what is not rounded up, and a sample by a half more.
        const double most = (1 - rounding / 1024.0) * step_of(qp) + 0.75;
        ASSERT_LE(root_mean_square<n>(source, coded<n>(source, prediction, qp, rounding)), most)
            << "QP " << qp << ", rounding " << rounding << ", amplitude " << amplitude;
      }
    }
  }
}

TEST(BlockTransform, DecodersReturn4x4BlocksWithinAStep) { expect_within_steps<4>(); }

TEST(BlockTransform, DecodersReturn8x8BlocksWithinAStep) { expect_within_steps<8>(); }

TEST(BlockTransform, CoefficientsOf4x4AreTheMatrixProduct) {
  constexpr int kMatrix[4][4] = {{1, 1, 1, 1}, {2, 1, -1, -2}, {1, -1, -1, 1}, {1, -2, 2, -1}};
  SeededRandom random;
  const auto source = random_block<4>(random, 0, 255);
  const auto prediction = random_block<4>(random, 0, 255);
  std::int16_t w[16];
  transform_difference<4>({source.samples, 4}, {prediction.samples, 4}, w);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      int sum = 0;
      for (int k = 0; k < 16; ++k) {
        const int difference = source.samples[k] - prediction.samples[k];
        sum += kMatrix[i][k / 4] * difference * kMatrix[j][k % 4];
      }
      EXPECT_EQ(w[4 * i + j], sum) << i << ", " << j;
    }
  }
}

TEST(BlockTransform, FlatDifferencesHaveDcAlone) {
  Block<8> source, prediction;
  std::fill_n(source.samples, 64, std::uint8_t{255});
  std::fill_n(prediction.samples, 64, std::uint8_t{0});
  std::int16_t w[64];
  transform_difference<8>({source.samples, 8}, {prediction.samples, 8}, w);
  EXPECT_EQ(w[0], 64 * 255);
  EXPECT_TRUE(std::all_of(w + 1, w + 64, [](std::int16_t value) { return value == 0; }));
}

TEST(LevelQuantiser, ScalesAreThoseOfTheStandard) {
  constexpr ZigzagOrder<4> k4x4 = zigzag_order<4>();
  constexpr ZigzagOrder<8> k8x8 = zigzag_order<8>();
  for (int qp = 0; qp <= idct::kMaxQp; ++qp) {
    const LevelQuantiser quantiser = level_quantiser(qp);
    for (const int level : {-7, 1, 12}) {
      for (int k = 0; k < 16; ++k) {
        ASSERT_EQ(
            (level * quantiser.scales_4x4[k] + 8) >> 4,
            idct::dequantised(idct::TransformSize::k4x4, qp, k4x4.row[k], k4x4.column[k], level));
      }
      for (int k = 0; k < 64; ++k) {
        ASSERT_EQ(
            (level * quantiser.scales_8x8[k] + 32) >> 6,
            idct::dequantised(idct::TransformSize::k8x8, qp, k8x8.row[k], k8x8.column[k], level));
      }
    }
  }
}

TEST(LevelQuantiser, RoundsBothSignsAlike) {
  const LevelQuantiser quantiser = level_quantiser(30);
  for (int w = 0; w < 4080; ++w) {
    const int level =
        quantised_level(w, quantiser.multipliers_4x4[0], quantiser.shift_4x4, kInterRounding);
    ASSERT_EQ(
        quantised_level(-w, quantiser.multipliers_4x4[0], quantiser.shift_4x4, kInterRounding),
        -level);
    // The transform's gain of DC is 4.
    const double exact = w / (4 * step_of(30));
    ASSERT_LE(level, exact + kInterRounding / 1024.0 + 0.01) << w;
    ASSERT_GT(level, exact + kInterRounding / 1024.0 - 1.01) << w;
  }
}

}  // namespace
}  // namespace millrace::h264
