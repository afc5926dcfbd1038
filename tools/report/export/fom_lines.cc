// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/efficiency/figure_of_merit.h>
#include <millrace/tools/report/export/fom_lines.h>
#include <millrace/tools/report/export/measurement_name.h>
#include <millrace/tools/report/results/result_words.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>

namespace millrace::tools {
namespace {

std::string number_text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}

std::string one_word(std::string text) {
  std::ranges::replace(text, ' ', '_');
  return text;
}

std::string figure_of(const Measurement& each) {
  for (const auto& [status, word] : kStatusWords) {
    if (status == each.status && status != MeasurementStatus::kOk) return word;
  }
  const FigureOfMerit merit = figure_of_merit(each);
  return number_text(merit.value) + ' ' + one_word(merit.unit) + " (" + number_text(merit.low) +
         " to " + number_text(merit.high) + ')';
}

}  // namespace

void write_fom_lines(std::ostream& out, const MergedResults& merged) {
  for (std::size_t i = 0; i < merged.machines.size(); ++i) {
    for (const Measurement& each : merged.machines[i].results.measurements) {
      out << "FOM " << measurement_name(merged, i, each) << ": " << figure_of(each) << '\n';
    }
  }
}

}  // namespace millrace::tools
