// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/axis.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace millrace::tools {
namespace {

constexpr double kRounding = 1e-9;  // Tolerance for rounding errors of powers and logarithms.
constexpr int kMostTicks = 8;

// The bounds of an axis' ends. Quotients of numbers between them are finite, too.
constexpr double kLeast = 1e-100;
constexpr double kMost = 1e100;

// Clamps `value` to the bounds. Returns 1 if it is not a positive number.
double within_bounds(double value) { return value > 0 ? std::clamp(value, kLeast, kMost) : 1; }

double power_of_ten(int exponent) { return std::pow(10, exponent); }

// Returns the closest number that an axis may end at: the first not below `value` if `is_upward`,
// else the last not above it.
double round_number(double value, bool is_upward) {
  const int exponent = static_cast<int>(std::floor(std::log10(value) + kRounding));
  double last = power_of_ten(exponent);
  for (const double step : {1.0, 2.0, 5.0, 10.0}) {
    const double candidate = step * power_of_ten(exponent);
    if (is_upward && candidate >= value * (1 - kRounding)) return candidate;
    if (candidate <= value * (1 + kRounding)) last = candidate;
  }
  return last;
}

// Returns 1 to 9 times powers of ten on an axis of up to 2.2 powers, else whole powers, of which
// every second or third where they are many.
std::vector<double> logarithmic_ticks(double low, double high) {
  const double decades = std::log10(high / low);
  std::vector<double> steps = {1};
  if (decades <= 2.2) steps = {1, 2, 5};
  if (decades <= 0.7) steps = {1, 1.5, 2, 3, 4, 5, 6, 7, 8};
  const int stride = static_cast<int>(std::ceil((decades + kRounding) / kMostTicks));
  std::vector<double> ticks;
  for (int exponent = static_cast<int>(std::floor(std::log10(low) + kRounding));
       power_of_ten(exponent) <= high * (1 + kRounding); ++exponent) {
    if (exponent % stride != 0) continue;
    for (const double step : steps) {
      const double tick = step * power_of_ten(exponent);
      if (tick >= low * (1 - kRounding) && tick <= high * (1 + kRounding)) ticks.push_back(tick);
    }
  }
  return ticks;
}

// Five to ten steps: 1, 2 or 5 times a power of ten.
double linear_step(double most) {
  const double power = std::pow(10, std::floor(std::log10(most) + kRounding));
  return most < 2 * power ? power / 5 : most < 5 * power ? power / 2 : power;
}

}  // namespace

Axis::Axis(bool is_logarithmic, double low, double high, double low_end, double high_end)
    : is_logarithmic_(is_logarithmic),
      low_(low),
      high_(high),
      low_end_(low_end),
      high_end_(high_end) {}

Axis Axis::linear(double most, double low_end, double high_end) {
  most = within_bounds(most);
  const double step = linear_step(most);
  Axis axis = exact(std::ceil(most / step - kRounding) * step, low_end, high_end);
  return axis;
}

Axis Axis::exact(double most, double low_end, double high_end) {
  most = within_bounds(most);
  Axis axis(false, 0, most, low_end, high_end);
  const double step = linear_step(most);
  for (int i = 0; i * step <= most * (1 + kRounding); ++i) axis.ticks_.push_back(i * step);
  return axis;
}

Axis Axis::logarithmic(double low, double high, double low_end, double high_end) {
  low = round_number(within_bounds(low), false);
  high = round_number(std::max(within_bounds(high), low), true);
  if (high < 1.9 * low) high = round_number(2 * low, true);
  Axis axis(true, low, high, low_end, high_end);
  axis.ticks_ = logarithmic_ticks(low, high);
  return axis;
}

double Axis::fraction(double value) const {
  if (std::isnan(value)) return 0;
  value = std::clamp(value, low_, high_);
  if (!is_logarithmic_) return (value - low_) / (high_ - low_);
  return std::log10(value / low_) / std::log10(high_ / low_);
}

double Axis::position(double value) const {
  return low_end_ + (high_end_ - low_end_) * fraction(value);
}

}  // namespace millrace::tools
