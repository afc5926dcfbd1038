// SPDX-License-Identifier: Apache-2.0

// The api.h of GPU sources without code for devices, which any compiler can compile.
#ifndef MILLRACE_BACKENDS_HIP_HOST_API_H_
#define MILLRACE_BACKENDS_HIP_HOST_API_H_

#include <millrace/backends/hip/host_calls.h>

#define MILLRACE_GPU hip_backend

#endif  // MILLRACE_BACKENDS_HIP_HOST_API_H_
