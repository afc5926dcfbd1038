#include <millrace/algorithms/idct/idct_math.h>

#include <gtest/gtest.h>
#include <millrace/algorithms/idct/idct_reference.h>
#include <millrace/algorithms/idct/idct_test_input.h>

#include <array>
#include <span>
#include <vector>

namespace millrace::idct {
namespace {

TEST(InverseTransformMacroblock, EqualsTheReference) {
  SeededRandom random;
  const Macroblocks input = random_macroblocks(500, random);
  for (std::size_t m = 0; m < input.count(); ++m) {
    const std::int16_t* coefficients = input.coefficients.data() + 256 * m;
    std::array<std::int16_t, 256> expected;
    reference_residual(input.sizes[m], std::span<const std::int16_t, 256>(coefficients, 256),
                       expected);
    std::array<std::int16_t, 256> residual;
    inverse_transform_macroblock(input.sizes[m], coefficients, residual.data());
    ASSERT_EQ(residual, expected) << "macroblock " << m;
  }
}

TEST(ReconstructMacroblock, EqualsTheReference) {
  SeededRandom random;
  std::array<std::int16_t, 256> residual;
  std::vector<std::uint8_t> prediction(16 * 16);
  for (int k = 0; k < 256; ++k) {
    residual[k] = static_cast<std::int16_t>(k % 2 == 0 ? random(-32768, 32767) : random(-255, 255));
    prediction[k] = static_cast<std::uint8_t>(random(0, 255));
  }
  std::vector<std::uint8_t> expected(256);
  reference_reconstruction(residual, ConstPlane{prediction.data(), 16, 16, 16},
                           Plane{expected.data(), 16, 16, 16}, 0);
  std::vector<std::uint8_t> output(256);
  reconstruct_macroblock(residual.data(), prediction.data(), 16, output.data(), 16);
  EXPECT_EQ(output, expected);
}

TEST(InverseTransform, IsUsableInConstantExpressions) {
  constexpr int corner = [] {
    WrappedInt16 x[4] = {{64}, {0}, {0}, {0}};
    inverse_transform_1d(x);
    return x[3].value;
  }();
  static_assert(corner == 64);
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
