// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/export/measurement_name.h>

#include <algorithm>

namespace millrace::tools {
namespace {

std::string name_segment(std::string text) {
  std::ranges::replace_if(
      text,
      [](char c) { return c == '/' || (static_cast<unsigned char>(c) <= ' ') || c == '\x7f'; },
      '_');
  return text.empty() ? "-" : text;
}

}  // namespace

std::string measurement_name(const MergedResults& merged, std::size_t machine,
                             const Measurement& measurement) {
  std::string name;
  if (merged.machines.size() > 1) name = name_segment(merged.machines[machine].label) + '/';
  return name + name_segment(measurement.device) + '/' + name_segment(measurement.workload) + '/' +
         name_segment(measurement.input) + '/' + std::to_string(measurement.size) + '/' +
         name_segment(contender_of(measurement));
}

}  // namespace millrace::tools
