// SPDX-License-Identifier: Apache-2.0

// Distances between blocks (block_distance_simd.h) for processors without vectors. A part of
// block_distance_simd.cc, which is compiled once per target.

#include <hwy/highway.h>
#include <millrace/algorithms/motion_estimation/fast_search/block_distance_simd.h>
#include <millrace/algorithms/motion_estimation/quarter_sample.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == \
    defined(MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_BLOCK_DISTANCE_SCALAR_INL_H_)
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_BLOCK_DISTANCE_SCALAR_INL_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_BLOCK_DISTANCE_SCALAR_INL_H_
#else
#undef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_BLOCK_DISTANCE_SCALAR_INL_H_
#endif

#if HWY_TARGET == HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace millrace::motion {
namespace HWY_NAMESPACE {
namespace {

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

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::motion
HWY_AFTER_NAMESPACE();
#endif  // HWY_TARGET == HWY_SCALAR

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_BLOCK_DISTANCE_SCALAR_INL_H_
