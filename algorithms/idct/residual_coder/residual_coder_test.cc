// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/idct_math.h>
#include <millrace/algorithms/idct/idct_reference.h>
#include <millrace/algorithms/idct/quantiser.h>
#include <millrace/algorithms/idct/random_macroblocks.h>
#include <millrace/algorithms/idct/residual_coder/coded_cost.h>
#include <millrace/algorithms/idct/residual_coder/forward_transform.h>
#include <millrace/algorithms/idct/residual_coder/residual_coder.h>
#include <millrace/runtime/core/error.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <span>
#include <vector>

namespace millrace::idct {
namespace {

// A macroblock's source and prediction, and the coder's results for them.
struct Coded {
  std::uint8_t source[256];
  std::uint8_t prediction[256];
  TransformSize size;
  std::int16_t coefficients[256];
  CodingStatistics statistics;

  void code(const ResidualCoder& coder) {
    statistics = coder.code_macroblock(source, 16, prediction, 16, size, coefficients);
  }
};

// Returns the extreme residuals (every sample 255 or -255) that make each coefficient largest, and
// noise.
std::vector<Coded> extreme_macroblocks(SeededRandom& random) {
  std::vector<Coded> result;
  const auto add = [&result](auto is_bright) {
    Coded& coded = result.emplace_back();
    for (int k = 0; k < 256; ++k) {
      coded.source[k] = is_bright(k / 16, k % 16) ? 255 : 0;
      coded.prediction[k] = is_bright(k / 16, k % 16) ? 0 : 255;
    }
  };
  for (const int n : {4, 8}) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const auto wave = [n](int k, int x) {
          return std::cos((2 * (x % n) + 1) * k * M_PI / (2 * n));
        };
        add([=](int y, int x) { return wave(i, y) * wave(j, x) >= 0; });
        add([=](int y, int x) { return wave(i, y) * wave(j, x) < 0; });
      }
    }
  }
  for (int repeat = 0; repeat < 20; ++repeat) {
    add([&random](int, int) { return random.integer(0, 1) == 0; });
  }
  return result;
}

// Returns every level by the formula, in 64 bits.
std::vector<int> expected_levels(const Coded& coded, TransformSize size, int qp, int divisor) {
  std::int16_t residual[256];
  for (int k = 0; k < 256; ++k) {
    residual[k] = static_cast<std::int16_t>(coded.source[k] - coded.prediction[k]);
  }
  std::int16_t w[256];
  forward_transform(size, residual, w);
  const int n = block_width(size);
  std::vector<int> levels(256);
  for (int k = 0; k < 256; ++k) {
    const int i = k % 16 % n;
    const int j = k / 16 % n;
    const std::int64_t one = std::int64_t{1} << quantiser_shift(size, qp);
    const std::int64_t scaled =
        std::int64_t{std::abs(w[k])} * quantiser_multiplier(size, qp % 6, i, j) + one / divisor;
    levels[k] = static_cast<int>(scaled / one) * (w[k] < 0 ? -1 : 1);
  }
  return levels;
}

TEST(ResidualCoder, QuantisesByTheFormulaAndFitsSixteenBitsAtEveryQp) {
  SeededRandom random;
  for (Coded& coded : extreme_macroblocks(random)) {
    for (int qp = 0; qp <= kMaxQp; ++qp) {
      for (const DeadZone dead_zone : {DeadZone::kIntra, DeadZone::kInter}) {
        coded.code(ResidualCoder(qp, dead_zone));
        const std::vector<int> levels =
            expected_levels(coded, coded.size, qp, dead_zone == DeadZone::kIntra ? 3 : 6);
        const int n = block_width(coded.size);
        for (int k = 0; k < 256; ++k) {
          const int expected = dequantised(coded.size, qp, k % 16 % n, k / 16 % n, levels[k]);
          ASSERT_LE(std::abs(expected), 32767) << "QP " << qp;
          ASSERT_EQ(coded.coefficients[k], expected) << "QP " << qp << ", element " << k;
        }
        EXPECT_EQ(coded.statistics.zero_coefficients,
                  static_cast<std::uint64_t>(std::count(levels.begin(), levels.end(), 0)));
      }
    }
  }
}

// Returns the residual with intermediate values that do not wrap.
template <int n>
std::vector<int> unwrapped_residual(const std::int16_t (&coefficients)[256]) {
  std::vector<int> result(256);
  for (int first = 0; first < 256; first += first % 16 + n < 16 ? n : 16 * n - first % 16) {
    int block[n][n];
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        block[i][j] = coefficients[first + 16 * j + i];
      }
      inverse_transform_1d(block[i]);
    }
    for (int j = 0; j < n; ++j) {
      int column[n];
      for (int i = 0; i < n; ++i) {
        column[i] = block[i][j];
      }
      inverse_transform_1d(column);
      for (int i = 0; i < n; ++i) {
        result[first + 16 * i + j] = (column[i] + 32) >> 6;
      }
    }
  }
  return result;
}

TEST(ResidualCoder, MakesCoefficientsWhoseInverseDoesNotWrap) {
  SeededRandom random;
  for (Coded& coded : extreme_macroblocks(random)) {
    for (int qp = 0; qp <= kMaxQp; ++qp) {
      coded.code(ResidualCoder(qp, DeadZone::kIntra));
      std::int16_t residual[256];
      reference_residual(coded.size, coded.coefficients, residual);
      EXPECT_EQ(std::vector<int>(residual, residual + 256),
                coded.size == TransformSize::k4x4 ? unwrapped_residual<4>(coded.coefficients)
                                                  : unwrapped_residual<8>(coded.coefficients))
          << "QP " << qp;
    }
  }
}

TEST(ResidualCoder, ChoosesTheCheaperSize) {
  SeededRandom random;
  int chosen[2] = {};
  for (Coded& coded : extreme_macroblocks(random)) {
    coded.code(ResidualCoder(30, DeadZone::kInter));
    int bits[2];
    for (const TransformSize size : {TransformSize::k4x4, TransformSize::k8x8}) {
      std::int16_t levels[256];
      std::ranges::copy(expected_levels(coded, size, 30, 6), levels);
      bits[static_cast<int>(size)] = coded_cost(size, levels).bits;
    }
    EXPECT_EQ(coded.size, bits[1] <= bits[0] ? TransformSize::k8x8 : TransformSize::k4x4);
    EXPECT_EQ(coded.statistics.macroblocks_8x8, coded.size == TransformSize::k8x8 ? 1U : 0U);
    EXPECT_EQ(coded.statistics.estimated_bits,
              static_cast<std::uint64_t>(std::min(bits[0], bits[1])));
    ++chosen[static_cast<int>(coded.size)];
  }
  EXPECT_GT(chosen[0], 0);
  EXPECT_GT(chosen[1], 0);
}

struct Pictures {
  static constexpr int kWidth = 96;
  static constexpr int kHeight = 64;
  std::vector<std::uint8_t> source = std::vector<std::uint8_t>(kWidth * kHeight);
  std::vector<std::uint8_t> prediction = std::vector<std::uint8_t>(kWidth * kHeight);

  // Makes smooth waves with noise, predicted from themselves moved by two samples.
  explicit Pictures(SeededRandom& random) {
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        source[kWidth * y + x] = sample(x, y, random);
        prediction[kWidth * y + x] = sample(x + 2, y, random);
      }
    }
  }
  static std::uint8_t sample(int x, int y, SeededRandom& random) {
    return static_cast<std::uint8_t>(128 + 60 * std::sin(0.2 * x) * std::cos(0.15 * y) +
                                     random.integer(-4, 4));
  }
  ConstPlane plane(const std::vector<std::uint8_t>& samples) const {
    return {samples.data(), kWidth, kWidth, kHeight};
  }
};

double round_trip_psnr(const Pictures& pictures, int qp) {
  const ConstPlane source = pictures.plane(pictures.source);
  const ConstPlane prediction = pictures.plane(pictures.prediction);
  std::vector<TransformSize> sizes(source.macroblock_count());
  std::vector<std::int16_t> coefficients(256 * sizes.size());
  const ResidualCoder coder(qp, DeadZone::kInter);
  CodingStatistics statistics;
  for (int row = 0; row < Pictures::kHeight / 16; ++row) {
    statistics += coder.code_row(source, prediction, row, sizes.data(), coefficients.data());
  }
  EXPECT_EQ(statistics.macroblocks, sizes.size());

  std::vector<std::uint8_t> output(pictures.source.size());
  const Plane plane{output.data(), source.stride, source.width, source.height};
  for (std::size_t m = 0; m < sizes.size(); ++m) {
    std::array<std::int16_t, 256> residual;
    reference_residual(
        sizes[m], std::span<const std::int16_t, 256>(coefficients.data() + 256 * m, 256), residual);
    reference_reconstruction(residual, prediction, plane, m);
  }
  double error = 0;
  for (std::size_t k = 0; k < output.size(); ++k) {
    error += std::pow(output[k] - pictures.source[k], 2);
  }
  return 10 * std::log10(255.0 * 255.0 * output.size() / error);
}

TEST(ResidualCoder, RoundTripGainsQualityAsQpFalls) {
  SeededRandom random;
  const Pictures pictures(random);
  double better = 1000;
  for (int qp = 0; qp <= 42; qp += 6) {
    const double psnr = round_trip_psnr(pictures, qp);
    EXPECT_LT(psnr, better) << "QP " << qp;
    better = psnr;
  }
  EXPECT_GT(round_trip_psnr(pictures, 0), 55);
  EXPECT_GT(round_trip_psnr(pictures, 28), 34);
}

TEST(ResidualCoder, OfAPerfectPredictionIsAllZero) {
  Coded coded = {};
  coded.code(ResidualCoder(0, DeadZone::kIntra));
  EXPECT_EQ(coded.statistics.zero_coefficients, 256U);
  EXPECT_EQ(std::count(std::begin(coded.coefficients), std::end(coded.coefficients), 0), 256);
}

TEST(ResidualCoder, RejectsQpOutOfRange) {
  for (const int qp : {-1, 52}) {
    EXPECT_THROW(ResidualCoder(qp, DeadZone::kIntra), Error);
  }
}

}  // namespace
}  // namespace millrace::idct
