// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/task_graph/cholesky.h>
#include <millrace/docs/examples/task_graph/shared_cholesky.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/groups.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace millrace::examples {
namespace {

class SharedCholeskyTest : public conformance::GroupTest {
 protected:
  int most() const { return has_simulated() ? 60 : 500; }
};

TEST_P(SharedCholeskyTest, GivesTheFactorOfOneDevice) {
  for (const Policy policy : {Policy::kPersistentThreads, Policy::kUberkernel}) {
    for (const int size : {1, 8, 9, 40, most()}) {
      const TiledMatrix matrix = random_positive_definite(size, 8, 3);
      const TiledMatrix factor = factor_cholesky(group, matrix, policy).factor;
      EXPECT_LE(cholesky_residual(matrix, factor), cholesky_residual_bound(matrix))
          << size << " rows, " << to_string(policy);
    }
  }
}

TEST_P(SharedCholeskyTest, EachStepOfEachTileIsATaskOfOneDevice) {
  const TiledMatrix matrix = random_positive_definite(40, 8, 5);  // 5 rows of tiles.
  const SharedRunReport report = factor_cholesky(group, matrix).report;
  const auto& tasks = report.run.tasks_by_type;
  ASSERT_EQ(tasks.size(), 5u);
  EXPECT_EQ(std::vector<std::uint64_t>(tasks.begin(), tasks.begin() + 4),
            (std::vector<std::uint64_t>{5, 10, 10, 10}));
  // Column c has 4 - c tiles below the diagonal, for each device that has another on its right.
  std::uint64_t copies = 0;
  for (std::size_t column = 0; column < 5; ++column) {
    for (std::size_t device = 0; device < group.size(); ++device) {
      bool is_used = false;
      for (std::size_t other = column + 1; other < 5; ++other) {
        is_used = is_used || other % group.size() == device;
      }
      if (is_used && column % group.size() != device) copies += 4 - column;
    }
  }
  EXPECT_EQ(tasks[4], copies);
}

TEST_P(SharedCholeskyTest, NamesTheMinorThatIsNotPositive) {
  for (const int column : {0, 21, 39}) {
    TiledMatrix matrix = random_positive_definite(40, 8, 8);
    matrix.at(column, column) = -1;
    try {
      factor_cholesky(group, matrix);
      ADD_FAILURE() << "column " << column << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kTaskFailed) << error.what();
      EXPECT_EQ(error.detail(), column + 1);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Groups, SharedCholeskyTest, testing::ValuesIn(conformance::group_names()),
                         conformance::name_of_group);

}  // namespace
}  // namespace millrace::examples
