// SPDX-License-Identifier: Apache-2.0

// How the items of a queue are given to the workers of a device.
#ifndef MILLRACE_RUNTIME_TASKS_POLICY_H_
#define MILLRACE_RUNTIME_TASKS_POLICY_H_

#include <string_view>

namespace millrace {

enum class Policy {
  kPersistentThreads,  // Workers take, run and spawn until nothing is pending.
  kUberkernel,         // Wave by wave, one launch each; the item's type selects the body.
  kKernelPerType,      // Wave by wave, items gathered by type, one launch a type: the oracle.
  kAuto,               // One of the above, by measurements; the report says which.
};

// The policies that run something themselves: all but kAuto.
inline constexpr Policy kConcretePolicies[] = {Policy::kPersistentThreads, Policy::kUberkernel,
                                               Policy::kKernelPerType};

// "persistent", "uberkernel", "kernel-per-type" or "auto".
const char* to_string(Policy policy);

// The inverse of to_string. Throws kInvalidArgument with the valid names.
Policy parse_policy(std::string_view name);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TASKS_POLICY_H_
