// SPDX-License-Identifier: Apache-2.0

// Adaptive quadrature as tasks: an interval whose error estimate is too large spawns its halves.
#ifndef MILLRACE_DOCS_EXAMPLES_QUADRATURE_TASKS_H_
#define MILLRACE_DOCS_EXAMPLES_QUADRATURE_TASKS_H_

#include <millrace/runtime/tasks/task_set.h>

#include <cmath>
#include <cstdint>

namespace millrace::examples {

struct Estimate {
  double integral;
  double error;
};

// The 15-point Kronrod rule over begin..end, and how far the 7-point Gauss rule inside it is off
// (A. S. Kronrod, Nodes and Weights of Quadrature Formulas, 1965).
template <class Integrand>
MILLRACE_FUNCTION Estimate gauss_kronrod(const Integrand& integrand, double begin, double end) {
  // Positive nodes from the outside in; every second one is a Gauss node, and so is the middle.
  constexpr double kNodes[7] = {
      0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
      0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
      0.586087235467691130294144691258407, 0.405845151377397166906606412076961,
      0.207784955007898467600689403773245};
  constexpr double kKronrodWeights[8] = {
      0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
      0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
      0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
      0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
  constexpr double kGaussWeights[4] = {
      0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
      0.381830050505118944950369775488975, 0.417959183673469387755102040816327};

  const double half = (end - begin) / 2;
  const double middle = begin + half;
  const double in_the_middle = integrand(middle);
  double kronrod = kKronrodWeights[7] * in_the_middle;
  double gauss = kGaussWeights[3] * in_the_middle;
  for (int i = 0; i < 7; ++i) {
    const double pair = integrand(middle - half * kNodes[i]) + integrand(middle + half * kNodes[i]);
    kronrod += kKronrodWeights[i] * pair;
    if (i % 2 == 1) gauss += kGaussWeights[i / 2] * pair;
  }
  return {half * kronrod, half * std::fabs(kronrod - gauss)};
}

// The sums that the integral of one integrand is gathered in.
struct QuadratureSums {
  double integral;
  double magnitude;          // The sum of the terms' absolute values, which bounds rounding.
  std::uint64_t unresolved;  // Intervals given up on; 0 when the result can be trusted.
};

// Adds the integral over begin..end to the sums, to within `tolerance`.
template <class Integrand>
struct QuadratureInterval {
  QuadratureSums* sums;
  double begin;
  double end;
  double tolerance;
  int depth;

  static constexpr int kMaxDepth = 48;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const Estimate estimate = gauss_kronrod(Integrand{}, begin, end);
    const bool resolved = estimate.error <= tolerance;
    if (!resolved && depth < kMaxDepth) {
      const double middle = begin + (end - begin) / 2;
      context.spawn(QuadratureInterval{sums, begin, middle, tolerance / 2, depth + 1});
      context.spawn(QuadratureInterval{sums, middle, end, tolerance / 2, depth + 1});
      return;
    }
    context.add(&sums->integral, estimate.integral);
    context.add(&sums->magnitude, std::fabs(estimate.integral));
    if (!resolved) context.add(&sums->unresolved, std::uint64_t{1});
  }
};

// Smooth and easy: its tree of intervals is shallow.
struct Runge {
  static constexpr double kBegin = -1;
  static constexpr double kEnd = 1;
  MILLRACE_FUNCTION double operator()(double x) const { return 1 / (1 + 25 * x * x); }
};

// Oscillates faster and faster: the right end is hundreds of times the work of the left.
struct Chirp {
  static constexpr double kBegin = 0;
  static constexpr double kEnd = 6;
  MILLRACE_FUNCTION double operator()(double x) const {
    return std::exp(x) * std::cos(std::exp(x));
  }
};

// A pole at distance kWidth from the real axis: deep narrow subdivision around 0.
struct NearPole {
  static constexpr double kBegin = -0.3;
  static constexpr double kEnd = 0.7;
  static constexpr double kWidth = 1e-5;
  MILLRACE_FUNCTION double operator()(double x) const { return kWidth / (x * x + kWidth * kWidth); }
};

// Nearly infinite at its left end: one long path of halves.
struct NearRoot {
  static constexpr double kBegin = 0;
  static constexpr double kEnd = 1;
  static constexpr double kOffset = 1e-8;
  MILLRACE_FUNCTION double operator()(double x) const { return 1 / std::sqrt(x + kOffset); }
};

// One type for each integrand, so that integrals of all of them share a queue.
using QuadratureTasks = TaskSet<QuadratureInterval<Runge>, QuadratureInterval<Chirp>,
                                QuadratureInterval<NearPole>, QuadratureInterval<NearRoot>>;

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_QUADRATURE_TASKS_H_
