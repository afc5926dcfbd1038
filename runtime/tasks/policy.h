// SPDX-License-Identifier: Apache-2.0

// A policy is a strategy that assigns the items of a queue to the workers of a device.
#ifndef MILLRACE_RUNTIME_TASKS_POLICY_H_
#define MILLRACE_RUNTIME_TASKS_POLICY_H_

#include <string_view>

namespace millrace {

enum class Policy {
  kPersistentThreads,  // Workers take, run and spawn items until nothing is pending.
  kUberkernel,         // Runs in waves, one launch each; the item's type selects the code.
  kKernelPerType,      // Runs in waves, one launch for each type. It is the reference for tests.
  kAuto,               // Chooses one of the above by measurements; RunReport::policy names it.
};

// All policies except kAuto.
inline constexpr Policy kConcretePolicies[] = {Policy::kPersistentThreads, Policy::kUberkernel,
                                               Policy::kKernelPerType};

// Returns "persistent", "uberkernel", "kernel-per-type" or "auto".
const char* to_string(Policy policy);

// Returns the policy of that name. Throws kInvalidArgument with the valid names
// and the nearest.
Policy parse_policy(std::string_view name);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TASKS_POLICY_H_
