// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/idct_math.h>
#include <millrace/algorithms/idct/idct_reference.h>
#include <millrace/algorithms/idct/random_macroblocks.h>

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <vector>

namespace millrace::idct {
namespace {

using Samples = std::array<std::int16_t, 256>;

template <int n>
Samples residual_of(const std::int16_t* coefficients, int lanes) {
  Samples residual = {};
  for (int lane = 0; lane < lanes; ++lane) {
    inverse_transform_macroblock<n>(
        coefficients, lane, lanes,
        [&residual](int y, int x, std::int16_t sample) { residual[16 * y + x] = sample; });
  }
  return residual;
}

TEST(InverseTransformMacroblock, EqualsTheReferenceForAnyNumberOfLanes) {
  SeededRandom random;
  const Macroblocks input = random_macroblocks(300, random);
  for (std::size_t m = 0; m < input.count(); ++m) {
    const std::int16_t* coefficients = input.coefficients.data() + 256 * m;
    Samples expected;
    reference_residual(input.sizes[m], std::span<const std::int16_t, 256>(coefficients, 256),
                       expected);
    for (const int lanes : {1, 3, 4, 32}) {
      ASSERT_EQ(input.sizes[m] == TransformSize::k4x4 ? residual_of<4>(coefficients, lanes)
                                                      : residual_of<8>(coefficients, lanes),
                expected)
          << "macroblock " << m << ", " << lanes << " lanes";
    }
  }
}

TEST(ReconstructSample, EqualsTheReference) {
  SeededRandom random;
  Samples residual;
  std::vector<std::uint8_t> prediction(256);
  for (int k = 0; k < 256; ++k) {
    residual[k] = static_cast<std::int16_t>(k % 2 == 0 ? random.integer(-32768, 32767)
                                                       : random.integer(-255, 255));
    prediction[k] = static_cast<std::uint8_t>(random.integer(0, 255));
  }
  std::vector<std::uint8_t> expected(256);
  reference_reconstruction(residual, ConstPlane{prediction.data(), 16, 16, 16},
                           Plane{expected.data(), 16, 16, 16}, 0);
  for (int k = 0; k < 256; ++k) {
    EXPECT_EQ(reconstruct_sample(prediction[k], residual[k]), expected[k]);
  }
}

TEST(InverseTransform, IsUsableInConstantExpressions) {
  constexpr int kCorner = [] {
    WrappedInt16 x[4] = {{64}, {0}, {0}, {0}};
    inverse_transform_1d(x);
    return x[3].value;
  }();
  static_assert(kCorner == 64);
}

TEST(CoefficientIndex, CoversTheMacroblockOnce) {
  for (const TransformSize size : {TransformSize::k4x4, TransformSize::k8x8}) {
    const int n = block_width(size);
    std::array<int, 256> uses = {};
    for (int by = 0; by < 16 / n; ++by) {
      for (int bx = 0; bx < 16 / n; ++bx) {
        for (int i = 0; i < n; ++i) {
          for (int j = 0; j < n; ++j) {
            ++uses[coefficient_index(size, bx, by, i, j)];
          }
        }
      }
    }
    for (const int count : uses) {
      EXPECT_EQ(count, 1);
    }
  }
}

}  // namespace
}  // namespace millrace::idct
