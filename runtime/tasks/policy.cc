// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/tasks/policy.h>

#include <string>

#include <millrace/runtime/core/error.h>

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
  std::string valid = to_string(Policy::kAuto);
  if (name == valid) return Policy::kAuto;
  for (const Policy policy : kConcretePolicies) {
    if (name == to_string(policy)) return policy;
    valid += std::string(", ") + to_string(policy);
  }
  throw Error(ErrorCode::kInvalidArgument,
              "no policy '" + std::string(name) + "'; there are: " + valid);
}

}  // namespace millrace
