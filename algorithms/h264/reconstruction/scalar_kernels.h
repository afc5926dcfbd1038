// SPDX-License-Identifier: Apache-2.0

// The loops of reconstruction in one thread of a CPU, sample by sample. CPUs have the same
// functions by SIMD; results are equal to the bit.
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_SCALAR_KERNELS_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_SCALAR_KERNELS_H_

#include <millrace/algorithms/h264/reconstruction/lane_kernels.h>
#include <millrace/runtime/tasks/internal/one_lane_context.h>

namespace millrace::h264 {

// Has memory of its own.
class ScalarKernels : public LaneKernels<OneLaneContext> {
 public:
  ScalarKernels() : LaneKernels(one_lane_, own_memory_) {}
  ScalarKernels(const ScalarKernels&) = delete;
  ScalarKernels& operator=(const ScalarKernels&) = delete;

 private:
  OneLaneContext one_lane_;
  KernelMemory own_memory_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_SCALAR_KERNELS_H_
