// SPDX-License-Identifier: Apache-2.0

// Inter prediction in the vectors of the target being compiled. A part of reconstruct_simd.cc,
// which is compiled once per target. Arithmetic of luma has 16 bits: the filter of six taps is a -
// 5b + 20c for the sums of its outer, middle and inner pairs, which is at most 10,710.

#include <millrace/algorithms/h264/reconstruction/inter_prediction.h>
#include <millrace/algorithms/h264/reconstruction/weighted_prediction.h>

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == \
    defined(MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_CPU_PREDICTION_INL_H_)
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_CPU_PREDICTION_INL_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_CPU_PREDICTION_INL_H_
#else
#undef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_CPU_PREDICTION_INL_H_
#endif

#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

HWY_BEFORE_NAMESPACE();
namespace millrace::h264 {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Vectors of up to `width` samples in 16 bits, and their bytes.
template <int width>
using Wide = hn::CappedTag<std::int16_t, width>;
template <class D>
using Bytes = hn::Rebind<std::uint8_t, D>;

template <class D>
HWY_INLINE hn::Vec<D> load_wide(D d, const std::uint8_t* from) {
  return hn::PromoteTo(d, hn::LoadU(Bytes<D>(), from));
}

// Calls row(x) for the first sample of each vector of a row.
template <int width, class Row>
HWY_INLINE void for_each_vector(const Row& row) {
  const Wide<width> d;
  for (std::size_t x = 0; x < width; x += hn::Lanes(d)) row(d, x);
}

// a - 5b + 20c.
template <class V>
HWY_INLINE V six_tap_sum(V a, V b, V c) {
  const V inner = hn::Sub(hn::ShiftLeft<2>(c), b);  // 4c - b
  return hn::Add(a, hn::Add(hn::ShiftLeft<2>(inner), inner));
}

template <class D>
HWY_INLINE hn::Vec<D> six_tap_sum_at(D d, const std::uint8_t* p) {
  const auto a = hn::Add(load_wide(d, p - 2), load_wide(d, p + 3));
  const auto b = hn::Add(load_wide(d, p - 1), load_wide(d, p + 2));
  const auto c = hn::Add(load_wide(d, p), load_wide(d, p + 1));
  return six_tap_sum(a, b, c);
}

// The rows that the filter needs for a row of half samples, as it moves down: values of 16 bits.
template <class V>
struct SixRows {
  V rows[6];

  HWY_INLINE void push(V row) {
    for (int i = 0; i < 5; ++i) rows[i] = rows[i + 1];
    rows[5] = row;
  }
  HWY_INLINE V outer() const { return hn::Add(rows[0], rows[5]); }
  HWY_INLINE V middle() const { return hn::Add(rows[1], rows[4]); }
  HWY_INLINE V inner() const { return hn::Add(rows[2], rows[3]); }
};

template <class D>
HWY_INLINE void store_bytes(D, hn::Vec<D> samples, std::uint8_t* to) {
  const Bytes<D> bytes;
  hn::StoreU(hn::DemoteTo(bytes, samples), bytes, to);
}

// Computes the half samples b.
template <int width>
HWY_INLINE void filter_b(SampleRows from, int height, std::uint8_t* to, std::ptrdiff_t stride) {
  for_each_vector<width>([&](auto d, std::size_t x) HWY_ATTR {
    for (int y = 0; y < height; ++y) {
      const auto sum = six_tap_sum_at(d, from.samples + y * from.stride + x);
      store_bytes(d, hn::ShiftRight<5>(hn::Add(sum, hn::Set(d, 16))), to + y * stride + x);
    }
  });
}

// Computes the half samples h.
template <int width>
HWY_INLINE void filter_h(SampleRows from, int height, std::uint8_t* to, std::ptrdiff_t stride) {
  for_each_vector<width>([&](auto d, std::size_t x) HWY_ATTR {
    const auto row = [&](int y)
                         HWY_ATTR { return load_wide(d, from.samples + y * from.stride + x); };
    SixRows<hn::Vec<decltype(d)>> six = {{row(-2), row(-2), row(-1), row(0), row(1), row(2)}};
    for (int y = 0; y < height; ++y) {
      six.push(row(y + kTapsAfter));
      const auto sum = six_tap_sum(six.outer(), six.middle(), six.inner());
      store_bytes(d, hn::ShiftRight<5>(hn::Add(sum, hn::Set(d, 16))), to + y * stride + x);
    }
  });
}

// Computes the half samples j. Division by 16 in two steps keeps the vertical sum in 16 bits; it is
// exact, since rounding down twice is rounding down once. A sum that saturates is clipped anyway.
template <int width>
HWY_INLINE void filter_j(SampleRows from, int height, std::uint8_t* to, std::ptrdiff_t stride) {
  for_each_vector<width>([&](auto d, std::size_t x) HWY_ATTR {
    const auto row = [&](int y)
                         HWY_ATTR { return six_tap_sum_at(d, from.samples + y * from.stride + x); };
    SixRows<hn::Vec<decltype(d)>> six = {{row(-2), row(-2), row(-1), row(0), row(1), row(2)}};
    for (int y = 0; y < height; ++y) {
      six.push(row(y + kTapsAfter));
      const auto a = six.outer(), b = six.middle(), c = six.inner();
      const auto quarter = hn::Sub(hn::ShiftRight<2>(hn::Sub(a, b)), b);
      const auto sixteenth = hn::Add(hn::ShiftRight<2>(hn::SaturatedAdd(quarter, c)), c);
      store_bytes(d, hn::ShiftRight<6>(hn::Add(sixteenth, hn::Set(d, 32))), to + y * stride + x);
    }
  });
}

// Replaces samples by their means with others.
template <int width>
HWY_INLINE void average(SampleRows other, int height, std::uint8_t* to, std::ptrdiff_t stride) {
  const hn::CappedTag<std::uint8_t, width> d;
  for (int y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; x += hn::Lanes(d)) {
      std::uint8_t* const sample = to + y * stride + x;
      hn::StoreU(hn::AverageRound(hn::LoadU(d, sample),
                                  hn::LoadU(d, other.samples + y * other.stride + x)),
                 d, sample);
    }
  }
}

template <int width>
HWY_INLINE void copy_block(SampleRows from, int height, std::uint8_t* to, std::ptrdiff_t stride) {
  const hn::CappedTag<std::uint8_t, width> d;
  for (int y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; x += hn::Lanes(d)) {
      hn::StoreU(hn::LoadU(d, from.samples + y * from.stride + x), d, to + y * stride + x);
    }
  }
}

// Predicts a block at (x, y) quarters; luma_sample() has the positions.
template <int width>
void predict_luma_block(SampleRows from, int x, int y, int height, std::uint8_t* to,
                        std::ptrdiff_t stride) {
  const SampleRows right = {from.samples + (x == 3 ? 1 : 0), from.stride};
  const SampleRows below = {from.samples + (y == 3 ? from.stride : 0), from.stride};
  HWY_ALIGN std::uint8_t other[16 * 16];
  if (x == 0 && y == 0) {
    copy_block<width>(from, height, to, stride);
  } else if (y == 0) {
    filter_b<width>(from, height, to, stride);
    if (x != 2) average<width>(right, height, to, stride);
  } else if (x == 0) {
    filter_h<width>(from, height, to, stride);
    if (y != 2) average<width>(below, height, to, stride);
  } else if (x == 2 || y == 2) {
    filter_j<width>(from, height, to, stride);
    if (x == 2 && y == 2) return;
    if (x == 2) filter_b<width>(below, height, other, 16);
    if (y == 2) filter_h<width>(right, height, other, 16);
    average<width>({other, 16}, height, to, stride);
  } else {
    filter_b<width>(below, height, to, stride);
    filter_h<width>(right, height, other, 16);
    average<width>({other, 16}, height, to, stride);
  }
}

// Predicts a block at (x, y) eighths. The weights' sum is 64, so sums fit 16 bits.
template <int width>
void predict_chroma_block(SampleRows from, int x, int y, int height, std::uint8_t* to,
                          std::ptrdiff_t stride) {
  if (x == 0 && y == 0) {
    copy_block<width>(from, height, to, stride);
    return;
  }
  for_each_vector<width>([&](auto d, std::size_t at) HWY_ATTR {
    const auto weighted = [&](auto samples, int weight) HWY_ATTR {
      return hn::Mul(samples, hn::Set(d, static_cast<std::int16_t>(weight)));
    };
    const auto row = [&](int i) HWY_ATTR {
      const std::uint8_t* const p = from.samples + i * from.stride + at;
      return hn::Add(weighted(load_wide(d, p), 8 - x), weighted(load_wide(d, p + 1), x));
    };
    auto above = row(0);
    for (int i = 0; i < height; ++i) {
      const auto below = row(i + 1);
      const auto sum = hn::Add(weighted(above, 8 - y), weighted(below, y));
      store_bytes(d, hn::ShiftRight<6>(hn::Add(sum, hn::Set(d, 32))), to + i * stride + at);
      above = below;
    }
  });
}

// Calls make(samples as integers of type T, their index) for the vectors of a block and stores what
// it returns, clipped to bytes.
template <int width, class T, class Make>
HWY_INLINE void transform_samples(int height, std::uint8_t* to, std::ptrdiff_t stride,
                                  const Make& make) {
  const hn::CappedTag<T, width> d;
  const hn::Rebind<std::uint8_t, decltype(d)> bytes;
  for (int y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; x += hn::Lanes(d)) {
      std::uint8_t* const sample = to + y * stride + x;
      const auto value = hn::PromoteTo(d, hn::LoadU(bytes, sample));
      hn::StoreU(hn::DemoteTo(bytes, make(d, value, y, x)), bytes, sample);
    }
  }
}

// Returns true if sums of samples by these weights, rounded, fit 16 bits.
HWY_INLINE bool are_sums_short(int first, int second, int rounding) {
  const int highest = (first > 0 ? first : 0) + (second > 0 ? second : 0);
  const int lowest = (first < 0 ? first : 0) + (second < 0 ? second : 0);
  return 255 * highest + rounding <= 32767 && 255 * lowest >= -32768;
}

template <int width, class T>
HWY_INLINE void weigh_samples(const BlockWeights& weights, int list, int height, std::uint8_t* to,
                              std::ptrdiff_t stride) {
  const int shift = weights.shift;
  const T rounding = static_cast<T>(shift > 0 ? 1 << (shift - 1) : 0);
  const T weight = static_cast<T>(weights.weight[list]);
  const T offset = static_cast<T>(weights.offset[list]);
  transform_samples<width, T>(
      height, to, stride, [&](auto d, auto value, int, std::size_t) HWY_ATTR {
        const auto sum = hn::Add(hn::Mul(value, hn::Set(d, weight)), hn::Set(d, rounding));
        return hn::Add(hn::ShiftRightSame(sum, shift), hn::Set(d, offset));
      });
}

template <int width>
void weigh_block(const BlockWeights& weights, int list, int height, std::uint8_t* to,
                 std::ptrdiff_t stride) {
  if (are_sums_short(weights.weight[list], 0, 1 << weights.shift)) {
    weigh_samples<width, std::int16_t>(weights, list, height, to, stride);
  } else {
    weigh_samples<width, std::int32_t>(weights, list, height, to, stride);
  }
}

template <int width, class T>
HWY_INLINE void combine_samples(const BlockWeights& weights, const std::uint8_t* second, int height,
                                std::uint8_t* to, std::ptrdiff_t stride) {
  const int shift = weights.shift;
  const T first_weight = static_cast<T>(weights.weight[0]);
  const T second_weight = static_cast<T>(weights.weight[1]);
  const T rounding = static_cast<T>(1 << shift);
  const T offset = static_cast<T>((weights.offset[0] + weights.offset[1] + 1) >> 1);
  transform_samples<width, T>(
      height, to, stride, [&](auto d, auto value, int y, std::size_t x) HWY_ATTR {
        const hn::Rebind<std::uint8_t, decltype(d)> bytes;
        const auto other = hn::PromoteTo(d, hn::LoadU(bytes, second + 16 * y + x));
        const auto sum = hn::Add(hn::Mul(value, hn::Set(d, first_weight)),
                                 hn::Mul(other, hn::Set(d, second_weight)));
        return hn::Add(hn::ShiftRightSame(hn::Add(sum, hn::Set(d, rounding)), shift + 1),
                       hn::Set(d, offset));
      });
}

template <int width>
void combine_blocks(const BlockWeights& weights, const std::uint8_t* second, int height,
                    std::uint8_t* to, std::ptrdiff_t stride) {
  if (weights.is_default) {
    average<width>({second, 16}, height, to, stride);
    return;
  }
  if (are_sums_short(weights.weight[0], weights.weight[1], 1 << weights.shift)) {
    combine_samples<width, std::int16_t>(weights, second, height, to, stride);
  } else {
    combine_samples<width, std::int32_t>(weights, second, height, to, stride);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::h264
HWY_AFTER_NAMESPACE();

#endif  // Vectors of fixed size.
#endif  // Include guard.
