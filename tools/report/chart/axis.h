// SPDX-License-Identifier: Apache-2.0

// Maps numbers to coordinates of a chart, and selects the numbers that are written beside it.
#ifndef MILLRACE_TOOLS_REPORT_CHART_AXIS_H_
#define MILLRACE_TOOLS_REPORT_CHART_AXIS_H_

#include <vector>

namespace millrace::tools {

// From `low` to `high`, spread over the coordinates from `low_end` to `high_end`. Of numbers beyond
// 1e-100 to 1e100 these are the ends, and 1 is taken for what is no positive number.
class Axis {
 public:
  // Makes an axis from 0 to a round number at or above `most`; that is 1 where `most` is 0.
  static Axis linear(double most, double low_end, double high_end);

  // Makes an axis from 0 to exactly `most`.
  static Axis exact(double most, double low_end, double high_end);

  // Between the round numbers around the positive `low` and `high`, which differ by a factor of two
  // or more.
  static Axis logarithmic(double low, double high, double low_end, double high_end);

  // Returns the coordinate of `value`. A value beyond an end has the coordinate of that end.
  double position(double value) const;
  const std::vector<double>& ticks() const { return ticks_; }

 private:
  Axis(bool is_logarithmic, double low, double high, double low_end, double high_end);

  double fraction(double value) const;

  bool is_logarithmic_;
  double low_;
  double high_;
  double low_end_;
  double high_end_;
  std::vector<double> ticks_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_CHART_AXIS_H_
