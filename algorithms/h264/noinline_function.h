// SPDX-License-Identifier: Apache-2.0

// Marks functions that kernels call.
#ifndef MILLRACE_ALGORITHMS_H264_NOINLINE_FUNCTION_H_
#define MILLRACE_ALGORITHMS_H264_NOINLINE_FUNCTION_H_

// MILLRACE_NOINLINE_FUNCTION is as MILLRACE_FUNCTION, but a GPU calls the function and has its code
// once. Warps that parse different slices execute different instructions, so small code is faster
// where many warps parse (docs/experiments/how_many_slices_a_warp_parses.md). It also takes half
// the time to compile. MILLRACE_SMALL_LOOP before a loop has a GPU's compiler not unroll it, for
// the same reason; MILLRACE_UNROLLED_LOOP has it unroll the loop, whose array is in registers then.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define MILLRACE_NOINLINE_FUNCTION __host__ __device__ __attribute__((noinline))
#else
#define MILLRACE_NOINLINE_FUNCTION
#endif
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define MILLRACE_SMALL_LOOP _Pragma("unroll 1")
#define MILLRACE_UNROLLED_LOOP _Pragma("unroll")
#else
#define MILLRACE_SMALL_LOOP
#define MILLRACE_UNROLLED_LOOP
#endif

#endif  // MILLRACE_ALGORITHMS_H264_NOINLINE_FUNCTION_H_
