// SPDX-License-Identifier: Apache-2.0

// MILLRACE_FUNCTION marks a function that both host code and GPU kernels may call.
//
//   MILLRACE_FUNCTION constexpr int half(int x) { return x >> 1; }
//
// Kernels inline MILLRACE_INLINE_FUNCTION wherever it is called, which keeps the objects that it
// refers to in registers, and never MILLRACE_COLD_FUNCTION, which is for rare paths.
#ifndef MILLRACE_RUNTIME_CORE_TARGET_FUNCTION_H_
#define MILLRACE_RUNTIME_CORE_TARGET_FUNCTION_H_

#if defined(__CUDACC__) || defined(__HIPCC__)
#define MILLRACE_FUNCTION __host__ __device__
#define MILLRACE_INLINE_FUNCTION __host__ __device__ __attribute__((always_inline)) inline
#define MILLRACE_INLINE_LAMBDA __attribute__((always_inline))
#define MILLRACE_COLD_FUNCTION __host__ __device__ __attribute__((noinline))
#else
#define MILLRACE_FUNCTION
#define MILLRACE_INLINE_FUNCTION inline
#define MILLRACE_INLINE_LAMBDA
#define MILLRACE_COLD_FUNCTION inline
#endif

#endif  // MILLRACE_RUNTIME_CORE_TARGET_FUNCTION_H_
