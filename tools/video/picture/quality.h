// SPDX-License-Identifier: Apache-2.0

// Quality measures of one plane: difference from its source, and blockiness.
#ifndef MILLRACE_TOOLS_VIDEO_PICTURE_QUALITY_H_
#define MILLRACE_TOOLS_VIDEO_PICTURE_QUALITY_H_

#include <millrace/tools/video/picture/picture.h>

namespace millrace::tools {

// Returns the mean of (a - b)^2 over the visible samples; for a picture and its prediction, that is
// the residual energy per sample. Throws Error(kInvalidArgument) unless both have the same visible
// size, of at least one sample.
double mean_squared_difference(const ConstPicturePlane& a, const ConstPicturePlane& b);

// Returns the peak signal-to-noise ratio of 8-bit samples in dB, 10 log10(255^2 / mean squared
// difference); infinity when that is 0.
double psnr_db(double mean_squared_difference);

// Samples of a side of the blocks whose edges show in H.264: those of its largest transform.
inline constexpr int kEdgeBlock = 8;

// The block-edge step ratio of the visible samples:
//   (E + 1/16) / (I + 1/16)
// E is the mean |difference| of two neighbours, left-right or up-down, that an edge of the grid of
// block x block samples (from the top left corner) separates; I the same of all other neighbours. 1
// where steps at edges are like the others, larger where blocks show; 1/16 of a grey level keeps
// flat pictures finite. It follows the idea of Wu and Yuen, "A generalized block-edge impairment
// metric for video coding", IEEE Signal Processing Letters 4(11), 1997, without their weights.
// Throws Error(kInvalidArgument) unless `block` is 4, 8 or 16.
double block_edge_step_ratio(const ConstPicturePlane& plane, int block);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_PICTURE_QUALITY_H_
