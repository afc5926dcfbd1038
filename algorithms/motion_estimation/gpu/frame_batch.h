// SPDX-License-Identifier: Apache-2.0

// Frames whose vectors one launch refines.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_FRAME_BATCH_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_FRAME_BATCH_H_

#include <millrace/algorithms/motion_estimation/gpu/kernel_frame.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

// Frames in a kernel's arguments, which are 4 KiB at most. Values that differ between frames are
// loaded from arrays; common values are operands that need no register.
template <class Sample>
struct FrameBatch {
  static constexpr int kMost = 64;

  struct Entry {
    const Sample* current;
    const Sample* reference;
    const MotionVector* predictors;
    std::ptrdiff_t predictor_stride;
    MotionField field;
  };

  MILLRACE_FUNCTION KernelFrame<Sample> frame(int index) const {
    KernelFrame<Sample> frame = common;
    frame.current = common.current.of(entries[index].current);
    frame.reference = common.reference.of(entries[index].reference);
    frame.predictors = entries[index].predictors;
    frame.predictor_stride = entries[index].predictor_stride;
    return frame;
  }

  Entry entries[kMost];
  int count;
  KernelFrame<Sample> common;
  MacroblockSpan span;  // The macroblocks of each frame.
};

static_assert(sizeof(FrameBatch<std::uint8_t>) <= 4000);

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_FRAME_BATCH_H_
