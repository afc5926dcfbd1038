// SPDX-License-Identifier: Apache-2.0

// Intra prediction of 4x4 and 8x8 blocks in the vectors of the target being compiled. A part of
// reconstruct_simd.cc, which is compiled once per target. In every directional mode a row of the
// block is a row of means of the edge: the standard's zVR, zHD and zHU step by one from sample to
// sample along a row, or along every second row.

#include <millrace/algorithms/h264/reconstruction/intra_prediction.h>

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == \
    defined(MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_CPU_INTRA_PREDICTION_INL_H_)
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_CPU_INTRA_PREDICTION_INL_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_CPU_INTRA_PREDICTION_INL_H_
#else
#undef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_CPU_INTRA_PREDICTION_INL_H_
#endif

#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

HWY_BEFORE_NAMESPACE();
namespace millrace::h264 {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// The means of an edge's line by position, and the prediction of a block from them.
template <int n>
class IntraMeans {
 public:
  HWY_INLINE explicit IntraMeans(const IntraEdge<n>& edge) : first_(edge.line[0]) {
    const hn::FixedTag<std::uint8_t, 16> d;
    std::uint8_t line[kSize + 2] = {};
    line[0] = first_;
    std::memcpy(line + 1, edge.line, sizeof(edge.line));
    for (int i = 0; i < kSize; i += 16) {
      const auto before = hn::LoadU(d, line + i);
      const auto at = hn::LoadU(d, line + i + 1);
      const auto after = hn::LoadU(d, line + i + 2);
      // Rounded down, so that the mean with the sample between is rounded once.
      const auto outer = hn::Sub(hn::AverageRound(before, after),
                                 hn::And(hn::Xor(before, after), hn::Set(d, std::uint8_t{1})));
      hn::StoreU(hn::AverageRound(at, after), d, two_ + i);
      hn::StoreU(hn::AverageRound(at, outer), d, three_ + i);
    }
  }

  HWY_INLINE void down_left(std::uint8_t* block, std::ptrdiff_t stride) const {
    for (int y = 0; y < n; ++y) copy_row(three_ + kCorner + 2 + y, block + y * stride);
  }

  HWY_INLINE void down_right(std::uint8_t* block, std::ptrdiff_t stride) const {
    for (int y = 0; y < n; ++y) copy_row(three_ + kCorner - y, block + y * stride);
  }

  // Two rows move right by one sample; samples come in from the left column, every second one.
  HWY_INLINE void vertical_right(std::uint8_t* block, std::ptrdiff_t stride) {
    for (int i = 1; i < n / 2; ++i) {
      two_[kCorner - i] = three_[kCorner + 1 - 2 * i];
      three_[kCorner - i] = three_[kCorner - 2 * i];
    }
    for (int y = 0; y < n; ++y) {
      copy_row((y % 2 == 0 ? two_ : three_) + kCorner - y / 2, block + y * stride);
    }
  }

  HWY_INLINE void vertical_left(std::uint8_t* block, std::ptrdiff_t stride) const {
    for (int y = 0; y < n; ++y) {
      copy_row((y % 2 == 0 ? two_ + kCorner + 1 : three_ + kCorner + 2) + y / 2,
               block + y * stride);
    }
  }

  // Rows move right by two samples of one line: means along the left column, from its end upwards,
  // then along the row above.
  HWY_INLINE void horizontal_down(std::uint8_t* block, std::ptrdiff_t stride) const {
    std::uint8_t line[3 * n];
    for (int i = 0; i < n; ++i) {
      line[2 * i] = two_[i];
      line[2 * i + 1] = three_[i + 1];
    }
    for (int i = 0; i < n; ++i) line[2 * n + i] = three_[kCorner + 1 + i];
    for (int y = 0; y < n; ++y) copy_row(line + 2 * (n - 1 - y), block + y * stride);
  }

  // Rows move left by two samples of one line: means along the left column downwards, then its end.
  HWY_INLINE void horizontal_up(std::uint8_t* block, std::ptrdiff_t stride) const {
    std::uint8_t line[3 * n];
    for (int i = 0; i < n - 1; ++i) {
      line[2 * i] = two_[n - 2 - i];
      line[2 * i + 1] = three_[n - 2 - i];
    }
    std::memset(line + 2 * (n - 1), first_, n + 2);
    for (int y = 0; y < n; ++y) copy_row(line + 2 * y, block + y * stride);
  }

 private:
  static constexpr int kCorner = IntraEdge<n>::kCorner;
  static constexpr int kSize = n == 4 ? 16 : 32;  // A line has 14 or 26 samples.

  static HWY_INLINE void copy_row(const std::uint8_t* from, std::uint8_t* to) {
    std::memcpy(to, from, n);
  }

  const std::uint8_t first_;
  std::uint8_t two_[kSize];    // IntraEdge::mean2
  std::uint8_t three_[kSize];  // IntraEdge::mean3; the sample before the line is its first one.
};

template <int n>
void predict_intra_rows(const IntraEdge<n>& edge, int mode, std::uint8_t* block,
                        std::ptrdiff_t stride) {
  const auto fill = [=](int sample) {
    for (int y = 0; y < n; ++y) std::memset(block + y * stride, sample, n);
  };
  switch (mode) {
    case kIntraVertical:
      for (int y = 0; y < n; ++y) std::memcpy(block + y * stride, edge.line + n + 1, n);
      break;
    case kIntraHorizontal:
      for (int y = 0; y < n; ++y) std::memset(block + y * stride, edge.left(y), n);
      break;
    case kIntraDc: fill(intra_dc(edge)); break;
    case kIntraDiagonalDownLeft: IntraMeans<n>(edge).down_left(block, stride); break;
    case kIntraDiagonalDownRight: IntraMeans<n>(edge).down_right(block, stride); break;
    case kIntraVerticalRight: IntraMeans<n>(edge).vertical_right(block, stride); break;
    case kIntraHorizontalDown: IntraMeans<n>(edge).horizontal_down(block, stride); break;
    case kIntraVerticalLeft: IntraMeans<n>(edge).vertical_left(block, stride); break;
    case kIntraHorizontalUp: IntraMeans<n>(edge).horizontal_up(block, stride); break;
    default: fill(128); break;
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::h264
HWY_AFTER_NAMESPACE();

#endif  // Vectors of fixed size.
#endif  // Include guard.
