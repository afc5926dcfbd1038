// SPDX-License-Identifier: Apache-2.0

// Operations that workloads declare, counted by hand from the standard's equations.
#include <millrace/tools/benchmarks/workloads/idct/idct_operations.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_operations.h>

#include <gtest/gtest.h>

#include <array>

namespace millrace::tools {
namespace {

using idct::TransformSize;

// Clause 8.5.12.2 has 8 sums and 2 shifts for each of 4 rows and 4 columns of a block.
TEST(DeclaredOperations, Of4x4TransformsAreThoseOfTheStandard) {
  EXPECT_EQ(idct_operations(TransformSize::k4x4), 16 * ((4 + 4) * (8 + 2) + 16 * 2));
}

// Clause 8.5.13 has 32 sums and 10 shifts for each of 8 rows and 8 columns of a block.
TEST(DeclaredOperations, Of8x8TransformsAreThoseOfTheStandard) {
  EXPECT_EQ(idct_operations(TransformSize::k8x8), 4 * ((8 + 8) * (32 + 10) + 64 * 2));
}

TEST(DeclaredOperations, OfAQueueAreThoseOfItsMacroblocks) {
  const std::array sizes = {TransformSize::k4x4, TransformSize::k8x8, TransformSize::k8x8};
  EXPECT_EQ(idct_operations(sizes),
            idct_operations(TransformSize::k4x4) + 2 * idct_operations(TransformSize::k8x8));
}

// A range of 8 has 16 x 16 positions.
TEST(DeclaredOperations, OfASearchAreThoseOfItsPositions) {
  const double whole = 16 * 16 * (256 * 3 + 25);
  EXPECT_EQ(motion_operations({.range = 8, .precision = motion::Precision::kInteger}), whole);
  const double fine = 9 * 7 * 16 * 114;
  EXPECT_EQ(motion_operations({.range = 8, .precision = motion::Precision::kHalf}), whole + fine);
  EXPECT_EQ(motion_operations({.range = 8, .precision = motion::Precision::kQuarter}),
            whole + 2 * fine);
}

}  // namespace
}  // namespace millrace::tools
