// SPDX-License-Identifier: Apache-2.0

// The value of MILLRACE_TARGET for CUDA.
#ifndef MILLRACE_BACKENDS_CUDA_TASK_TARGET_H_
#define MILLRACE_BACKENDS_CUDA_TASK_TARGET_H_

#include <millrace/backends/gpu/run/task_target.h>

namespace millrace {
namespace target = cuda_backend;
}  // namespace millrace

#endif  // MILLRACE_BACKENDS_CUDA_TASK_TARGET_H_
