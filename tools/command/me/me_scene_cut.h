// SPDX-License-Identifier: Apache-2.0

// Detection of scene cuts.
#ifndef MILLRACE_TOOLS_COMMAND_ME_ME_SCENE_CUT_H_
#define MILLRACE_TOOLS_COMMAND_ME_ME_SCENE_CUT_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/tools/command/me/vectors/motion_view.h>

namespace millrace::tools {

// Returns true if almost nothing of a picture is in the one before: of the macroblocks with
// texture, which are at least one in eight, more than four in five are predicted by their best
// 16x16 vector hardly better than by their own mean, with more than 3/4 of that distortion. A
// macroblock has texture where its mean is off by two or more a sample. Distortion is SAD or SATD,
// as searched.
//
// (In clips of six cameras, 640x360, range 32, cuts had 90 to 99 % of such macroblocks, and the
// fastest motion, a bird's head before the lens, 63 %.)
bool is_scene_cut(const MotionView& picture, const motion::SearchOptions& options);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_ME_ME_SCENE_CUT_H_
