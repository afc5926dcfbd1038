// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/run/configuration.h>

#include <algorithm>
#include <filesystem>

namespace millrace::tools {
namespace {

// True for a value that is not given, and where all are chosen.
bool is_chosen(const std::string& value, const std::vector<std::string>& chosen) {
  return value.empty() || chosen.empty() || std::ranges::find(chosen, value) != chosen.end();
}

}  // namespace

std::string Configuration::input_name() const {
  return std::filesystem::path(input).filename().string();
}

bool Configuration::has(const Measurement& measurement) const {
  return measurement.workload == workload->name && measurement.input == input_name() &&
         measurement.size == size && measurement.device == device->info().name;
}

bool RunChoice::has(const WorkRun& run) const {
  return is_chosen(run.policy, policies) && is_chosen(run.strategy, strategies);
}

}  // namespace millrace::tools
