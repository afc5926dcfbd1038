// SPDX-License-Identifier: Apache-2.0

// The value of MILLRACE_TARGET for simulated devices.
#ifndef MILLRACE_BACKENDS_SIMT_TASK_TARGET_H_
#define MILLRACE_BACKENDS_SIMT_TASK_TARGET_H_

#include <millrace/backends/gpu/run/task_target.h>

namespace millrace {
namespace target = simt_backend;
}  // namespace millrace

#endif  // MILLRACE_BACKENDS_SIMT_TASK_TARGET_H_
