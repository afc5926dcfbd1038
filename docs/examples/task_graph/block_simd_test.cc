// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/task_graph/block_simd.h>
#include <millrace/tests/simd/simd_target.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace millrace::examples {
namespace {

constexpr double kTolerance = 1e-13;

// The element of a block or a panel.
double& at(std::vector<double>& panel, int row, int column) {
  return panel[static_cast<std::size_t>(column * kBlockSide + row)];
}

class BlockSimdTest : public OnSimdTarget {
 protected:
  std::vector<double> random_panel(int columns) {
    std::vector<double> panel(static_cast<std::size_t>(columns * kBlockSide));
    std::uniform_real_distribution<double> values(-1, 1);
    for (double& value : panel) value = values(random_);
    return panel;
  }

  std::mt19937_64 random_{1};
};

TEST_P(BlockSimdTest, SubtractsTheProductOfPanels) {
  for (const int depth : {1, 2, 7, 8, 64}) {
    auto a = random_panel(depth), b = random_panel(depth), c = random_panel(kBlockSide);
    auto expected = c;
    for (int row = 0; row < kBlockSide; ++row) {
      for (int column = 0; column < kBlockSide; ++column) {
        for (int k = 0; k < depth; ++k)
          at(expected, row, column) -= at(a, row, k) * at(b, column, k);
      }
    }
    subtract_block_product(c.data(), a.data(), b.data(), depth);
    for (std::size_t i = 0; i < c.size(); ++i) EXPECT_NEAR(c[i], expected[i], kTolerance) << depth;
  }
}

TEST_P(BlockSimdTest, SolvesForTheTransposedLowerTriangle) {
  auto l = random_panel(kBlockSide), x = random_panel(kBlockSide);
  for (int i = 0; i < kBlockSide; ++i) at(l, i, i) += 4;
  auto solution = x;
  solve_block(solution.data(), l.data());
  for (int row = 0; row < kBlockSide; ++row) {
    for (int column = 0; column < kBlockSide; ++column) {
      double product = 0;
      for (int k = 0; k <= column; ++k) product += at(solution, row, k) * at(l, column, k);
      EXPECT_NEAR(product, at(x, row, column), kTolerance);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, BlockSimdTest, simd_targets(), name_of_simd_target);

}  // namespace
}  // namespace millrace::examples
