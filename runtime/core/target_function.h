// SPDX-License-Identifier: Apache-2.0

// MILLRACE_FUNCTION marks a function that both host code and GPU kernels may call.
//
//   MILLRACE_FUNCTION constexpr int half(int x) { return x >> 1; }
#ifndef MILLRACE_RUNTIME_CORE_TARGET_FUNCTION_H_
#define MILLRACE_RUNTIME_CORE_TARGET_FUNCTION_H_

#if defined(__CUDACC__) || defined(__HIPCC__)
#define MILLRACE_FUNCTION __host__ __device__
#else
#define MILLRACE_FUNCTION
#endif

#endif  // MILLRACE_RUNTIME_CORE_TARGET_FUNCTION_H_
