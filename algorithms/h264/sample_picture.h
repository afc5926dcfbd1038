// SPDX-License-Identifier: Apache-2.0

// The samples of a 4:2:0 picture of 8 bits.
#ifndef MILLRACE_ALGORITHMS_H264_SAMPLE_PICTURE_H_
#define MILLRACE_ALGORITHMS_H264_SAMPLE_PICTURE_H_

#include <millrace/runtime/host/huge_page_allocator.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::h264 {

// Owns three planes, Y, Cb and Cr, of whole macroblocks: width x height samples of luma, and half
// the width and height for each chroma plane. Rows follow each other without gaps.
class SamplePicture {
 public:
  enum class Samples : std::uint8_t { kZero, kUninitialised };

  SamplePicture(int width_in_macroblocks, int height_in_macroblocks,
                Samples samples = Samples::kZero)
      : width_(16 * width_in_macroblocks), height_(16 * height_in_macroblocks) {
    const std::size_t luma = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
    planes_[0].resize(luma);
    planes_[1].resize(luma / 4);
    planes_[2].resize(luma / 4);
    if (samples == Samples::kZero) fill(0);
  }

  int width(int plane) const { return plane == 0 ? width_ : width_ / 2; }
  int height(int plane) const { return plane == 0 ? height_ : height_ / 2; }
  std::uint8_t* plane(int plane) { return planes_[plane].data(); }
  const std::uint8_t* plane(int plane) const { return planes_[plane].data(); }
  void fill(std::uint8_t sample) {
    for (auto& plane : planes_) std::fill(plane.begin(), plane.end(), sample);
  }

 private:
  int width_, height_;
  std::vector<std::uint8_t, HugePageAllocator<std::uint8_t>> planes_[3];
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_SAMPLE_PICTURE_H_
