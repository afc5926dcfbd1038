// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/host/nearest_name.h>
#include <millrace/runtime/tasks/policy.h>

#include <string>
#include <vector>

namespace millrace {

const char* to_string(Policy policy) {
  switch (policy) {
    case Policy::kPersistentThreads: return "persistent";
    case Policy::kUberkernel: return "uberkernel";
    case Policy::kKernelPerType: return "kernel-per-type";
    case Policy::kAuto: return "auto";
  }
  return "unknown";
}

Policy parse_policy(std::string_view name) {
  std::vector<std::string> names = {to_string(Policy::kAuto)};
  if (name == names.front()) return Policy::kAuto;
  std::string valid = names.front();
  for (const Policy policy : kConcretePolicies) {
    if (name == to_string(policy)) return policy;
    names.emplace_back(to_string(policy));
    valid += ", " + names.back();
  }
  reject("no policy '" + std::string(name) + "'; there are: " + valid + suggestion(name, names));
}

}  // namespace millrace
