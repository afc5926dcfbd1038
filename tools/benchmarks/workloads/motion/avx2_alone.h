// SPDX-License-Identifier: Apache-2.0

// Runs SIMD code as on a processor whose best instructions are AVX2.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_AVX2_ALONE_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_AVX2_ALONE_H_

namespace millrace::tools {

// While an object lives, all threads of the process run Highway's code without AVX-512. There is at
// most one at a time, and no SIMD code runs while it is made or destroyed.
class Avx2Alone {
 public:
  // Throws kUnsupported where the processor has nothing better than AVX2.
  Avx2Alone();
  ~Avx2Alone();
  Avx2Alone(const Avx2Alone&) = delete;
  Avx2Alone& operator=(const Avx2Alone&) = delete;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_AVX2_ALONE_H_
