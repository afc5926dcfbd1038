// SPDX-License-Identifier: Apache-2.0

// Counts leading zero bits on hosts and devices.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_COMMON_LEADING_ZEROS_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_COMMON_LEADING_ZEROS_H_

#include <millrace/runtime/core/target_function.h>

#include <bit>
#include <cstdint>

namespace millrace::h264 {

// Returns the number of leading zero bits, 64 for 0.
MILLRACE_FUNCTION inline int leading_zeros(std::uint64_t value) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return __clzll(static_cast<long long>(value));
#else
  return std::countl_zero(value);
#endif
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_COMMON_LEADING_ZEROS_H_
