// SPDX-License-Identifier: Apache-2.0

// Sums of absolute differences in rows of a search window, in the vectors of the target being
// compiled. A part of motion_simd.cc.

#include <millrace/algorithms/motion_estimation/cpu/candidate_costs_inl.h>
#include <millrace/algorithms/motion_estimation/cpu/sads_inl.h>
#include <millrace/algorithms/motion_estimation/cpu/search_rates.h>
#include <millrace/algorithms/motion_estimation/cpu/search_window.h>
#include <millrace/algorithms/motion_estimation/partition.h>

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == defined(MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_ROW_SUMS_INL_H_)
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_ROW_SUMS_INL_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_ROW_SUMS_INL_H_
#else
#undef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_ROW_SUMS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::motion {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// True if there are more than 16 vector registers, for the smallest sums of a quarter's nine
// partitions and their operands.
inline constexpr bool kHasManyRegisters =
    HWY_ARCH_X86 ? HWY_TARGET <= HWY_AVX3 : HWY_TARGET != HWY_SCALAR;

// First partition of each size in a quarter; the others are beside and below it.
template <int quarter>
struct QuarterPartitions {
  static constexpr int kX = quarter % 2;
  static constexpr int kY = quarter / 2;
  static constexpr int k8x8 = first_partition(PartitionSize::k8x8) + quarter;
  static constexpr int k8x4 = first_partition(PartitionSize::k8x4) + 4 * kY + kX;
  static constexpr int k4x8 = first_partition(PartitionSize::k4x8) + 4 * kY + 2 * kX;
  static constexpr int k4x4 = first_partition(PartitionSize::k4x4) + 8 * kY + 2 * kX;
};

// Some of a group's runs of rows.
struct RowRuns {
  int first_row;  // First row of the group.
  const RowRun* runs;
  std::size_t count;
  // columns() elements per run: its rates less the next one's; of the last one its rates.
  const std::uint16_t* excess;
  // one its rates.
  bool is_first;  // True if no run of the group has been searched before.
};

// The smallest floor(J / 32) of each partition in each column of a tile.
using LeastSums = std::uint16_t[kPartitions][hn::MaxLanes(SumTag())];

HWY_INLINE Sums never() { return hn::Set(SumTag(), SearchRates::kNever); }

// Computes sums for a quarter of the macroblock at a time, of its 4x4 blocks and from these of all
// its partitions. Keeps the smallest floor(J / 32) of a group of rows: 16 bits, because J / 32 is
// SAD + rate / 32, rounded down.
template <class Sample, class S>  // S: sums of absolute differences of these samples.
class RowSums {
 public:
  explicit RowSums(const SearchRates& rates) : rates_(rates) {}

  // Returns the memory into which S copies the window's samples for the tiles that are searched
  // next.
  typename S::Element* rows() { return rows_; }

  // Searches runs of rows in a tile, and updates `least` with smaller values, or sets it with the
  // group's first run. With kHasManyRegisters, partitions smaller than a quarter may be skipped in
  // runs whose rates alone are above the quarter's limit.
  HWY_INLINE void search(const CandidateCosts<Sample>& costs, const Tile& tile, const RowRuns& runs,
                         const std::uint16_t (&limits)[4], LeastSums& least) {
    tile_ = tile;
    least_ = &least;
    search_quarter<0>(costs, runs, limits[0]);
    search_quarter<1>(costs, runs, limits[1]);
    search_quarter<2>(costs, runs, limits[2]);
    search_quarter<3>(costs, runs, limits[3]);
    search_halves(runs);
  }

 private:
  static constexpr std::size_t kMostColumns = hn::MaxLanes(SumTag());

  template <int quarter>
  HWY_INLINE void search_quarter(const CandidateCosts<Sample>& costs, const RowRuns& runs,
                                 [[maybe_unused]] std::uint16_t limit) {
    if constexpr (kHasManyRegisters) {
      std::size_t far = 0;
      while (far < runs.count && rates_.least_coarse(runs.runs[far].bits) > limit) ++far;
      const Sums least_8x8 = far > 0 ? search_8x8<quarter>(costs, runs, far) : never();
      if (far == runs.count && !runs.is_first) {
        keep(runs, QuarterPartitions<quarter>::k8x8, least_8x8);
      } else {
        search_quarter_at_once<quarter>(costs, runs, far, least_8x8);
      }
    } else {
      search_upper_blocks<quarter>(costs, runs);
      search_lower_blocks<quarter>(costs, runs);
    }
  }

  // Computes only the quarter's sums for the runs before `end`.
  template <int quarter>
  HWY_INLINE Sums search_8x8(const CandidateCosts<Sample>& costs, const RowRuns& runs,
                             std::size_t end) {
    const SumTag d;
    const S upper_sads = sads<quarter, 0>(costs);
    const S lower_sads = sads<quarter, 4>(costs);
    Sums least = never();
    for (std::size_t r = 0; r < end; ++r) {
      const RowRun& run = runs.runs[r];
      const auto* rows = first_rows<quarter>(run);
      std::uint16_t* sums = quarters_[quarter] + columns() * (run.first - runs.first_row);
      for (int i = 0; i < run.count; ++i, rows += S::row_elements(), sums += columns()) {
        const PairSums upper = upper_sads(rows);
        const PairSums lower = lower_sads(rows);
        const Sums all =
            hn::Add(hn::Add(upper.left, upper.right), hn::Add(lower.left, lower.right));
        hn::Store(all, d, sums);
        least = hn::Min(least, all);
      }
      least = hn::SaturatedAdd(least, hn::Load(d, runs.excess + columns() * r));
    }
    return least;
  }

  // Updates a partition's least values with those of the runs.
  HWY_INLINE void keep(const RowRuns& runs, int partition, Sums least) {
    const SumTag d;
    std::uint16_t* const to = (*least_)[partition];
    if (!runs.is_first) least = hn::Min(least, hn::Load(d, to));
    hn::Store(least, d, to);
  }

  // The loops over runs are written out here and below. With their bodies as functions for one
  // loop, gcc 12 keeps the smallest sums in memory.
  template <int quarter>
  HWY_INLINE void search_quarter_at_once(const CandidateCosts<Sample>& costs, const RowRuns& runs,
                                         std::size_t begin, Sums l0) {
    const SumTag d;
    const S upper_sads = sads<quarter, 0>(costs);
    const S lower_sads = sads<quarter, 4>(costs);
    const Sums most = never();
    Sums l1 = most, l2 = most, l3 = most, l4 = most, l5 = most, l6 = most, l7 = most, l8 = most;
    for (std::size_t r = begin; r < runs.count; ++r) {
      const RowRun& run = runs.runs[r];
      const auto* rows = first_rows<quarter>(run);
      std::uint16_t* sums = quarters_[quarter] + columns() * (run.first - runs.first_row);
      for (int i = 0; i < run.count; ++i, rows += S::row_elements(), sums += columns()) {
        const PairSums upper = upper_sads(rows);
        const PairSums lower = lower_sads(rows);
        const Sums upper_sum = hn::Add(upper.left, upper.right);
        const Sums lower_sum = hn::Add(lower.left, lower.right);
        const Sums all = hn::Add(upper_sum, lower_sum);
        hn::Store(all, d, sums);
        l0 = hn::Min(l0, all);
        l1 = hn::Min(l1, upper_sum);
        l2 = hn::Min(l2, lower_sum);
        l3 = hn::Min(l3, hn::Add(upper.left, lower.left));
        l4 = hn::Min(l4, hn::Add(upper.right, lower.right));
        l5 = hn::Min(l5, upper.left);
        l6 = hn::Min(l6, upper.right);
        l7 = hn::Min(l7, lower.left);
        l8 = hn::Min(l8, lower.right);
      }
      const Sums excess = hn::Load(d, runs.excess + columns() * r);
      l0 = hn::SaturatedAdd(l0, excess);
      l1 = hn::SaturatedAdd(l1, excess);
      l2 = hn::SaturatedAdd(l2, excess);
      l3 = hn::SaturatedAdd(l3, excess);
      l4 = hn::SaturatedAdd(l4, excess);
      l5 = hn::SaturatedAdd(l5, excess);
      l6 = hn::SaturatedAdd(l6, excess);
      l7 = hn::SaturatedAdd(l7, excess);
      l8 = hn::SaturatedAdd(l8, excess);
    }
    using At = QuarterPartitions<quarter>;
    keep(runs, At::k8x8, l0);
    keep(runs, At::k8x4, l1);
    keep(runs, At::k8x4 + 2, l2);
    keep(runs, At::k4x8, l3);
    keep(runs, At::k4x8 + 1, l4);
    keep(runs, At::k4x4, l5);
    keep(runs, At::k4x4 + 1, l6);
    keep(runs, At::k4x4 + 4, l7);
    keep(runs, At::k4x4 + 5, l8);
  }

  // As search_quarter_at_once(), in two halves, each of which needs 16 registers.
  template <int quarter>
  HWY_INLINE void search_upper_blocks(const CandidateCosts<Sample>& costs, const RowRuns& runs) {
    const SumTag d;
    const S upper_sads = sads<quarter, 0>(costs);
    const Sums most = never();
    Sums l1 = most, l5 = most, l6 = most;
    for (std::size_t r = 0; r < runs.count; ++r) {
      const RowRun& run = runs.runs[r];
      const auto* rows = first_rows<quarter>(run);
      std::size_t to = columns() * (run.first - runs.first_row);
      for (int i = 0; i < run.count; ++i, rows += S::row_elements(), to += columns()) {
        const PairSums upper = upper_sads(rows);
        hn::Store(upper.left, d, upper_left_ + to);
        hn::Store(upper.right, d, upper_right_ + to);
        l1 = hn::Min(l1, hn::Add(upper.left, upper.right));
        l5 = hn::Min(l5, upper.left);
        l6 = hn::Min(l6, upper.right);
      }
      const Sums excess = hn::Load(d, runs.excess + columns() * r);
      l1 = hn::SaturatedAdd(l1, excess);
      l5 = hn::SaturatedAdd(l5, excess);
      l6 = hn::SaturatedAdd(l6, excess);
    }
    using At = QuarterPartitions<quarter>;
    keep(runs, At::k8x4, l1);
    keep(runs, At::k4x4, l5);
    keep(runs, At::k4x4 + 1, l6);
  }

  template <int quarter>
  HWY_INLINE void search_lower_blocks(const CandidateCosts<Sample>& costs, const RowRuns& runs) {
    const SumTag d;
    const S lower_sads = sads<quarter, 4>(costs);
    const Sums most = never();
    Sums l0 = most, l2 = most, l3 = most, l4 = most, l7 = most, l8 = most;
    for (std::size_t r = 0; r < runs.count; ++r) {
      const RowRun& run = runs.runs[r];
      const auto* rows = first_rows<quarter>(run);
      std::size_t to = columns() * (run.first - runs.first_row);
      for (int i = 0; i < run.count; ++i, rows += S::row_elements(), to += columns()) {
        const PairSums lower = lower_sads(rows);
        const Sums left = hn::Add(hn::Load(d, upper_left_ + to), lower.left);
        const Sums right = hn::Add(hn::Load(d, upper_right_ + to), lower.right);
        const Sums all = hn::Add(left, right);
        hn::Store(all, d, quarters_[quarter] + to);
        l0 = hn::Min(l0, all);
        l2 = hn::Min(l2, hn::Add(lower.left, lower.right));
        l3 = hn::Min(l3, left);
        l4 = hn::Min(l4, right);
        l7 = hn::Min(l7, lower.left);
        l8 = hn::Min(l8, lower.right);
      }
      const Sums excess = hn::Load(d, runs.excess + columns() * r);
      l0 = hn::SaturatedAdd(l0, excess);
      l2 = hn::SaturatedAdd(l2, excess);
      l3 = hn::SaturatedAdd(l3, excess);
      l4 = hn::SaturatedAdd(l4, excess);
      l7 = hn::SaturatedAdd(l7, excess);
      l8 = hn::SaturatedAdd(l8, excess);
    }
    using At = QuarterPartitions<quarter>;
    keep(runs, At::k8x8, l0);
    keep(runs, At::k8x4 + 2, l2);
    keep(runs, At::k4x8, l3);
    keep(runs, At::k4x8 + 1, l4);
    keep(runs, At::k4x4 + 4, l7);
    keep(runs, At::k4x4 + 5, l8);
  }

  template <int quarter, int y>
  HWY_INLINE S sads(const CandidateCosts<Sample>& costs) const {
    using At = QuarterPartitions<quarter>;
    return S(costs.current(), 8 * At::kX, 8 * At::kY + y);
  }

  template <int quarter>
  HWY_INLINE const typename S::Element* first_rows(const RowRun& run) const {
    const std::ptrdiff_t half =
        QuarterPartitions<quarter>::kX == 0 ? tile_.left_half : tile_.right_half;
    return rows_ + half + S::row_elements() * run.first;
  }

  // Adds sums of areas of a macroblock. 256 differences of 8 bits fit into 16, and fewer ports add
  // with saturation.
  static HWY_INLINE Sums add_sums(Sums a, Sums b) {
    if constexpr (sizeof(Sample) == 1) {
      return hn::Add(a, b);
    } else {
      return hn::SaturatedAdd(a, b);
    }
  }

  // Computes the partitions of 16 samples width or height from the sums of quarters.
  HWY_INLINE void search_halves(const RowRuns& runs) {
    const SumTag d;
    const Sums most = never();
    Sums l0 = most, l1 = most, l2 = most, l3 = most, l4 = most;
    for (std::size_t r = 0; r < runs.count; ++r) {
      const RowRun& run = runs.runs[r];
      const int first = run.first - runs.first_row;
      for (int row = first; row < first + run.count; ++row) {
        const auto quarter = [&](int q)
                                 HWY_ATTR { return hn::Load(d, quarters_[q] + columns() * row); };
        const Sums upper = add_sums(quarter(0), quarter(1));
        const Sums lower = add_sums(quarter(2), quarter(3));
        l0 = hn::Min(l0, add_sums(upper, lower));
        l1 = hn::Min(l1, upper);
        l2 = hn::Min(l2, lower);
        l3 = hn::Min(l3, add_sums(quarter(0), quarter(2)));
        l4 = hn::Min(l4, add_sums(quarter(1), quarter(3)));
      }
      const Sums excess = hn::Load(d, runs.excess + columns() * r);
      l0 = hn::SaturatedAdd(l0, excess);
      l1 = hn::SaturatedAdd(l1, excess);
      l2 = hn::SaturatedAdd(l2, excess);
      l3 = hn::SaturatedAdd(l3, excess);
      l4 = hn::SaturatedAdd(l4, excess);
    }
    keep(runs, 0, l0);
    keep(runs, 1, l1);
    keep(runs, 2, l2);
    keep(runs, 3, l3);
    keep(runs, 4, l4);
  }

  const SearchRates& rates_;
  Tile tile_;  // The current tile; `least_` has its least values.
  LeastSums* least_ = nullptr;
  alignas(64) typename S::Element rows_[(2 * kMostRange + kMacroblockWidth) * S::kMostRowElements];
  // Sums of a quarter's upper blocks, if it is searched in two halves.
  alignas(64) std::uint16_t upper_left_[RowGroup::kRows * kMostColumns];
  alignas(64) std::uint16_t upper_right_[RowGroup::kRows * kMostColumns];
  alignas(64) std::uint16_t quarters_[4][RowGroup::kRows * kMostColumns];
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::motion
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_ROW_SUMS_INL_H_
