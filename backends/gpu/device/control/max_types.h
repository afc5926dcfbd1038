// SPDX-License-Identifier: Apache-2.0

// Limit on the types of a task set that runs on GPUs.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_MAX_TYPES_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_MAX_TYPES_H_

#include <millrace/backends/gpu/api.h>

#include <cstddef>

namespace millrace::MILLRACE_GPU {

// Largest number of types in a set that runs on GPUs: each type has a queue in shared memory.
inline constexpr std::size_t kMaxTypes = 32;

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_MAX_TYPES_H_
