// SPDX-License-Identifier: Apache-2.0

// The distortion of a macroblock against any position of the reference, with the filters of
// interpolation_inl.h. A part of motion_refine_simd.cc.

#include <millrace/algorithms/motion_estimation/cpu/interpolation_inl.h>
#include <millrace/algorithms/motion_estimation/cpu/refinement_blocks_inl.h>
#include <millrace/algorithms/motion_estimation/cpu/satd_inl.h>
#include <millrace/algorithms/motion_estimation/cpu/search_window.h>
#include <millrace/algorithms/motion_estimation/mode_choice.h>
#include <millrace/algorithms/motion_estimation/motion_reference.h>
#include <millrace/algorithms/motion_estimation/motion_search.h>

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == \
    defined(MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SKIP_DISTORTION_INL_H_)
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SKIP_DISTORTION_INL_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SKIP_DISTORTION_INL_H_
#else
#undef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SKIP_DISTORTION_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::motion {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR

// The definition, for targets without vectors.
template <class Sample>
class SkipDistortion {
 public:
  SkipDistortion(const SearchFrame<Sample>& frame, Precision precision)
      : frame_(frame), precision_(precision) {}

  std::uint32_t of(std::size_t macroblock) const {
    const MotionVector vector = skip_vector(predictor_of(frame_, macroblock), precision_);
    return partition_distortion(frame_, macroblock, partition_at(0), vector, precision_);
  }

 private:
  const SearchFrame<Sample>& frame_;
  const Precision precision_;
};

#else  // HWY_TARGET != HWY_SCALAR

// A macroblock as Fours: 16 bytes per row.
template <class Sample>
class RowsOfFours {
 public:
  HWY_INLINE void put(int y, const Sample* row) {
    for (std::size_t k = 0; k < sizeof(Sample); ++k) {
      for (std::size_t block = 0; block < 4; ++block) {
        std::memcpy(bytes_[k][y] + 4 * block, row + 4 * block + 2 * k, 4);
      }
    }
  }

  // Returns the transformed blocks of as many rows of blocks as fit in a vector, from this one on.
  HWY_INLINE Transformed transformed(int block_row) const {
    return transform(pairs(4 * block_row), pairs(4 * block_row + 1), pairs(4 * block_row + 2),
                     pairs(4 * block_row + 3));
  }

 private:
  HWY_INLINE RowPairs pairs(int y) const {
    Fours<Sample> fours;
    for (std::size_t k = 0; k < sizeof(Sample); ++k) {
      const auto row = [&](int i) HWY_ATTR { return bytes_[k][(y + 4 * i) % kMacroblockWidth]; };
      fours.vectors[k] = load_block_bytes(BlockTag(), row(0), row(1), row(2), row(3));
    }
    return row_pairs(fours);
  }

  alignas(64) std::uint8_t bytes_[sizeof(Sample)][kMacroblockWidth][16];
};

template <class Sample>
class SkipDistortion {
 public:
  SkipDistortion(const SearchFrame<Sample>& frame, Precision precision)
      : frame_(frame), precision_(precision) {}

  std::uint32_t of(std::size_t macroblock) {
    const auto per_row = static_cast<std::size_t>(frame_.current.macroblocks_per_row());
    const MotionVector vector = skip_vector(predictor_of(frame_, macroblock), precision_);
    const int x = static_cast<int>(macroblock % per_row) * kMacroblockWidth + (vector.x >> 2);
    const int y = static_cast<int>(macroblock / per_row) * kMacroblockWidth + (vector.y >> 2);
    const Sample* const current = frame_.current.macroblock(macroblock);
    if (precision_ == Precision::kInteger) {
      window_.move(frame_.reference, x, y, kMacroblockWidth, kMacroblockWidth);
      return sad_of(current);
    }
    window_.move(frame_.reference, x - Filter::kBefore, y - Filter::kBefore,
                 Filter::kBefore + kPairs + Filter::kSlack,
                 Filter::kBefore + kRows + Filter::kBehind);
    for (int row = 0; row < kRows; ++row) {
      filter_.run(window_, Filter::kBefore, row, kPairs, pairs_[0][row], pairs_[1][row]);
    }
    return satd_of(current, vector.x & 3, vector.y & 3);
  }

 private:
  using Filter = Interpolation<Sample>;

  // Rows up to the one below the macroblock's last; likewise columns.
  static constexpr int kRows = kMacroblockWidth + 1;
  static constexpr int kPairs = 32;

  std::uint32_t sad_of(const Sample* current) const {
    int sum = 0;
    for (int y = 0; y < kMacroblockWidth; ++y) {
      const Sample* const row = window_.row(y);
      for (int x = 0; x < kMacroblockWidth; ++x) sum += std::abs(current[x] - row[x]);
      current += frame_.current.stride;
    }
    return static_cast<std::uint32_t>(sum);
  }

  // Returns the SATD against the samples this many quarters right of and below the window's whole
  // samples.
  std::uint32_t satd_of(const Sample* current, int quarters_x, int quarters_y) const {
    // Finds the half samples around the position. In the middle of four, the mean is of b and h.
    int first_x = quarters_x / 2;
    int second_x = (quarters_x + 1) / 2;
    const int first_y = quarters_y / 2;
    const int second_y = (quarters_y + 1) / 2;
    if (quarters_y % 2 != 0 && (first_x + first_y) % 2 == 0) std::swap(first_x, second_x);
    RowsOfFours<Sample> samples;
    RowsOfFours<Sample> means;
    for (int y = 0; y < kMacroblockWidth; ++y) {
      samples.put(y, current + y * frame_.current.stride);
      Sample row[kMacroblockWidth];
      make_means(half_samples(first_x, 2 * y + first_y), half_samples(second_x, 2 * y + second_y),
                 row);
      means.put(y, row);
    }
    Satds sum = hn::Zero(SatdTag());
    for (int block_row = 0; block_row < 4; block_row += kBlocksPerVector) {
      alignas(64) std::int16_t transformed[8 * hn::MaxLanes(PairTag())];
      store(samples.transformed(block_row), transformed);
      sum = hn::Add(sum, satd(transformed, means.transformed(block_row)));
    }
    return hn::GetLane(hn::SumOfLanes(SatdTag(), sum));
  }

  // Returns the samples from (x, y) in half samples on, every other one of the row.
  const Sample* half_samples(int x, int y) const { return pairs_[y % 2][y / 2] + x; }

  static HWY_INLINE void make_means(const Sample* first, const Sample* second, Sample* means) {
    const hn::CappedTag<Sample, kMacroblockWidth> d;
    for (std::size_t x = 0; x < kMacroblockWidth; x += hn::Lanes(d)) {
      hn::Vec<decltype(d)> a;
      hn::Vec<decltype(d)> b;
      hn::Vec<decltype(d)> between;
      hn::LoadInterleaved2(d, first + 2 * x, a, between);
      hn::LoadInterleaved2(d, second + 2 * x, b, between);
      hn::StoreU(hn::AverageRound(a, b), d, means + x);
    }
  }

  const SearchFrame<Sample>& frame_;
  const Precision precision_;
  SearchWindow<Sample> window_;
  Filter filter_;
  Sample pairs_[2][kRows][2 * kPairs];
};

#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::motion
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SKIP_DISTORTION_INL_H_
