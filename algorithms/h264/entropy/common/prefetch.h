// SPDX-License-Identifier: Apache-2.0

// Fetches memory into a cache before it is read.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_COMMON_PREFETCH_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_COMMON_PREFETCH_H_

#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/runtime/core/target_function.h>

namespace millrace::h264 {

// Fetches what direct prediction reads of a macroblock; does nothing on devices.
MILLRACE_FUNCTION inline void prefetch(const Macroblock* macroblock) {
#if defined(__GNUC__) && !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
  __builtin_prefetch(macroblock->references);
  __builtin_prefetch(macroblock->vectors[0] + 12);
#else
  static_cast<void>(macroblock);
#endif
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_COMMON_PREFETCH_H_
