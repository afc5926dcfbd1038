// SPDX-License-Identifier: Apache-2.0

// Refinement of vectors on GPUs.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_REFINE_FIELD_GPU_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_REFINE_FIELD_GPU_H_

#include <millrace/algorithms/motion_estimation/gpu/frame_batch.h>
#include <millrace/algorithms/motion_estimation/gpu/kernel_frame.h>
#include <millrace/backends/gpu/api.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

enum class RefinedSizes : std::uint8_t { kAll, k16x16 };

// The vectors to refine: those of a field's macroblocks and partition sizes.
template <class Sample>
struct FieldRefinement {
  KernelFrame<Sample> frame;
  MotionField field;
  MacroblockSpan span;
  RefinedSizes sizes;
};

// Enqueues on a stream the refinement of a field of whole vectors, to the precision of the options.
// Called in an operation of a queue of a device with such warps.
template <class Sample>
void refine_field(Stream stream, int warp_width, const FieldRefinement<Sample>& refinement,
                  const SearchOptions& options);

// Does as refine_field() for several fields, but without the vectors of 16x16.
template <class Sample>
void refine_smaller_partitions(Stream stream, int warp_width, const FrameBatch<Sample>& batch,
                               const SearchOptions& options);

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_REFINE_FIELD_GPU_H_
