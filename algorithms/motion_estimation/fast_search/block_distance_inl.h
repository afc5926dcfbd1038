// SPDX-License-Identifier: Apache-2.0

// Distances between blocks (block_distance_simd.h) in the vectors of the target being compiled, or
// without vectors on targets that have none. A part of block_distance_simd.cc, which is compiled
// once per target.

#include <millrace/algorithms/motion_estimation/fast_search/block_distance_simd.h>
#include <millrace/algorithms/motion_estimation/quarter_sample.h>

#include <hwy/highway.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == \
    defined(MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_BLOCK_DISTANCE_INL_H_)
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_BLOCK_DISTANCE_INL_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_BLOCK_DISTANCE_INL_H_
#else
#undef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_BLOCK_DISTANCE_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::motion {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR

template <class Sample>
std::uint32_t sad(const Samples<Sample>& a, const Samples<Sample>& b, const BlockSize& size) {
  int sum = 0;
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      sum += std::abs(a.data[y * a.stride + x] - b.data[y * b.stride + x]);
    }
  }
  return static_cast<std::uint32_t>(sum);
}

template <class Sample>
std::uint32_t satd(const Samples<Sample>& a, const Samples<Sample>& b, const BlockSize& size) {
  std::uint32_t sum = 0;
  for (int top = 0; top < size.height; top += 4) {
    for (int left = 0; left < size.width; left += 4) {
      int differences[16];
      for (int i = 0; i < 16; ++i) {
        const int x = left + i % 4;
        const int y = top + i / 4;
        differences[i] = a.data[y * a.stride + x] - b.data[y * b.stride + x];
      }
      sum += satd_4x4(differences);
    }
  }
  return sum;
}

template <class Sample>
void average(const Samples<Sample>& a, const Samples<Sample>& b, const BlockSize& size,
             Sample* out) {
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      const int sum = a.data[y * a.stride + x] + b.data[y * b.stride + x];
      out[16 * y + x] = static_cast<Sample>((sum + 1) >> 1);
    }
  }
}

template <class Sample>
std::uint32_t row_costs(const Samples<Sample>& block, const BlockSize& size,
                        const CandidateRow<Sample>& row, std::uint32_t* costs) {
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
  for (int i = 0; i < row.count; ++i) {
    const Samples<Sample> candidate{row.first.data + i, row.first.stride};
    costs[i] = 32 * sad(block, candidate, size) + row.rates[i];
    least = std::min(least, costs[i]);
  }
  return least;
}

#else  // HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

// Loads samples as signed words.
template <class D, class Sample>
HWY_INLINE hn::Vec<D> load_words(D d, const Sample* samples) {
  if constexpr (sizeof(Sample) == 1) {
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::uint8_t, D>(), samples));
  } else {
    return hn::BitCast(d, hn::LoadU(hn::RebindToUnsigned<D>(), samples));
  }
}

// Returns the sums of pairs of unsigned words as double words.
template <class D>
HWY_INLINE auto add_pairs(D /*d*/, hn::Vec<D> words) {
  const hn::Repartition<std::uint32_t, D> d32;
  const auto pairs = hn::BitCast(d32, words);
  return hn::Add(hn::And(pairs, hn::Set(d32, 0xffff)), hn::ShiftRight<16>(pairs));
}

template <class D, class V>
HWY_INLINE std::uint32_t sum_of(D d, V v) {
  return hn::GetLane(hn::SumOfLanes(d, v));
}

// Rows that words add without overflow: 4 rows of 10 bits, up to 16 sums.
constexpr int kRowsAtOnce = 4;

template <int kWidth, class Sample>
HWY_INLINE std::uint32_t sad_of_words(const Samples<Sample>& a, const Samples<Sample>& b,
                                      int height) {
  const hn::CappedTag<std::int16_t, kWidth> d;
  const hn::Repartition<std::uint32_t, decltype(d)> d32;
  auto sum = hn::Zero(d32);
  for (int top = 0; top < height; top += kRowsAtOnce) {
    auto words = hn::Zero(d);
    for (int y = top; y < top + kRowsAtOnce; ++y) {
      for (std::size_t x = 0; x < kWidth; x += hn::Lanes(d)) {
        words = hn::Add(words, hn::Abs(hn::Sub(load_words(d, a.data + y * a.stride + x),
                                               load_words(d, b.data + y * b.stride + x))));
      }
    }
    sum = hn::Add(sum, add_pairs(d, words));
  }
  return sum_of(d32, sum);
}

#if HWY_ARCH_X86

// Loads as many rows as fit in 16 bytes.
template <int kWidth>
HWY_INLINE __m128i load_rows(const Samples<std::uint8_t>& block, int y) {
  const std::uint8_t* const row = block.data + y * block.stride;
  if constexpr (kWidth == 16) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(row));
  } else if constexpr (kWidth == 8) {
    const auto* const next = reinterpret_cast<const __m128i*>(row + block.stride);
    return _mm_unpacklo_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(row)),
                              _mm_loadl_epi64(next));
  } else {
    const auto four = [&](int i) {
      int samples = 0;
      std::memcpy(&samples, row + i * block.stride, sizeof samples);
      return _mm_cvtsi32_si128(samples);
    };
    return _mm_unpacklo_epi64(_mm_unpacklo_epi32(four(0), four(1)),
                              _mm_unpacklo_epi32(four(2), four(3)));
  }
}

template <int kWidth>
HWY_INLINE std::uint32_t sad_of(const Samples<std::uint8_t>& a, const Samples<std::uint8_t>& b,
                                int height) {
  __m128i sum = _mm_setzero_si128();
  for (int y = 0; y < height; y += 16 / kWidth) {
    sum = _mm_add_epi32(sum, _mm_sad_epu8(load_rows<kWidth>(a, y), load_rows<kWidth>(b, y)));
  }
  return static_cast<std::uint32_t>(_mm_cvtsi128_si32(sum) +
                                    _mm_cvtsi128_si32(_mm_unpackhi_epi64(sum, sum)));
}

#else

template <int kWidth>
HWY_INLINE std::uint32_t sad_of(const Samples<std::uint8_t>& a, const Samples<std::uint8_t>& b,
                                int height) {
  return sad_of_words<kWidth>(a, b, height);
}

#endif  // HWY_ARCH_X86

template <int kWidth>
HWY_INLINE std::uint32_t sad_of(const Samples<std::uint16_t>& a, const Samples<std::uint16_t>& b,
                                int height) {
  return sad_of_words<kWidth>(a, b, height);
}

// Returns the larger magnitude of each two coefficients: |.| of the last step's sums and
// differences add up to twice the larger of their arguments. Lanes i and i ^ 2 both hold it.
template <class D>
HWY_INLINE hn::Vec<D> larger_of_columns(D d, hn::Vec<D> column) {
  const auto other = hn::Reverse2(d, column);
  const auto halves = hn::OddEven(hn::Sub(other, column), hn::Add(column, other));
  const auto absolute = hn::Abs(halves);
  const hn::Repartition<std::uint32_t, D> d32;
  return hn::Max(absolute, hn::BitCast(d, hn::Shuffle2301(hn::BitCast(d32, absolute))));
}

// Returns twice the sum of satd_4x4 of as many adjacent blocks as the vector holds.
template <class D, class Sample>
HWY_INLINE auto twice_satd(D d, const Samples<Sample>& a, const Samples<Sample>& b) {
  const auto row = [&](int y) {
    return hn::Sub(load_words(d, a.data + y * a.stride), load_words(d, b.data + y * b.stride));
  };
  const auto r0 = row(0);
  const auto r1 = row(1);
  const auto r2 = row(2);
  const auto r3 = row(3);
  const auto s01 = hn::Add(r0, r1);
  const auto d01 = hn::Sub(r0, r1);
  const auto s23 = hn::Add(r2, r3);
  const auto d23 = hn::Sub(r2, r3);
  const auto first =
      hn::Add(larger_of_columns(d, hn::Add(s01, s23)), larger_of_columns(d, hn::Sub(s01, s23)));
  const auto second =
      hn::Add(larger_of_columns(d, hn::Add(d01, d23)), larger_of_columns(d, hn::Sub(d01, d23)));
  return add_pairs(d, hn::Add(first, second));
}

template <int kWidth, class Sample>
HWY_INLINE std::uint32_t satd_of(const Samples<Sample>& a, const Samples<Sample>& b, int height) {
  const hn::CappedTag<std::int16_t, kWidth> d;
  const hn::Repartition<std::uint32_t, decltype(d)> d32;
  auto sum = hn::Zero(d32);
  for (int y = 0; y < height; y += 4) {
    for (std::size_t x = 0; x < kWidth; x += hn::Lanes(d)) {
      sum = hn::Add(sum, twice_satd(d, Samples<Sample>{a.data + y * a.stride + x, a.stride},
                                    Samples<Sample>{b.data + y * b.stride + x, b.stride}));
    }
  }
  return sum_of(d32, sum) / 2;
}

template <class Sample>
std::uint32_t sad(const Samples<Sample>& a, const Samples<Sample>& b, const BlockSize& size) {
  switch (size.width) {
    case 4: return sad_of<4>(a, b, size.height);
    case 8: return sad_of<8>(a, b, size.height);
    default: return sad_of<16>(a, b, size.height);
  }
}

template <class Sample>
std::uint32_t satd(const Samples<Sample>& a, const Samples<Sample>& b, const BlockSize& size) {
  switch (size.width) {
    case 4: return satd_of<4>(a, b, size.height);
    case 8: return satd_of<8>(a, b, size.height);
    default: return satd_of<16>(a, b, size.height);
  }
}

template <int kWidth, class Sample>
HWY_INLINE void average_of(const Samples<Sample>& a, const Samples<Sample>& b, int height,
                           Sample* HWY_RESTRICT out) {
  const hn::CappedTag<Sample, kWidth> d;
  for (int y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < kWidth; x += hn::Lanes(d)) {
      hn::StoreU(hn::AverageRound(hn::LoadU(d, a.data + y * a.stride + x),
                                  hn::LoadU(d, b.data + y * b.stride + x)),
                 d, out + 16 * y + x);
    }
  }
}

template <class Sample>
void average(const Samples<Sample>& a, const Samples<Sample>& b, const BlockSize& size,
             Sample* out) {
  switch (size.width) {
    case 4: return average_of<4>(a, b, size.height, out);
    case 8: return average_of<8>(a, b, size.height, out);
    default: return average_of<16>(a, b, size.height, out);
  }
}

// Adds |sample - candidate's sample| of a row of the block for as many candidates as
// candidate_block are lanes.
template <class D, class Sample>
HWY_INLINE hn::Vec<D> add_row(D d, const Sample* block, const Sample* candidates, int width,
                              hn::Vec<D> sums) {
  for (int x = 0; x < width; ++x) {
    const auto sample = hn::Set(d, static_cast<std::int16_t>(block[x]));
    sums = hn::Add(sums, hn::Abs(hn::Sub(sample, load_words(d, candidates + x))));
  }
  return sums;
}

template <class Sample>
std::uint32_t row_costs(const Samples<Sample>& block, const BlockSize& size,
                        const CandidateRow<Sample>& row, std::uint32_t* costs) {
  const hn::ScalableTag<std::int16_t> d;
  const hn::Repartition<std::uint32_t, decltype(d)> d32;
  const auto low = hn::Set(d32, 0xffff);
  auto least = hn::Set(d32, std::numeric_limits<std::uint32_t>::max());
  for (int first = 0; first < row.count; first += static_cast<int>(hn::Lanes(d))) {
    auto even = hn::Zero(d32);
    auto odd = hn::Zero(d32);
    for (int top = 0; top < size.height; top += kRowsAtOnce) {
      auto words = hn::Zero(d);
      for (int y = top; y < top + kRowsAtOnce; ++y) {
        words = add_row(d, block.data + y * block.stride,
                        row.first.data + y * row.first.stride + first, size.width, words);
      }
      const auto pairs = hn::BitCast(d32, words);
      even = hn::Add(even, hn::And(pairs, low));
      odd = hn::Add(odd, hn::ShiftRight<16>(pairs));
    }
    auto even_rates = hn::Undefined(d32);
    auto odd_rates = hn::Undefined(d32);
    hn::LoadInterleaved2(d32, row.rates + first, even_rates, odd_rates);
    even = hn::Add(hn::ShiftLeft<5>(even), even_rates);
    odd = hn::Add(hn::ShiftLeft<5>(odd), odd_rates);
    least = hn::Min(least, hn::Min(even, odd));
    hn::StoreInterleaved2(even, odd, d32, costs + first);
  }
  return hn::GetLane(hn::MinOfLanes(d32, least));
}

#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::motion
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_BLOCK_DISTANCE_INL_H_
