// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/quadrature.h>
#include <millrace/docs/examples/quadrature_tasks.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>

#include <cmath>

namespace millrace::examples {
namespace {

// x^degree.
struct Power {
  int degree;
  double operator()(double x) const { return std::pow(x, degree); }
};

TEST(GaussKronrod, IsExactForPolynomialsOfDegree22) {
  for (int degree = 0; degree <= 22; ++degree) {
    const double exact = (std::pow(3.0, degree + 1) - std::pow(-1.0, degree + 1)) / (degree + 1);
    const Estimate estimate = gauss_kronrod(Power{degree}, -1, 3);
    EXPECT_NEAR(estimate.integral, exact, 1e-14 * exact) << "degree " << degree;
  }
}

TEST(GaussKronrod, TheGaussRuleInItIsExactForDegree13) {
  for (int degree = 0; degree <= 13; ++degree) {
    const Estimate estimate = gauss_kronrod(Power{degree}, 0, 1);
    EXPECT_LT(estimate.error, 1e-15) << "degree " << degree;
  }
  EXPECT_GT(gauss_kronrod(Power{14}, 0, 1).error, 1e-12);
}

using QuadratureTest = conformance::PolicyTest;

TEST_P(QuadratureTest, EveryIntegralIsWithinItsTolerance) {
  for (const double tolerance : {kMaxTolerance, 1e-6, kMinTolerance}) {
    const QuadratureResult result =
        integrate_all(*queue, {.tolerance = tolerance, .run = {.policy = policy}});
    EXPECT_EQ(result.report.policy, policy);
    ASSERT_EQ(result.integrals.size(), QuadratureTasks::kTypes);
    for (const Integral& integral : result.integrals) {
      EXPECT_LE(std::fabs(integral.value - integral.exact), integral.bound) << integral.name;
      EXPECT_EQ(integral.unresolved, 0u) << integral.name;
      EXPECT_LT(integral.bound, 10 * tolerance) << integral.name;
      EXPECT_TRUE(integral.correct()) << integral.name;
    }
  }
}

TEST_P(QuadratureTest, WorkGoesWhereTheIntegrandIsHard) {
  const auto run = RunOptions{.policy = policy};
  const auto coarse = integrate_all(*queue, {.tolerance = 1e-3, .run = run}).integrals;
  const auto fine = integrate_all(*queue, {.tolerance = 1e-9, .run = run}).integrals;
  for (std::size_t i = 0; i < coarse.size(); ++i) {
    EXPECT_LE(coarse[i].intervals, fine[i].intervals) << fine[i].name;
    EXPECT_EQ(fine[i].intervals % 2, 1u) << "a binary tree has an odd number of nodes";
  }
  EXPECT_GT(fine[1].intervals, 20 * fine[0].intervals);
}

TEST_P(QuadratureTest, RejectsATolerancePastTheRange) {
  for (const double tolerance : {0.0, -1.0, 1e-10, 2.0, std::nan("")}) {
    EXPECT_THROW(integrate_all(*queue, {.tolerance = tolerance}), Error) << tolerance;
  }
}

TEST(Integral, IsWrongWhenFarOffOrUnresolved) {
  EXPECT_TRUE((Integral{.value = 1.5, .exact = 1, .bound = 0.5}.correct()));
  EXPECT_FALSE((Integral{.value = 1.6, .exact = 1, .bound = 0.5}.correct()));
  EXPECT_FALSE((Integral{.value = std::nan(""), .exact = 1, .bound = 0.5}.correct()));
  EXPECT_FALSE((Integral{.value = 1, .exact = 1, .bound = 0.5, .unresolved = 1}.correct()));
}

INSTANTIATE_TEST_SUITE_P(Examples, QuadratureTest,
                         testing::Combine(testing::ValuesIn(conformance::device_names()),
                                          testing::ValuesIn(kConcretePolicies)),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::examples
