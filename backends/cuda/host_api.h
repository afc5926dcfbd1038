// SPDX-License-Identifier: Apache-2.0

// The api.h of GPU sources without code for devices, which any compiler can compile.
#ifndef MILLRACE_BACKENDS_CUDA_HOST_API_H_
#define MILLRACE_BACKENDS_CUDA_HOST_API_H_

#include <millrace/backends/cuda/host_calls.h>

#define MILLRACE_GPU cuda_backend

#endif  // MILLRACE_BACKENDS_CUDA_HOST_API_H_
