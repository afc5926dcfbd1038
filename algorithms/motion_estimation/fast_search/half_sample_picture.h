// SPDX-License-Identifier: Apache-2.0

// A reference picture with its half samples, as encoders keep it: half samples are computed once,
// quarter samples are means of two and are computed on demand.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_HALF_SAMPLE_PICTURE_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_HALF_SAMPLE_PICTURE_H_

#include <millrace/algorithms/motion_estimation/fast_search/block_distance_simd.h>
#include <millrace/algorithms/motion_estimation/motion_search.h>

#include <cstddef>
#include <vector>

namespace millrace::motion {

// Owns copies of the samples in host memory. Many threads may call const functions at once.
template <class Sample>
class HalfSamplePicture {
 public:
  explicit HalfSamplePicture(const LumaPlane<Sample>& picture);

  // Returns the block at (x, y) in whole samples, at any position; widths and heights are at most
  // 16.
  Samples<Sample> whole_block(int x, int y) const { return at(kWhole, limit_x(x), limit_y(y)); }

  // Returns the block at (x, y) in quarter samples (quarter_sample.h), in this picture or in
  // `storage`, which has 256 samples.
  Samples<Sample> block(int x, int y, const BlockSize& size, Sample* storage) const;

 private:
  enum Plane { kWhole, kHalfX, kHalfY, kHalfXY };

  // Beyond this distance all samples of a block and its taps are those at the border.
  static constexpr int kFarthest = 20;
  static constexpr int kMargin = 32;

  int limit_x(int x) const { return limit(x, width_); }
  int limit_y(int y) const { return limit(y, height_); }
  static int limit(int at, int size) {
    return at < -kFarthest ? -kFarthest : (at > size + 4 ? size + 4 : at);
  }

  Samples<Sample> at(Plane plane, int x, int y) const {
    return {planes_[plane].data() + (y + kMargin) * stride_ + x + kMargin, stride_};
  }
  Sample* row(Plane plane, int y) { return planes_[plane].data() + (y + kMargin) * stride_; }

  void copy(const LumaPlane<Sample>& picture);
  void interpolate_row(int y);

  const BlockDistance<Sample>& distance_ = block_distance<Sample>();
  int width_;
  int height_;
  std::ptrdiff_t stride_;
  std::vector<Sample> planes_[4];
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_HALF_SAMPLE_PICTURE_H_
