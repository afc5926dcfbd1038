// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/harness/leads.h>

#include <cmath>

namespace millrace::tools {

std::vector<Lead> leads(const SizeSeries& first, const SizeSeries& second) {
  std::vector<Lead> result;
  for (const auto& [size, seconds] : first) {
    const auto other = second.find(size);
    if (other == second.end()) continue;
    if (std::abs(seconds / other->second - 1) < kLeastLead) continue;
    const bool is_first = seconds < other->second;
    if (result.empty()) {
      result.push_back({is_first, 0, size, size});
    } else if (result.back().is_first == is_first) {
      result.back().until = size;
    } else {
      result.push_back({is_first, result.back().until, size, size});
    }
  }
  return result;
}

std::string describe(const std::vector<Lead>& leads, const std::string& first,
                     const std::string& second) {
  std::string text;
  for (const Lead& lead : leads) {
    const std::string& name = lead.is_first ? first : second;
    if (text.empty()) {
      text = name + " is faster from " + std::to_string(lead.from) + " on";
    } else {
      text += "; " + name + " from between " + std::to_string(lead.after) + " and " +
              std::to_string(lead.from) + " on";
    }
  }
  return text;
}

}  // namespace millrace::tools
