// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/benchmarks/harness/statistics.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace millrace::tools {
namespace {

void require_samples(const std::vector<double>& samples) {
  if (samples.empty()) {
    reject("there are no samples; give one or more");
  }
}

// Quantile `p` of samples in ascending order.
double quantile_of_sorted(const std::vector<double>& sorted, double p) {
  const double position = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

// Returns the probability that exactly `heads` of `count` fair coins show heads.
double coin_probability(std::size_t count, std::size_t heads) {
  const auto n = static_cast<double>(count);
  const auto k = static_cast<double>(heads);
  return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) -
                  n * std::log(2.0));
}

}  // namespace

double quantile(std::vector<double> samples, double p) {
  require_samples(samples);
  if (!(p >= 0 && p <= 1)) {
    reject("p is " + std::to_string(p) + "; it is 0 to 1");
  }
  std::ranges::sort(samples);
  return quantile_of_sorted(samples, p);
}

double median(std::vector<double> samples) { return quantile(std::move(samples), 0.5); }

double MedianInterval::relative_width() const { return high == low ? 0 : (high - low) / median; }

MedianInterval median_interval(std::vector<double> samples, double coverage) {
  require_samples(samples);
  std::ranges::sort(samples);
  const std::size_t count = samples.size();
  // The median is outside of the k-th samples where fewer than k are on one side of it.
  std::size_t k = 1;
  double outside = 2 * coin_probability(count, 0);
  while (2 * (k + 1) <= count + 1) {
    const double more = outside + 2 * coin_probability(count, k);
    if (more > 1 - coverage) break;
    outside = more;
    ++k;
  }
  return {.median = quantile_of_sorted(samples, 0.5),
          .low = samples[k - 1],
          .high = samples[count - k],
          .coverage = std::max(0.0, 1 - outside)};
}

}  // namespace millrace::tools
