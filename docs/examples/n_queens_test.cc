// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/n_queens.h>
#include <millrace/docs/examples/n_queens_tasks.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>

#include <cstdlib>
#include <vector>

namespace millrace::examples {
namespace {

// The definition: a queen on each row, each in turn on every column no other attacks.
std::uint64_t count_by_definition(int size, std::vector<int>& columns) {
  const int row = static_cast<int>(columns.size());
  if (row == size) return 1;
  std::uint64_t solutions = 0;
  for (int column = 0; column < size; ++column) {
    bool attacked = false;
    for (int other = 0; other < row; ++other) {
      const int distance = std::abs(columns[other] - column);
      attacked = attacked || distance == 0 || distance == row - other;
    }
    if (attacked) continue;
    columns.push_back(column);
    solutions += count_by_definition(size, columns);
    columns.pop_back();
  }
  return solutions;
}

TEST(KnownNQueens, AreWhatTheDefinitionGives) {
  for (int queens = 1; queens <= 9; ++queens) {
    std::vector<int> columns;
    EXPECT_EQ(known_n_queens(queens), count_by_definition(queens, columns)) << queens;
  }
}

using NQueensTest = conformance::PolicyTest;

TEST_P(NQueensTest, FindsTheKnownNumbers) {
  const int most = static_cast<int>(scaled(13, 9));
  for (int queens = 1; queens <= most; ++queens) {
    const auto result = count_n_queens(*queue, {.queens = queens, .run = {.policy = policy}});
    EXPECT_EQ(result.solutions, known_n_queens(queens)) << queens;
    EXPECT_EQ(result.report.policy, policy);
  }
}

TEST_P(NQueensTest, TheCutOffDoesNotMatter) {
  for (int cut_off = 0; cut_off <= 10; ++cut_off) {
    const auto result =
        count_n_queens(*queue, {.queens = 9, .cut_off = cut_off, .run = {.policy = policy}});
    EXPECT_EQ(result.solutions, 352u) << cut_off;
  }
}

TEST_P(NQueensTest, TheTasksAreThePlacementsDownToTheCutOff) {
  // Two rows of 8: 8 ways to place one queen, 42 to place two.
  const auto result =
      count_n_queens(*queue, {.queens = 8, .cut_off = 2, .run = {.policy = policy}});
  EXPECT_EQ(result.report.tasks_by_type, (std::vector<std::uint64_t>{1 + 8, 42}));
}

TEST_P(NQueensTest, RejectsOptionsOutOfRange) {
  EXPECT_THROW(count_n_queens(*queue, {.queens = 0}), Error);
  EXPECT_THROW(count_n_queens(*queue, {.queens = kMaxQueens + 1}), Error);
  EXPECT_THROW(count_n_queens(*queue, {.cut_off = -1}), Error);
}

INSTANTIATE_TEST_SUITE_P(Examples, NQueensTest,
                         testing::Combine(testing::ValuesIn(conformance::device_names()),
                                          testing::ValuesIn(kConcretePolicies)),
                         [](const auto& info) { return conformance::name_of(info); });

using LargeBoardTest = conformance::ConformanceTest;

TEST_P(LargeBoardTest, FindsTheKnownNumbers) {
  for (const std::size_t size : {scaled(14, 10), scaled(15, 11)}) {
    const int queens = static_cast<int>(size);
    EXPECT_EQ(count_n_queens(*queue, {.queens = queens}).solutions, known_n_queens(queens));
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, LargeBoardTest, testing::ValuesIn(conformance::device_names()),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::examples
