// SPDX-License-Identifier: Apache-2.0

// SATDs of intra predictions in the vectors of the target being compiled. A part of
// encode_row_simd.cc, which is compiled once per target.

#include <millrace/algorithms/h264/encoder/cpu/distortion_inl.h>
#include <millrace/algorithms/h264/encoder/cpu/intra_tap.h>
#include <millrace/algorithms/h264/reconstruction/intra_prediction.h>

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == defined(MILLRACE_ALGORITHMS_H264_ENCODER_CPU_INTRA_SATD_INL_H_)
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_CPU_INTRA_SATD_INL_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_CPU_INTRA_SATD_INL_H_
#else
#undef MILLRACE_ALGORITHMS_H264_ENCODER_CPU_INTRA_SATD_INL_H_
#endif

#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

HWY_BEFORE_NAMESPACE();
namespace millrace::h264 {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Predictions of a 4x4 block, in raster order in 16 bytes.
class Intra4x4Predictions {
 public:
  using D = hn::FixedTag<std::uint8_t, 16>;

  HWY_INLINE explicit Intra4x4Predictions(const IntraEdge<4>& edge) : dc_(intra_dc(edge)) {
    const D d;
    static_assert(sizeof(IntraEdge<4>) >= 16);
    HWY_ALIGN std::uint8_t line[16];
    std::memcpy(line, &edge, 16);  // The last two bytes are no samples, and do not count.
    HWY_ALIGN static constexpr std::uint8_t kBefore[16] = {0, 0, 1, 2,  3,  4,  5,  6,
                                                           7, 8, 9, 10, 11, 12, 13, 14};
    HWY_ALIGN static constexpr std::uint8_t kAfter[16] = {1, 2,  3,  4,  5,  6,  7,  8,
                                                          9, 10, 11, 12, 13, 13, 13, 13};
    lines_[0] = hn::Load(d, line);
    const auto before = hn::TableLookupBytes(lines_[0], hn::Load(d, kBefore));
    const auto after = hn::TableLookupBytes(lines_[0], hn::Load(d, kAfter));
    // Rounded down, so that the mean with the sample between is rounded once.
    const auto outer = hn::Sub(hn::AverageRound(before, after),
                               hn::And(hn::Xor(before, after), hn::Set(d, std::uint8_t{1})));
    lines_[1] = hn::AverageRound(lines_[0], after);
    lines_[2] = hn::AverageRound(lines_[0], outer);
  }

  template <int mode>
  HWY_INLINE hn::Vec<D> in_mode() const {
    const D d;
    if constexpr (mode == kIntraDc) {
      return hn::Set(d, static_cast<std::uint8_t>(dc_));
    } else {
      HWY_ALIGN static constexpr IntraTaps kTaps = intra_taps(mode);
      auto samples = hn::Zero(d);
      for (int line = 0; line < 3; ++line) {
        if (!kTaps.has_line[line]) continue;
        const auto found = hn::TableLookupBytes(lines_[line], hn::Load(d, kTaps.index));
        samples = hn::Or(samples, hn::And(found, hn::Load(d, kTaps.mask[line])));
      }
      return samples;
    }
  }

 private:
  const int dc_;
  hn::Vec<D> lines_[3];  // By IntraLine.
};

// Writes the SATD of four predictions of a 4x4 block whose rows `source` repeats four times.
HWY_INLINE void satds_of_four(SampleRows source, hn::Vec<Intra4x4Predictions::D> p0,
                              hn::Vec<Intra4x4Predictions::D> p1,
                              hn::Vec<Intra4x4Predictions::D> p2,
                              hn::Vec<Intra4x4Predictions::D> p3, std::uint32_t* satds) {
  const hn::FixedTag<std::uint8_t, 16> d;
  const hn::FixedTag<std::uint32_t, 4> d_rows;
  const hn::FixedTag<std::uint64_t, 2> d_pairs;
  const auto rows = [&](auto p) HWY_ATTR { return hn::BitCast(d_rows, p); };
  const auto pairs = [&](auto p) HWY_ATTR { return hn::BitCast(d_pairs, p); };
  const auto upper01 = pairs(hn::InterleaveLower(d_rows, rows(p0), rows(p1)));
  const auto lower01 = pairs(hn::InterleaveUpper(d_rows, rows(p0), rows(p1)));
  const auto upper23 = pairs(hn::InterleaveLower(d_rows, rows(p2), rows(p3)));
  const auto lower23 = pairs(hn::InterleaveUpper(d_rows, rows(p2), rows(p3)));
  HWY_ALIGN std::uint8_t beside[4 * 16];  // The four predictions beside each other.
  hn::Store(hn::BitCast(d, hn::InterleaveLower(d_pairs, upper01, upper23)), d, beside);
  hn::Store(hn::BitCast(d, hn::InterleaveUpper(d_pairs, upper01, upper23)), d, beside + 16);
  hn::Store(hn::BitCast(d, hn::InterleaveLower(d_pairs, lower01, lower23)), d, beside + 32);
  hn::Store(hn::BitCast(d, hn::InterleaveUpper(d_pairs, lower01, lower23)), d, beside + 48);
  for (std::size_t x = 0; x < 16; x += kMostColumns) {
    strip_satds<kMostColumns>({source.samples + x, source.stride}, {beside + x, 16}, satds + x / 4);
  }
}

// Sets satds[mode] for all modes of a 4x4 block, also for those that its edge does not allow.
inline void intra_satds_4x4(const IntraEdge<4>& edge, SampleRows source,
                            std::uint32_t (&satds)[9]) {
  const hn::FixedTag<std::uint32_t, 4> d_rows;
  HWY_ALIGN std::uint32_t repeated[4 * 4];
  for (int y = 0; y < 4; ++y) {
    std::uint32_t row;
    std::memcpy(&row, source.samples + y * source.stride, 4);
    hn::Store(hn::Set(d_rows, row), d_rows, repeated + 4 * y);
  }
  const SampleRows rows = {reinterpret_cast<const std::uint8_t*>(repeated), 16};
  const Intra4x4Predictions predictions(edge);
  satds_of_four(rows, predictions.in_mode<0>(), predictions.in_mode<1>(), predictions.in_mode<2>(),
                predictions.in_mode<3>(), satds);
  satds_of_four(rows, predictions.in_mode<4>(), predictions.in_mode<5>(), predictions.in_mode<6>(),
                predictions.in_mode<7>(), satds + 4);
  const auto last = predictions.in_mode<8>();
  std::uint32_t last_satds[4];
  satds_of_four(rows, last, last, last, last, last_satds);
  satds[8] = last_satds[0];
}

// Has the result of predict_intra_16x16().
inline void predict_intra_16x16_rows(const IntraEdge<16>& edge, int mode, std::uint8_t* block,
                                     std::ptrdiff_t stride) {
  const hn::FixedTag<std::uint8_t, 16> d;
  if (mode == kIntra16x16Horizontal) {
    for (int y = 0; y < 16; ++y) std::memset(block + y * stride, edge.left(y), 16);
    return;
  }
  if (mode != kIntra16x16Plane) {
    const auto row = mode == kIntra16x16Vertical
                         ? hn::LoadU(d, edge.line + IntraEdge<16>::kCorner + 1)
                         : hn::Set(d, static_cast<std::uint8_t>(intra_dc(edge)));
    for (int y = 0; y < 16; ++y) hn::StoreU(row, d, block + y * stride);
    return;
  }
  int horizontal = 0;
  int vertical = 0;
  for (int i = 1; i <= 8; ++i) {
    horizontal += i * (edge.top(7 + i) - edge.top(7 - i));  // Index -1 is the corner.
    vertical += i * (edge.left(7 + i) - edge.left(7 - i));
  }
  const int b = (5 * horizontal + 32) >> 6;
  const int c = (5 * vertical + 32) >> 6;
  const int first = 16 * (edge.left(15) + edge.top(15)) + 16 - 7 * (b + c);
  // |b| and |c| are at most 717, so sums fit 16 bits.
  const hn::FixedTag<std::int16_t, 8> d_wide;
  const hn::FixedTag<std::uint8_t, 8> d_half;
  const auto steps = hn::Mul(hn::Iota(d_wide, 0), hn::Set(d_wide, static_cast<std::int16_t>(b)));
  for (int y = 0; y < 16; ++y) {
    for (int x = 0; x < 16; x += 8) {
      const auto start = hn::Set(d_wide, static_cast<std::int16_t>(first + c * y + b * x));
      const auto row = hn::ShiftRight<5>(hn::Add(start, steps));
      hn::StoreU(hn::DemoteTo(d_half, row), d_half, block + y * stride + x);
    }
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::h264
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_CPU_INTRA_SATD_INL_H_
