#include <millrace/runtime/policy_fit.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include <millrace/runtime/error.h>

namespace millrace {
namespace {

// Terms by the run's seconds, so that costs make 1.
std::vector<CostVector> relative_terms(const std::vector<MeasuredRun>& runs, Policy policy,
                                       double workers) {
  std::vector<CostVector> rows;
  for (const MeasuredRun& run : runs) {
    if (run.policy != policy) continue;
    if (!(run.seconds > 0)) {
      throw Error(ErrorCode::kInvalidArgument, "a measured run has no time");
    }
    CostVector& row = rows.emplace_back(cost_terms(policy, run.work, workers));
    for (double& term : row) term /= run.seconds;
  }
  if (rows.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                std::string("no measured run is of policy ") + to_string(policy));
  }
  return rows;
}

double product(const CostVector& row, const CostVector& costs) {
  double sum = 0;
  for (std::size_t i = 0; i < costs.size(); ++i) sum += row[i] * costs[i];
  return sum;
}

CostVector least_squares(const std::vector<CostVector>& rows) {
  constexpr int kMostRounds = 20'000;
  constexpr double kEnough = 1e-9;  // Of 1, in one round.
  CostVector squares{};
  for (const CostVector& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) squares[i] += row[i] * row[i];
  }
  CostVector costs{};
  std::vector<double> errors(rows.size(), 1.0);  // What is left of 1.
  for (int round = 0; round < kMostRounds; ++round) {
    double largest_step = 0;
    for (std::size_t i = 0; i < costs.size(); ++i) {
      if (squares[i] == 0) continue;
      double along = 0;
      for (std::size_t row = 0; row < rows.size(); ++row) along += rows[row][i] * errors[row];
      const double next = std::max(costs[i] + along / squares[i], 0.0);
      const double step = next - costs[i];
      costs[i] = next;
      for (std::size_t row = 0; row < rows.size(); ++row) errors[row] -= step * rows[row][i];
      largest_step = std::max(largest_step, std::abs(step) * std::sqrt(squares[i]));
    }
    if (largest_step < kEnough) break;
  }
  return costs;
}

// So that features can be in seconds. Returns what a unit of work was.
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
    fitted.of(policy) = least_squares(rows);
    for (const CostVector& row : rows) errors += std::abs(1 - product(row, fitted.of(policy)));
  }
  fitted.residual = errors / static_cast<double>(runs.size());
  const double unit = scale_work(fitted);
  return {std::move(fitted), unit};
}

}  // namespace millrace
