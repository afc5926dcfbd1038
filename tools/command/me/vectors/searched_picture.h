// SPDX-License-Identifier: Apache-2.0

// A searched picture of a clip, the input of the summary and the output files.
#ifndef MILLRACE_TOOLS_COMMAND_ME_VECTORS_SEARCHED_PICTURE_H_
#define MILLRACE_TOOLS_COMMAND_ME_VECTORS_SEARCHED_PICTURE_H_

#include <millrace/algorithms/motion_estimation/motion_cost.h>
#include <millrace/algorithms/motion_estimation/stream/motion_estimator.h>
#include <millrace/tools/video/picture/picture.h>

#include <span>

namespace millrace::tools {

// A view. `motion` has modes and at least one reference.
struct SearchedPicture {
  const motion::PictureMotion& motion;
  ConstPicturePlane luma;
  std::span<const motion::MotionVector> predictors;  // In the first reference, one a macroblock.

  int macroblocks_per_row() const { return luma.padded_width / Picture::kMacroblock; }
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_ME_VECTORS_SEARCHED_PICTURE_H_
