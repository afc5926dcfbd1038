// SPDX-License-Identifier: Apache-2.0

// The value of MILLRACE_TARGET for HIP.
#ifndef MILLRACE_BACKENDS_HIP_TASK_TARGET_H_
#define MILLRACE_BACKENDS_HIP_TASK_TARGET_H_

#include <millrace/backends/gpu/run/task_target.h>

namespace millrace {
namespace target = hip_backend;
}  // namespace millrace

#endif  // MILLRACE_BACKENDS_HIP_TASK_TARGET_H_
