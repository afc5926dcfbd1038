// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/encoding/sample_copy.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace millrace::tools {

void copy_samples(const Picture& picture, h264::SamplePicture& samples) {
  for (int i = 0; i < Picture::kPlanes; ++i) {
    const ConstPicturePlane plane = picture.plane(i);
    // Chroma of a picture is padded to 16 samples, too.
    for (int y = 0; y < samples.height(i); ++y) {
      std::copy_n(plane.row(y), samples.width(i),
                  samples.plane(i) + static_cast<std::ptrdiff_t>(y) * samples.width(i));
    }
  }
}

void copy_samples(const h264::SamplePicture& samples, Picture& picture) {
  for (int i = 0; i < Picture::kPlanes; ++i) {
    const PicturePlane plane = picture.plane(i);
    for (int y = 0; y < plane.height; ++y) {
      std::copy_n(samples.plane(i) + static_cast<std::ptrdiff_t>(y) * samples.width(i), plane.width,
                  plane.row(y));
    }
  }
  picture.pad();
}

}  // namespace millrace::tools
