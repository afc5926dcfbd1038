// SPDX-License-Identifier: Apache-2.0

// Integrals of four very different integrands in one run of one queue.
#ifndef MILLRACE_DOCS_EXAMPLES_QUADRATURE_H_
#define MILLRACE_DOCS_EXAMPLES_QUADRATURE_H_

#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::examples {

struct QuadratureOptions {
  double tolerance = 1e-9;  // Absolute, for each integral; kMinTolerance to kMaxTolerance.
  RunOptions run = {};
};

// Not far below the first, the error estimates are rounding, which no halving makes smaller; not
// far above the second, no sample need fall near a peak.
inline constexpr double kMinTolerance = 1e-9;
inline constexpr double kMaxTolerance = 1e-3;

struct Integral {
  std::string name = {};
  double value = 0;
  double exact = 0;  // The antiderivative gives it.
  double bound = 0;  // Bound of the error: the tolerance, and rounding of a sum in any order.
  std::uint64_t intervals = 0;  // Evaluated.
  std::uint64_t unresolved = 0;

  // True if no interval was given up on and the error is within the bound.
  bool correct() const;
};

struct QuadratureResult {
  std::vector<Integral> integrals;
  RunReport report;
};

// Throws kInvalidArgument for a tolerance out of range, and what run_tasks throws.
QuadratureResult integrate_all(Queue& queue, const QuadratureOptions& options);

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_QUADRATURE_H_
