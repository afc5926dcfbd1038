// SPDX-License-Identifier: Apache-2.0

// Cases of every outcome, for run_tests_test.sh.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace {

TEST(SampleTest, Passes) { std::printf("a line without an end"); }

TEST(SampleTest, Fails) { EXPECT_EQ(1 + 1, 3); }

TEST(SampleTest, IsSkipped) { GTEST_SKIP() << "SKIPPED: as it should be"; }

TEST(SampleTest, Aborts) { std::abort(); }

TEST(SampleTest, NeverEnds) {
  for (;;) pause();
}

TEST(SampleTest, FindsTheCommand) { EXPECT_EQ(access("tools/millrace", F_OK), 0); }

class ParameterTest : public testing::TestWithParam<int> {};

TEST_P(ParameterTest, IsOdd) { EXPECT_EQ(GetParam() % 2, 1); }

INSTANTIATE_TEST_SUITE_P(Numbers, ParameterTest, testing::Values(1, 2, 3));

}  // namespace
