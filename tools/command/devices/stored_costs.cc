// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/auto/policy_store.h>
#include <millrace/tools/command/devices/stored_costs.h>

#include <cmath>

namespace millrace::tools {

std::string describe_costs(const DeviceInfo& device) {
  const StoredCosts stored = load_costs(device);
  if (stored.costs != nullptr) {
    return stored.costs->source + ", off by " +
           std::to_string(std::lround(100 * stored.costs->residual)) + " % in the mean";
  }
  std::string words = default_costs(device).source;
  if (!stored.problem.empty()) {
    words += "; " + policy_store_path(device).string() + " is not used: " + stored.problem;
  }
  return words;
}

}  // namespace millrace::tools
