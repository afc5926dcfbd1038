// SPDX-License-Identifier: Apache-2.0

// The motion of a picture of a clip, the input of the summary and the output files.
#ifndef MILLRACE_TOOLS_COMMAND_ME_VECTORS_MOTION_VIEW_H_
#define MILLRACE_TOOLS_COMMAND_ME_VECTORS_MOTION_VIEW_H_

#include <millrace/algorithms/motion_estimation/motion_cost.h>
#include <millrace/algorithms/motion_estimation/stream/motion_estimator.h>
#include <millrace/tools/video/picture/picture.h>

#include <span>

namespace millrace::tools {

// A view of a picture and its motion. `motion` has modes and at least one reference.
struct MotionView {
  const motion::PictureMotion& motion;
  ConstPicturePlane luma;
  std::span<const motion::MotionVector>
      predictors;  // Vectors in the first reference, one a macroblock.

  int macroblocks_per_row() const { return luma.padded_width / Picture::kMacroblock; }
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_ME_VECTORS_MOTION_VIEW_H_
