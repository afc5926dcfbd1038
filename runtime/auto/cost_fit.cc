// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/auto/cost_fit.h>
#include <millrace/runtime/core/check.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace millrace {
namespace {

// Returns the terms of each run of the policy divided by its seconds, so that terms times costs is
// 1 for an exact fit.
std::vector<CostVector> relative_terms(const std::vector<MeasuredRun>& runs, Policy policy,
                                       double workers) {
  std::vector<CostVector> rows;
  for (const MeasuredRun& run : runs) {
    if (run.policy != policy) continue;
    if (!(run.seconds > 0)) {
      reject("a measured run has " + std::to_string(run.seconds) +
             " seconds; the time must be positive");
    }
    CostVector& row = rows.emplace_back(cost_terms(policy, run.work, workers));
    for (double& term : row) term /= run.seconds;
  }
  if (rows.empty()) {
    reject(std::string("no run was measured under the policy ") + to_string(policy) +
           "; each policy needs one");
  }
  return rows;
}

double product(const CostVector& row, const CostVector& costs) {
  double sum = 0;
  for (std::size_t i = 0; i < costs.size(); ++i) sum += row[i] * costs[i];
  return sum;
}

// The normal equations of the least-squares problem, whose columns are scaled to a length of 1.
struct NormalEquations {
  std::array<CostVector, kCostTerms> products{};  // Scalar products of columns.
  CostVector sums{};                              // Scalar products of columns with ones.
  CostVector scales{};                            // Scale of each column; 0 for a column of zeros.
};

NormalEquations normal_equations(const std::vector<CostVector>& rows,
                                 const std::vector<double>& weights) {
  NormalEquations equations;
  CostVector& scales = equations.scales;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t i = 0; i < scales.size(); ++i) {
      scales[i] += weights[row] * rows[row][i] * rows[row][i];
    }
  }
  for (double& scale : scales) scale = scale > 0 ? 1 / std::sqrt(scale) : 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t i = 0; i < scales.size(); ++i) {
      const double first = weights[row] * scales[i] * rows[row][i];
      equations.sums[i] += first;
      for (std::size_t j = 0; j < scales.size(); ++j) {
        equations.products[i][j] += first * scales[j] * rows[row][j];
      }
    }
  }
  return equations;
}

// Returns the costs with the smallest sum of squares if all terms but those in `used` are 0, by
// Gauss-Jordan elimination.
CostVector solve(const NormalEquations& equations, const std::vector<std::size_t>& used) {
  constexpr double kDependent = 1e-12;  // Pivot of a column that depends on others.
  auto matrix = equations.products;
  CostVector right = equations.sums;
  for (const std::size_t pivot : used) {
    const double diagonal = matrix[pivot][pivot];
    if (diagonal < kDependent) continue;
    for (const std::size_t row : used) {
      if (row == pivot) continue;
      const double factor = matrix[row][pivot] / diagonal;
      for (const std::size_t column : used) matrix[row][column] -= factor * matrix[pivot][column];
      right[row] -= factor * right[pivot];
    }
  }
  CostVector costs{};
  for (const std::size_t i : used)
    costs[i] = matrix[i][i] < kDependent ? 0 : right[i] / matrix[i][i];
  return costs;
}

// Moves `costs` towards `wanted` as far as no cost becomes negative, and removes the terms that
// reach 0 from `used`.
void move_within_bounds(CostVector& costs, const CostVector& wanted,
                        std::vector<std::size_t>& used) {
  double fraction = 1;
  for (const std::size_t i : used) {
    if (wanted[i] <= 0) fraction = std::min(fraction, costs[i] / (costs[i] - wanted[i]));
  }
  for (const std::size_t i : used) costs[i] += fraction * (wanted[i] - costs[i]);
  std::erase_if(used, [&](std::size_t i) { return wanted[i] <= 0 && costs[i] <= 1e-15; });
}

// Returns the non-negative least-squares solution (Lawson and Hanson, "Solving Least Squares
// Problems", chapter 23).
CostVector least_squares(const std::vector<CostVector>& rows, const std::vector<double>& weights) {
  constexpr double kGain = 1e-10;
  constexpr int kMostSteps = 100;
  const NormalEquations equations = normal_equations(rows, weights);
  CostVector costs{};
  std::vector<std::size_t> used;
  for (int step = 0; step < kMostSteps; ++step) {
    std::size_t best = kCostTerms;
    double most = kGain;
    for (std::size_t i = 0; i < kCostTerms; ++i) {
      if (equations.scales[i] == 0 || std::ranges::count(used, i) > 0) continue;
      const double gain = equations.sums[i] - product(equations.products[i], costs);
      if (gain > most) std::tie(most, best) = std::pair(gain, i);
    }
    if (best == kCostTerms) break;
    used.push_back(best);
    CostVector wanted = solve(equations, used);
    while (std::ranges::any_of(used, [&](std::size_t i) { return wanted[i] <= 0; })) {
      move_within_bounds(costs, wanted, used);
      wanted = solve(equations, used);
    }
    costs = wanted;
  }
  for (std::size_t i = 0; i < kCostTerms; ++i) costs[i] *= equations.scales[i];
  return costs;
}

// Returns Huber's weights, which reduce the influence of rows with unusually large errors, because
// other work on the machine may have disturbed some runs.
std::vector<double> robust_weights(const std::vector<CostVector>& rows, const CostVector& costs) {
  constexpr double kUsual = 1.5;  // Multiple of the median error.
  constexpr double kNone = 1e-3;
  std::vector<double> errors;
  for (const CostVector& row : rows) errors.push_back(std::abs(1 - product(row, costs)));
  std::vector<double> sorted = errors;
  std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2));
  const double usual = std::max(kUsual * sorted[sorted.size() / 2], kNone);
  for (double& error : errors) error = error > usual ? usual / error : 1;
  return errors;
}

CostVector robust_fit(const std::vector<CostVector>& rows) {
  constexpr int kRefits = 10;
  CostVector costs = least_squares(rows, std::vector<double>(rows.size(), 1.0));
  for (int i = 0; i < kRefits; ++i) costs = least_squares(rows, robust_weights(rows, costs));
  return costs;
}

// Scales the costs of work so that features count work in seconds. Returns the seconds of a unit.
double scale_work(DeviceCosts& costs) {
  const double unit = costs.of(Policy::kUberkernel)[kCostOfWork];
  for (CostVector& own : costs.policies) {
    own[kCostOfWork] = unit > 0 ? own[kCostOfWork] / unit : 1;
  }
  return unit;
}

}  // namespace

CostFit fit_costs(const std::vector<MeasuredRun>& runs, const DeviceCosts& costs) {
  DeviceCosts fitted = costs;
  double errors = 0;
  for (const Policy policy : kConcretePolicies) {
    const auto rows = relative_terms(runs, policy, costs.workers);
    fitted.of(policy) = robust_fit(rows);
    for (const CostVector& row : rows) errors += std::abs(1 - product(row, fitted.of(policy)));
  }
  fitted.residual = errors / static_cast<double>(runs.size());
  const double unit = scale_work(fitted);
  return {std::move(fitted), unit};
}

}  // namespace millrace
