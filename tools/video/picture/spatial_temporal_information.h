// SPDX-License-Identifier: Apache-2.0

// Detail and motion of pictures by ITU-T P.910 (10/2023), clauses 7.7.1 and 7.7.2.
#ifndef MILLRACE_TOOLS_VIDEO_PICTURE_SPATIAL_TEMPORAL_INFORMATION_H_
#define MILLRACE_TOOLS_VIDEO_PICTURE_SPATIAL_TEMPORAL_INFORMATION_H_

#include <millrace/tools/video/picture/picture.h>

namespace millrace::tools {

// Returns SI of a frame: the standard deviation over the visible samples of the length of Sobel's
// gradient, without the outermost rows and columns. 0 if a side is under 3 samples. Sample values
// are taken as they are, whatever their range; the deviation is that of all samples (divided by
// their number).
double spatial_information(const ConstPicturePlane& luma);

// Returns TI of a frame: the standard deviation over the visible samples of the difference from the
// frame before in output order. Throws Error(kInvalidArgument) unless both have the same visible
// size, of at least one sample.
double temporal_information(const ConstPicturePlane& luma, const ConstPicturePlane& before);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_PICTURE_SPATIAL_TEMPORAL_INFORMATION_H_
