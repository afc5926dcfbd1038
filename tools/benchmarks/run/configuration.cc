// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
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
         measurement.size == size && measurement.device == devices.name();
}

PreparedWork Configuration::prepare() const {
  if (ranks != nullptr) return workload->prepare_ranks(*ranks, devices.first(), input, size);
  if (devices.is_group()) return workload->prepare_group(devices.all(), input, size);
  if (workload->prepare) return workload->prepare(devices.first(), input, size);
  throw Error(ErrorCode::kUnsupported,
              workload->prepare_group
                  ? "several devices share it; give them as --device NAME,NAME"
                  : "several ranks share it, where nothing else is chosen: mpirun -n 4 millrace "
                    "bench " +
                        workload->name);
}

bool RunSelection::has(const WorkRun& run) const {
  return is_chosen(run.policy, policies) && is_chosen(run.strategy, strategies);
}

}  // namespace millrace::tools
