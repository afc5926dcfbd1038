// SPDX-License-Identifier: Apache-2.0

// Sums of absolute differences of one partition at vertically adjacent positions, in the
// instructions of the target being compiled. A part of motion_simd.cc.

#include <millrace/algorithms/motion_estimation/cpu/eight_samples_inl.h>
#include <millrace/algorithms/motion_estimation/cpu/search_window.h>
#include <millrace/algorithms/motion_estimation/partition.h>

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == defined(MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_COLUMNS_INL_H_)
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_COLUMNS_INL_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_COLUMNS_INL_H_
#else
#undef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_COLUMNS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::motion {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Lanes are vertically adjacent candidates.
using ColumnTag = hn::CappedTag<std::uint16_t, 32>;
using ColumnSums = hn::Vec<ColumnTag>;

constexpr int kTransposed = 16;

constexpr int round_up(int value, int multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// Transposes 16 columns of as many rows as D has bytes, at least 16, into rows of `to`.
template <class D, class T>
HWY_INLINE void transpose(D d, const T* from, std::ptrdiff_t stride, T* to,
                          std::ptrdiff_t to_stride) {
  const int height = std::max(kTransposed, static_cast<int>(hn::Lanes(d)));
  for (int x = 0; x < kTransposed; ++x) {
    for (int y = 0; y < height; ++y) to[x * to_stride + y] = from[y * stride + x];
  }
}

#if HWY_TARGET != HWY_SCALAR

template <class D>
struct SixteenRows {
  hn::Vec<D> at[kTransposed];
};

// Loads the first 16 bytes of as many rows as D has blocks of 16, at a distance of `stride`.
template <class D>
HWY_INLINE hn::Vec<D> load_blocks(D d, const std::uint8_t* from, std::ptrdiff_t stride) {
  if constexpr (hn::MaxLanes(d) > kTransposed) {
    const hn::Half<D> half;
    const auto blocks = static_cast<std::ptrdiff_t>(hn::MaxLanes(half)) / kTransposed;
    return hn::Combine(d, load_blocks(half, from + blocks * stride, stride),
                       load_blocks(half, from, stride));
  } else {
    return hn::LoadU(d, from);
  }
}

// Interleaves the bytes of each row with those of the row eight below; four such steps transpose
// all rows.
template <class D, std::size_t... kRow>
HWY_INLINE SixteenRows<D> interleave(const SixteenRows<D>& rows,
                                     std::index_sequence<kRow...> /*rows*/) {
  return {
      {(kRow % 2 == 0 ? hn::InterleaveLower(D(), rows.at[kRow / 2], rows.at[kRow / 2 + 8])
                      : hn::InterleaveUpper(D(), rows.at[kRow / 2], rows.at[kRow / 2 + 8]))...}};
}

template <class D, std::size_t... kRow>
HWY_INLINE void transpose_blocks(D d, const std::uint8_t* from, std::ptrdiff_t stride,
                                 std::uint8_t* to, std::ptrdiff_t to_stride,
                                 std::index_sequence<kRow...> all) {
  SixteenRows<D> rows = {
      {load_blocks(d, from + static_cast<std::ptrdiff_t>(kRow) * stride, kTransposed * stride)...}};
  rows = interleave(interleave(rows, all), all);
  rows = interleave(interleave(rows, all), all);
  (hn::StoreU(rows.at[kRow], d, to + static_cast<std::ptrdiff_t>(kRow) * to_stride), ...);
}

template <class D>
HWY_INLINE void transpose(D d, const std::uint8_t* from, std::ptrdiff_t stride, std::uint8_t* to,
                          std::ptrdiff_t to_stride) {
  transpose_blocks(d, from, stride, to, to_stride, std::make_index_sequence<kTransposed>());
}

#endif  // HWY_TARGET != HWY_SCALAR

// A macroblock and its search window, transposed so that columns are contiguous. The window's
// columns are transposed on demand, sixteen at a time.
template <class Sample>
class Columns {
 public:
  // Sets the macroblock, 16 samples per row, and the window of `size` candidates in width and
  // height. The window has 16 samples more than that in both, rounded up to multiples of sixteen.
  // It is read until the next call.
  HWY_INLINE void set(const Sample* current, const SearchWindow<Sample>& window, int size) {
    const hn::CappedTag<std::uint8_t, kTransposed> d;
    transpose(d, current, kMacroblockWidth, current_, kMacroblockWidth);
    from_ = &window;
    rows_ = round_up(size + kMacroblockWidth - 1, kTransposed);
    ready_ = 0;
    // Vectors may begin at the last row, and have 64 bytes or 32 samples.
    stride_ = round_up(size, static_cast<int>(hn::MaxLanes(ColumnTag()))) + 64;
    window_.resize(static_cast<std::size_t>(stride_ * rows_));
  }

  // Returns the sums of a partition kWidth x kHeight at (x, y) of the macroblock, for the
  // candidates of the window from (column, row) downwards. 65535 stands for that or more.
  template <int kWidth, int kHeight>
  HWY_INLINE ColumnSums sums(const Partition& partition, int column, int row) {
    const int first = column + partition.x;
    make_ready(first / kTransposed);
    make_ready((first + kWidth - 1) / kTransposed);
    const Sample* const current = current_ + kMacroblockWidth * partition.x + partition.y;
    const Sample* const window = window_.data() + stride_ * first + row + partition.y;
    return add_columns<kHeight>(hn::Zero(ColumnTag()), current, window,
                                std::make_integer_sequence<int, kWidth>());
  }

  // Calls take(partition, sums) with the result of sums() for each partition.
  template <class Take>
  HWY_INLINE void take_sums(int column, int row, const Take& take) {
    make_ready(column / kTransposed);
    make_ready((column + kMacroblockWidth - 1) / kTransposed);
    ColumnSums blocks[16];
    const Sample* const window = window_.data() + stride_ * column + row;
    for (int x = 0; x < 4; ++x) {
      for (int y = 0; y < 4; ++y) blocks[4 * y + x] = hn::Zero(ColumnTag());
      for (int i = 4 * x; i < 4 * x + 4; ++i) {
        add_fours(current_ + kMacroblockWidth * i, window + stride_ * i, blocks + x);
      }
    }
    take_partitions(blocks, take);
  }

 private:
  // Calls take(partition, sums) for all partitions, with sums derived from those of the 4x4 ones.
  template <class Take>
  static HWY_INLINE void take_partitions(const ColumnSums (&blocks)[16], const Take& take) {
    constexpr int k8x8 = first_partition(PartitionSize::k8x8);
    constexpr int k8x4 = first_partition(PartitionSize::k8x4);
    constexpr int k4x8 = first_partition(PartitionSize::k4x8);
    constexpr int k4x4 = first_partition(PartitionSize::k4x4);
    ColumnSums quarters[4];
    for (int quarter = 0; quarter < 4; ++quarter) {
      const int x = quarter % 2;
      const int y = quarter / 2;
      const int first = 8 * y + 2 * x;
      const ColumnSums upper = hn::SaturatedAdd(blocks[first], blocks[first + 1]);
      const ColumnSums lower = hn::SaturatedAdd(blocks[first + 4], blocks[first + 5]);
      take(k8x4 + 4 * y + x, upper);
      take(k8x4 + 4 * y + x + 2, lower);
      for (int i = 0; i < 2; ++i) {
        take(k4x8 + 4 * y + 2 * x + i, hn::SaturatedAdd(blocks[first + i], blocks[first + i + 4]));
        take(k4x4 + first + i, blocks[first + i]);
        take(k4x4 + first + i + 4, blocks[first + i + 4]);
      }
      quarters[quarter] = hn::SaturatedAdd(upper, lower);
      take(k8x8 + quarter, quarters[quarter]);
    }
    const ColumnSums upper = hn::SaturatedAdd(quarters[0], quarters[1]);
    const ColumnSums lower = hn::SaturatedAdd(quarters[2], quarters[3]);
    take(0, hn::SaturatedAdd(upper, lower));
    take(1, upper);
    take(2, lower);
    take(3, hn::SaturatedAdd(quarters[0], quarters[2]));
    take(4, hn::SaturatedAdd(quarters[1], quarters[3]));
  }

  // Adds a column of the macroblock to the sums of its four 4x4 blocks, which are sums[0], [4], [8]
  // and [12].
  template <class T>
  static HWY_INLINE void add_fours(const T* current, const T* window, ColumnSums* sums) {
    for (int y = 0; y < 4; ++y) {
      sums[4 * y] = add_column<4>(sums[4 * y], current + 4 * y, window + 4 * y);
    }
  }

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_SSE4
  static HWY_INLINE void add_fours(const std::uint8_t* current, const std::uint8_t* window,
                                   ColumnSums* sums) {
    const hn::Repartition<std::uint8_t, ColumnTag> d;
    for (int y = 0; y < 4; y += 2) {
      const EightSamples<ColumnTag> samples(current + 4 * y);
      const auto rows = overlapping_blocks(d, window + 4 * y);
      sums[4 * y] = hn::Add(sums[4 * y], samples.template sums<0>(rows));
      sums[4 * y + 4] = hn::Add(sums[4 * y + 4], samples.template sums<4>(rows));
    }
  }
#endif

  // Transposes sixteen columns, block `block` of the window.
  HWY_INLINE void make_ready(int block) {
    if (HWY_UNLIKELY((ready_ >> block & 1) == 0)) transpose_block(block);
  }

  HWY_NOINLINE void transpose_block(int block) {
    int y = transpose_strips<4 * kTransposed>(block, 0);
    y = transpose_strips<2 * kTransposed>(block, y);
    transpose_strips<kTransposed>(block, y);
    ready_ |= 1U << block;
  }

  // Transposes strips of rows from `y` on, each as high as a vector of at most kRows bytes, until
  // fewer rows are left. Returns the first of those.
  template <int kRows>
  HWY_INLINE int transpose_strips(int block, int y) {
    const hn::CappedTag<std::uint8_t, kRows> d;
    const int height = std::max(kTransposed, static_cast<int>(hn::Lanes(d)));
    const int x = kTransposed * block;
    for (; y + height <= rows_; y += height) {
      transpose(d, from_->row(y) + x, from_->stride(), window_.data() + x * stride_ + y, stride_);
    }
    return y;
  }

  // Unrolled, because a loop would take longer than a column does.
  template <int kHeight, int... kColumn>
  HWY_INLINE ColumnSums add_columns(ColumnSums sum, const Sample* current, const Sample* window,
                                    std::integer_sequence<int, kColumn...> /*columns*/) const {
    ((sum = add_column<kHeight>(sum, current + kMacroblockWidth * kColumn,
                                window + stride_ * kColumn)),
     ...);
    return sum;
  }

  template <int kHeight, class T>
  static HWY_INLINE ColumnSums add_column(ColumnSums sum, const T* current, const T* window) {
    const ColumnTag d;
    const hn::Rebind<T, ColumnTag> from;
    const hn::RebindToSigned<ColumnTag> ds;
    for (int y = 0; y < kHeight; ++y) {
      const auto reference = widened(hn::LoadU(from, window + y));
      const auto difference = hn::BitCast(ds, hn::Sub(reference, hn::Set(d, current[y])));
      sum = hn::SaturatedAdd(sum, hn::BitCast(d, hn::Abs(difference)));
    }
    return sum;
  }

  static HWY_INLINE ColumnSums widened(hn::Vec<hn::Rebind<Sample, ColumnTag>> samples) {
    if constexpr (sizeof(Sample) == 2) {
      return samples;
    } else {
      return hn::PromoteTo(ColumnTag(), samples);
    }
  }

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_SSE4
  template <int kHeight>
  static HWY_INLINE ColumnSums add_column(ColumnSums sum, const std::uint8_t* current,
                                          const std::uint8_t* window) {
    const hn::Repartition<std::uint8_t, ColumnTag> d;
    for (int y = 0; y < kHeight; y += 8) {
      const EightSamples<ColumnTag> samples(current + y);
      const auto rows = overlapping_blocks(d, window + y);
      sum = hn::Add(sum, samples.template sums<0>(rows));
      if constexpr (kHeight > 4) sum = hn::Add(sum, samples.template sums<4>(rows));
    }
    return sum;
  }
#endif

  // Has slack for reads behind the last column.
  Sample current_[kMacroblockWidth * (kMacroblockWidth + 1)];
  const SearchWindow<Sample>* from_ = nullptr;
  int rows_ = 0;
  std::uint32_t ready_ = 0;  // Mask of the blocks of columns that window_ has.
  std::ptrdiff_t stride_ = 0;
  std::vector<Sample> window_;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::motion
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_COLUMNS_INL_H_
