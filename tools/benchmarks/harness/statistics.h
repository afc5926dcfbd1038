// SPDX-License-Identifier: Apache-2.0

// Statistics of repeated times: their median and its uncertainty, whatever their distribution is.
#ifndef MILLRACE_TOOLS_BENCHMARKS_HARNESS_STATISTICS_H_
#define MILLRACE_TOOLS_BENCHMARKS_HARNESS_STATISTICS_H_

#include <cstddef>
#include <vector>

namespace millrace::tools {

// The value below which a fraction `p` in 0..1 of the samples lies, by linear interpolation between
// the two nearest. Throws kInvalidArgument for no samples or another p.
double quantile(std::vector<double> samples, double p);

double median(std::vector<double> samples);

// The median and two samples between which the distribution's own median lies.
struct MedianInterval {
  double median = 0;
  double low = 0;
  double high = 0;
  double coverage = 0;  // Probability that it does, if samples are independent.

  // Its width to the median, 0 where both are 0.
  double relative_width() const;
};

// The k-th sample from below and from above, for the largest k with `coverage` or more: a sample is
// below the median as often as above it, so how many are is binomial. Fewer than six samples cover
// less than 95 %; then the interval is from the least to the greatest. Throws kInvalidArgument for
// no samples.
MedianInterval median_interval(std::vector<double> samples, double coverage = 0.95);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_HARNESS_STATISTICS_H_
