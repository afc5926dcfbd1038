// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/recursion/fibonacci.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>

namespace millrace::examples {
namespace {

TEST(FibonacciByAdditions, AreTheKnownNumbers) {
  EXPECT_EQ(fibonacci_by_additions(0), 0u);
  EXPECT_EQ(fibonacci_by_additions(1), 1u);
  EXPECT_EQ(fibonacci_by_additions(10), 55u);
  EXPECT_EQ(fibonacci_by_additions(kMaxFibonacci), 1'134'903'170u);
}

using FibonacciTest = conformance::PolicyTest;

TEST_P(FibonacciTest, GivesTheNumbersByAdditions) {
  const int most = static_cast<int>(scaled(24, 12));
  for (int n = 0; n <= most; ++n) {
    const auto result = compute_fibonacci(*queue, {.n = n, .run = {.policy = policy}});
    EXPECT_EQ(result.value, fibonacci_by_additions(n)) << n;
    EXPECT_EQ(result.report.policy, policy);
  }
}

TEST_P(FibonacciTest, EveryCallIsATaskAndEveryInnerOneWaitsForASum) {
  // 177 calls for the 10th number, of which 89 end the recursion.
  const auto result = compute_fibonacci(*queue, {.n = 10, .run = {.policy = policy}});
  EXPECT_EQ(result.report.tasks_by_type, (std::vector<std::uint64_t>{1, 177, 88, 1}));
}

TEST_P(FibonacciTest, RejectsOptionsOutOfRange) {
  EXPECT_THROW(compute_fibonacci(*queue, {.n = -1}), Error);
  EXPECT_THROW(compute_fibonacci(*queue, {.n = kMaxFibonacci + 1}), Error);
}

INSTANTIATE_TEST_SUITE_P(Examples, FibonacciTest,
                         testing::Combine(testing::ValuesIn(conformance::device_names()),
                                          testing::ValuesIn(kConcretePolicies)),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::examples
