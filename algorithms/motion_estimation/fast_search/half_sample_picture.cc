// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/fast_search/half_sample_picture.h>
#include <millrace/algorithms/motion_estimation/quarter_sample.h>

#include <algorithm>
#include <cstdint>

namespace millrace::motion {

template <class Sample>
HalfSamplePicture<Sample>::HalfSamplePicture(const LumaPlane<Sample>& picture)
    : width_(picture.width), height_(picture.height), stride_(picture.width + 2 * kMargin) {
  for (auto& plane : planes_) {
    plane.resize(static_cast<std::size_t>(stride_) * (height_ + 2 * kMargin));
  }
  copy(picture);
  for (int y = 2 - kMargin; y < height_ + kMargin - 3; ++y) interpolate_row(y);
}

template <class Sample>
void HalfSamplePicture<Sample>::copy(const LumaPlane<Sample>& picture) {
  for (int y = -kMargin; y < height_ + kMargin; ++y) {
    const Sample* const from = picture.data + std::clamp(y, 0, height_ - 1) * picture.stride;
    Sample* const to = row(kWhole, y);
    std::fill_n(to, kMargin, from[0]);
    std::copy_n(from, width_, to + kMargin);
    std::fill_n(to + kMargin + width_, kMargin, from[width_ - 1]);
  }
}

// Computes the half samples right of, below, and diagonally below the whole ones of a row.
template <class Sample>
void HalfSamplePicture<Sample>::interpolate_row(int y) {
  const Sample* const rows[] = {row(kWhole, y - 2), row(kWhole, y - 1), row(kWhole, y),
                                row(kWhole, y + 1), row(kWhole, y + 2), row(kWhole, y + 3)};
  const int count = static_cast<int>(stride_);
  std::vector<int> columns(stride_);
  for (int x = 0; x < count; ++x) {
    columns[x] = six_taps(rows[0][x], rows[1][x], rows[2][x], rows[3][x], rows[4][x], rows[5][x]);
  }
  Sample* const half_x = row(kHalfX, y);
  Sample* const half_y = row(kHalfY, y);
  Sample* const half_xy = row(kHalfXY, y);
  for (int x = 0; x < count; ++x) half_y[x] = clip_sample<Sample>((columns[x] + 16) >> 5);
  for (int x = 2; x < count - 3; ++x) {
    const Sample* const s = rows[2] + x;
    half_x[x] = clip_sample<Sample>((six_taps(s[-2], s[-1], s[0], s[1], s[2], s[3]) + 16) >> 5);
  }
  for (int x = 2; x < count - 3; ++x) {
    const int* const c = columns.data() + x;
    half_xy[x] = clip_sample<Sample>((six_taps(c[-2], c[-1], c[0], c[1], c[2], c[3]) + 512) >> 10);
  }
}

template <class Sample>
Samples<Sample> HalfSamplePicture<Sample>::block(int x, int y, const BlockSize& size,
                                                 Sample* storage) const {
  const int fx = x & 3;
  const int fy = y & 3;
  const int ix = limit_x(x >> 2);
  const int iy = limit_y(y >> 2);
  // Offset of the whole or half sample on the near side of a quarter sample.
  const int near_x = ix + (fx == 3 ? 1 : 0);
  const int near_y = iy + (fy == 3 ? 1 : 0);
  const auto middle = [&](const Samples<Sample>& a, const Samples<Sample>& b) {
    distance_.average(a, b, size, storage);
    return Samples<Sample>{storage, 16};
  };
  if (fx % 2 == 0 && fy % 2 == 0) {
    return at(static_cast<Plane>((fx == 2 ? kHalfX : kWhole) + (fy == 2 ? kHalfY : kWhole)), ix,
              iy);
  }
  if (fy == 0) return middle(at(kWhole, near_x, iy), at(kHalfX, ix, iy));
  if (fx == 0) return middle(at(kWhole, ix, near_y), at(kHalfY, ix, iy));
  if (fx == 2) return middle(at(kHalfX, ix, near_y), at(kHalfXY, ix, iy));
  if (fy == 2) return middle(at(kHalfY, near_x, iy), at(kHalfXY, ix, iy));
  return middle(at(kHalfX, ix, near_y), at(kHalfY, near_x, iy));
}

template class HalfSamplePicture<std::uint8_t>;
template class HalfSamplePicture<std::uint16_t>;

}  // namespace millrace::motion
