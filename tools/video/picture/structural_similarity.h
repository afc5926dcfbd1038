// SPDX-License-Identifier: Apache-2.0

// Structural similarity of one plane and its source.
#ifndef MILLRACE_TOOLS_VIDEO_PICTURE_STRUCTURAL_SIMILARITY_H_
#define MILLRACE_TOOLS_VIDEO_PICTURE_STRUCTURAL_SIMILARITY_H_

#include <millrace/tools/video/picture/picture.h>

namespace millrace::tools {

// Returns the mean SSIM of the visible samples: Wang, Bovik, Sheikh and Simoncelli, "Image quality
// assessment: from error visibility to structural similarity", IEEE Transactions on Image
// Processing 13(4), 2004, equations 13 to 17, with K1 = 0.01, K2 = 0.03 and L = 255. Windows are
// those of x264 and of FFmpeg's filter: 8x8 samples of equal weight, at multiples of 4 samples from
// the top left corner; a window that does not fit is left out. Returns 1 for equal planes, and NaN
// if either side is under 8 samples. Throws Error(kInvalidArgument) unless both have the same
// visible size.
double structural_similarity(const ConstPicturePlane& a, const ConstPicturePlane& b);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_PICTURE_STRUCTURAL_SIMILARITY_H_
