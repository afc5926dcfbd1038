// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/task_graph/cholesky.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>

#include <cmath>
#include <random>
#include <vector>

namespace millrace::examples {
namespace {

// The factor by its definition, column by column.
TiledMatrix factor_directly(const TiledMatrix& matrix) {
  TiledMatrix factor(matrix.size(), matrix.tile());
  const auto size = static_cast<std::size_t>(matrix.size());
  for (std::size_t column = 0; column < size; ++column) {
    for (std::size_t row = column; row < size; ++row) {
      double sum = matrix.at(row, column);
      for (std::size_t k = 0; k < column; ++k) sum -= factor.at(row, k) * factor.at(column, k);
      factor.at(row, column) = row == column ? std::sqrt(sum) : sum / factor.at(column, column);
    }
  }
  return factor;
}

TEST(TiledMatrix, HoldsEachElementOfTheTriangle) {
  TiledMatrix matrix(37, 16);
  EXPECT_EQ(matrix.tile_rows(), 3u);
  EXPECT_EQ(matrix.elements().size(), 6u * 16 * 16);
  EXPECT_EQ(matrix.at(36, 36), 1);
  for (int row = 0; row < 37; ++row) {
    for (int column = 0; column <= row; ++column) matrix.at(row, column) = 100 * row + column;
  }
  for (int row = 0; row < 37; ++row) {
    for (int column = 0; column <= row; ++column) {
      EXPECT_EQ(matrix.at(row, column), 100 * row + column);
    }
  }
}

TEST(TiledMatrix, RejectsSizesAndTilesOutOfRange) {
  for (const auto& [size, tile] :
       {std::pair(0, 8), std::pair(kMaxCholeskySize + 1, 256), std::pair(8, 0), std::pair(8, -8),
        std::pair(8, 12), std::pair(8, kMaxCholeskyTile + 8), std::pair(kMaxCholeskySize, 64)}) {
    EXPECT_THROW(TiledMatrix(size, tile), Error) << size << ", " << tile;
  }
}

TEST(RandomPositiveDefinite, IsDominatedByItsDiagonalAndFollowsFromTheSeed) {
  const TiledMatrix matrix = random_positive_definite(50, 16, 3);
  for (int row = 0; row < 50; ++row) {
    double others = 0;
    for (int column = 0; column < 50; ++column) {
      if (column != row)
        others += std::abs(matrix.at(std::max(row, column), std::min(row, column)));
    }
    EXPECT_GT(matrix.at(row, row), others);
  }
  // Whatever the tile.
  EXPECT_EQ(random_positive_definite(50, 8, 3).at(40, 7), matrix.at(40, 7));
  EXPECT_NE(random_positive_definite(50, 16, 4).at(40, 7), matrix.at(40, 7));
}

TEST(CholeskyResidual, IsSmallForTheFactorAndLargeForOthers) {
  const TiledMatrix matrix = random_positive_definite(60, 16, 1);
  TiledMatrix factor = factor_directly(matrix);
  const double bound = cholesky_residual_bound(matrix);
  EXPECT_LT(cholesky_residual(matrix, factor), bound);
  EXPECT_GT(cholesky_residual(matrix, factor), 0);
  factor.at(59, 0) *= 1 + 1e-9;
  EXPECT_GT(cholesky_residual(matrix, factor), bound);
}

TEST(CholeskyResidual, IsThatComputedByHand) {
  // 4 = 2^2, but L is 1: |A - L L^T| is 3, |A| is 4.
  TiledMatrix matrix(1, 8);
  matrix.at(0, 0) = 4;
  const TiledMatrix identity(1, 8);
  EXPECT_DOUBLE_EQ(cholesky_residual(matrix, identity) * 0x1p-52, 0.75);
  EXPECT_DOUBLE_EQ(cholesky_residual_bound(matrix), 3);
}

class CholeskyTest : public conformance::PolicyTest {
 protected:
  void expect_factor(const TiledMatrix& matrix) {
    const CholeskyResult result = factor_cholesky(*queue, matrix, {.policy = policy});
    EXPECT_LE(cholesky_residual(matrix, result.factor), cholesky_residual_bound(matrix))
        << matrix.size() << " rows, tile " << matrix.tile();
    EXPECT_EQ(result.report.policy, policy);
  }
};

TEST_P(CholeskyTest, MatricesOfAnySizeInTilesOfAnySize) {
  const int most = static_cast<int>(scaled(700, 60));
  for (const int tile : {8, 16, 24, 40}) {
    for (const int size : {1, 7, 8, 9, tile, tile + 1, 3 * tile, most}) {
      expect_factor(random_positive_definite(size, tile, static_cast<std::uint64_t>(size)));
    }
  }
  const int large = static_cast<int>(scaled(256, 64));
  expect_factor(random_positive_definite(3 * large / 2, large, 2));
}

TEST_P(CholeskyTest, GivesTheFactorByItsDefinition) {
  const auto size = static_cast<int>(scaled(150, 50));
  const TiledMatrix matrix = random_positive_definite(size, 16, 9);
  const TiledMatrix expected = factor_directly(matrix);
  const CholeskyResult result = factor_cholesky(*queue, matrix, {.policy = policy});
  for (int row = 0; row < size; ++row) {
    for (int column = 0; column <= row; ++column) {
      EXPECT_NEAR(result.factor.at(row, column), expected.at(row, column), 1e-12);
    }
  }
}

TEST_P(CholeskyTest, EachStepOfEachTileIsATask) {
  const TiledMatrix matrix = random_positive_definite(40, 8, 5);  // 5 rows of tiles.
  const RunReport report = factor_cholesky(*queue, matrix, {.policy = policy}).report;
  EXPECT_EQ(report.tasks_by_type, (std::vector<std::uint64_t>{5, 10, 10, 10}));
}

TEST_P(CholeskyTest, AGraphRunsAgain) {
  const TiledMatrix first = random_positive_definite(50, 16, 6);
  const TiledMatrix second = random_positive_definite(50, 16, 7);
  CholeskyGraph graph(*queue, first);
  for (const TiledMatrix& matrix : {first, second}) {
    graph.load(matrix);
    graph.run({.policy = policy});
    EXPECT_LE(cholesky_residual(matrix, graph.factor()), cholesky_residual_bound(matrix));
  }
}

TEST_P(CholeskyTest, NamesTheMinorThatIsNotPositive) {
  for (const int column : {0, 21, 39}) {
    TiledMatrix matrix = random_positive_definite(40, 16, 8);
    matrix.at(column, column) = -1;
    try {
      factor_cholesky(*queue, matrix, {.policy = policy});
      ADD_FAILURE() << "column " << column << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kTaskFailed);
      EXPECT_EQ(error.detail(), column + 1);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, CholeskyTest,
                         testing::Combine(testing::ValuesIn(conformance::device_names()),
                                          testing::ValuesIn(kConcretePolicies)),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::examples
