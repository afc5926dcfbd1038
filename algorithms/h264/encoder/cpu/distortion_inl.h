// SPDX-License-Identifier: Apache-2.0

// The sums of block_distortion.h in the vectors of the target being compiled. A part of
// encode_row_simd.cc, which is compiled once per target.

#include <millrace/algorithms/h264/encoder/macroblock/block_distortion.h>

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == defined(MILLRACE_ALGORITHMS_H264_ENCODER_CPU_DISTORTION_INL_H_)
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_CPU_DISTORTION_INL_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_CPU_DISTORTION_INL_H_
#else
#undef MILLRACE_ALGORITHMS_H264_ENCODER_CPU_DISTORTION_INL_H_
#endif

#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

HWY_BEFORE_NAMESPACE();
namespace millrace::h264 {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Most columns whose 16-bit differences a vector holds.
inline constexpr std::size_t kMostColumns = HWY_MAX_BYTES >= 32 ? 16 : 8;

// The Hadamard transforms of a strip of four rows of differences between two blocks, which are
// `columns` wide.
template <std::size_t columns>
struct StripTransform {
  using D = hn::FixedTag<std::int16_t, columns>;
  using Sums = hn::RebindToUnsigned<D>;
  using Pairs = hn::FixedTag<std::int32_t, columns / 2>;

  HWY_INLINE StripTransform(SampleRows a, SampleRows b, int y) {
    const D d;
    const hn::FixedTag<std::uint8_t, columns> d_bytes;
    const auto difference = [&](int row) HWY_ATTR {
      return hn::Sub(hn::PromoteTo(d, hn::LoadU(d_bytes, a.samples + row * a.stride)),
                     hn::PromoteTo(d, hn::LoadU(d_bytes, b.samples + row * b.stride)));
    };
    const auto d0 = difference(y);
    const auto d1 = difference(y + 1);
    const auto d2 = difference(y + 2);
    const auto d3 = difference(y + 3);
    const auto s01 = hn::Add(d0, d1);
    const auto d01 = hn::Sub(d0, d1);
    const auto s23 = hn::Add(d2, d3);
    const auto d23 = hn::Sub(d2, d3);
    total = hn::Add(s01, s23);
    const auto upper = hn::Add(larger(total), larger(hn::Sub(s01, s23)));
    const auto lower = hn::Add(larger(hn::Add(d01, d23)), larger(hn::Sub(d01, d23)));
    sizes = hn::BitCast(Sums(), hn::Add(upper, lower));
  }

  hn::Vec<D> total;  // Sum of the differences of each column.
  // Their sum over a 4x4 block is twice its SATD. Each is at most 8160, so that 16 bits hold the
  // sum of four strips.
  hn::Vec<Sums> sizes;

 private:
  // Along rows, the first step gives x0 + x1, x0 - x1, x2 + x3, x2 - x3. The last step would give
  // p + q and p - q of two values p, q that are at a distance of two lanes. Since |p + q| + |p - q|
  // is 2 * max(|p|, |q|), the maximum replaces it. Each maximum is in two lanes.
  static HWY_INLINE hn::Vec<D> larger(hn::Vec<D> row) {
    const D d;
    const Pairs d_pairs;
    const auto other = hn::Reverse2(d, row);
    const auto size = hn::Abs(hn::OddEven(hn::Sub(other, row), hn::Add(row, other)));
    return hn::Max(size, hn::BitCast(d, hn::Reverse2(d_pairs, hn::BitCast(d_pairs, size))));
  }
};

// Returns the sums of adjacent lanes.
template <std::size_t columns>
HWY_INLINE auto sums_of_pairs(hn::Vec<hn::FixedTag<std::uint16_t, columns>> sizes) {
  const hn::FixedTag<std::uint32_t, columns / 2> d_sums;
  const auto pairs = hn::BitCast(d_sums, sizes);
  return hn::Add(hn::And(pairs, hn::Set(d_sums, 0xffff)), hn::ShiftRight<16>(pairs));
}

// Returns block_satd() of `columns` columns.
template <std::size_t columns>
HWY_INLINE std::uint32_t columns_satd(SampleRows a, SampleRows b, int height) {
  // 16 bits hold the sum of four strips.
  auto sum = hn::Zero(hn::FixedTag<std::uint16_t, columns>());
  for (int y = 0; y < height; y += 4) {
    sum = hn::Add(sum, StripTransform<columns>(a, b, y).sizes);
  }
  const hn::FixedTag<std::uint32_t, columns / 2> d_sums;
  return hn::GetLane(hn::SumOfLanes(d_sums, sums_of_pairs<columns>(sum))) / 2;
}

// Writes block_satd() of each 4x4 block of a strip that is `columns` wide.
template <std::size_t columns>
HWY_INLINE void strip_satds(SampleRows a, SampleRows b, std::uint32_t* satds) {
  const hn::FixedTag<std::uint32_t, columns / 2> d_sums;
  const auto sums = sums_of_pairs<columns>(StripTransform<columns>(a, b, 0).sizes);
  HWY_ALIGN std::uint32_t halves[columns / 2];
  hn::Store(hn::ShiftRight<1>(hn::Add(sums, hn::Reverse2(d_sums, sums))), d_sums, halves);
  for (std::size_t block = 0; block < columns / 4; ++block) satds[block] = halves[2 * block];
}

// Returns block_satd() of two 16x16 blocks, and writes the sum of the differences of each 4x4
// block.
inline std::uint32_t satd_and_sums(SampleRows a, SampleRows b, std::int32_t (&sums)[16]) {
  constexpr std::size_t kColumns = kMostColumns;
  const hn::FixedTag<std::int16_t, kColumns> d;
  const hn::FixedTag<std::int32_t, kColumns / 2> d_pairs;
  std::uint32_t satd = 0;
  for (std::size_t x = 0; x < 16; x += kColumns) {
    const SampleRows from = {a.samples + x, a.stride};
    const SampleRows to = {b.samples + x, b.stride};
    auto sizes = hn::Zero(hn::FixedTag<std::uint16_t, kColumns>());
    for (int y = 0; y < 16; y += 4) {
      const StripTransform<kColumns> strip(from, to, y);
      sizes = hn::Add(sizes, strip.sizes);
      const auto pairs = hn::Add(strip.total, hn::Reverse2(d, strip.total));
      const auto others = hn::BitCast(d, hn::Reverse2(d_pairs, hn::BitCast(d_pairs, pairs)));
      HWY_ALIGN std::int16_t totals[kColumns];
      hn::Store(hn::Add(pairs, others), d, totals);
      for (std::size_t i = 0; i < kColumns; i += 4) sums[y + (x + i) / 4] = totals[i];
    }
    const hn::FixedTag<std::uint32_t, kColumns / 2> d_sums;
    satd += hn::GetLane(hn::SumOfLanes(d_sums, sums_of_pairs<kColumns>(sizes))) / 2;
  }
  return satd;
}

// Returns block_sad() of `columns` columns, 8 or 16.
template <std::size_t columns>
HWY_INLINE std::uint32_t columns_sad(SampleRows a, SampleRows b, int height) {
  const hn::FixedTag<std::uint8_t, columns> d;
  const hn::FixedTag<std::uint64_t, columns / 8> d_sums;
  auto sum = hn::Zero(d_sums);
  for (int y = 0; y < height; ++y) {
    const auto from = hn::LoadU(d, a.samples + y * a.stride);
    const auto to = hn::LoadU(d, b.samples + y * b.stride);
    sum = hn::Add(sum, hn::SumsOf8(hn::Sub(hn::Max(from, to), hn::Min(from, to))));
  }
  return static_cast<std::uint32_t>(hn::GetLane(hn::SumOfLanes(d_sums, sum)));
}

// Returns block_squared_error() of `columns` columns.
template <std::size_t columns>
HWY_INLINE std::uint32_t columns_squared_error(SampleRows a, SampleRows b, int height) {
  const hn::FixedTag<std::int16_t, columns> d;
  const hn::FixedTag<std::uint8_t, columns> d_bytes;
  const hn::FixedTag<std::int32_t, columns / 2> d_sums;
  auto sum = hn::Zero(d_sums);
  auto other_sum = hn::Zero(d_sums);
  for (int y = 0; y < height; ++y) {
    const auto difference = hn::Sub(hn::PromoteTo(d, hn::LoadU(d_bytes, a.samples + y * a.stride)),
                                    hn::PromoteTo(d, hn::LoadU(d_bytes, b.samples + y * b.stride)));
    sum = hn::ReorderWidenMulAccumulate(d_sums, difference, difference, sum, other_sum);
  }
  const auto sums = hn::Add(sum, other_sum);
  return static_cast<std::uint32_t>(hn::GetLane(hn::SumOfLanes(d_sums, sums)));
}

// Adds sum(first column, number of columns) over the columns of a block.
template <class Sum>
HWY_INLINE std::uint32_t sum_of_columns(SampleRows a, SampleRows b, int width, const Sum& sum) {
  std::uint32_t total = 0;
  const int step = width < static_cast<int>(kMostColumns) ? width : static_cast<int>(kMostColumns);
  for (int x = 0; x < width; x += step) {
    total += sum(SampleRows{a.samples + x, a.stride}, SampleRows{b.samples + x, b.stride});
  }
  return total;
}

inline std::uint32_t satd_of(SampleRows a, SampleRows b, int width, int height) {
  return sum_of_columns(a, b, width, [=](SampleRows from, SampleRows to) HWY_ATTR {
    if (width == 4) return columns_satd<4>(from, to, height);
    if (width == 8) return columns_satd<8>(from, to, height);
    return columns_satd<kMostColumns>(from, to, height);
  });
}

inline std::uint32_t sad_of(SampleRows a, SampleRows b, int width, int height) {
  if (width == 4) return block_sad(a, b, width, height);
  return width == 8 ? columns_sad<8>(a, b, height) : columns_sad<16>(a, b, height);
}

inline std::uint32_t squared_error_of(SampleRows a, SampleRows b, int width, int height) {
  return sum_of_columns(a, b, width, [=](SampleRows from, SampleRows to) HWY_ATTR {
    if (width == 4) return columns_squared_error<4>(from, to, height);
    if (width == 8) return columns_squared_error<8>(from, to, height);
    return columns_squared_error<kMostColumns>(from, to, height);
  });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::h264
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_CPU_DISTORTION_INL_H_
