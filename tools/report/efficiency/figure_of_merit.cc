// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/curve.h>
#include <millrace/tools/report/efficiency/figure_of_merit.h>

namespace millrace::tools {

bool is_metg(const Measurement& measurement) { return measurement.workload == "joins-metg"; }

FigureOfMerit figure_of_merit(const Measurement& measurement) {
  if (is_metg(measurement)) {
    return {measurement.median_seconds, measurement.low_seconds, measurement.high_seconds, "s",
            false};
  }
  const Rate rate = rate_of(measurement);
  return {rate.value, rate.low, rate.high, rate_unit(measurement), true};
}

double ratio_of(const FigureOfMerit& figure, const FigureOfMerit& other) {
  return figure.is_higher_better ? figure.value / other.value : other.value / figure.value;
}

}  // namespace millrace::tools
