// SPDX-License-Identifier: Apache-2.0

// Minima of the sums of absolute differences plus rates, in the vectors of the target being
// compiled. A part of motion_simd.cc.

#include <millrace/algorithms/motion_estimation/cpu/candidate_costs_inl.h>
#include <millrace/algorithms/motion_estimation/cpu/row_sums_inl.h>
#include <millrace/algorithms/motion_estimation/cpu/sads_inl.h>
#include <millrace/algorithms/motion_estimation/cpu/search_rates.h>
#include <millrace/algorithms/motion_estimation/cpu/search_window.h>
#include <millrace/algorithms/motion_estimation/partition.h>

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == \
    defined(MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SMALLEST_SUMS_INL_H_)
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SMALLEST_SUMS_INL_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SMALLEST_SUMS_INL_H_
#else
#undef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SMALLEST_SUMS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::motion {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Computes the sums of RowSums for all groups of rows of a window in all tiles of columns. With
// enough registers, rows near the predictor are searched first: the rates of far rows alone often
// exceed the near sums of partitions smaller than 8x8.
template <class Sample, class S>  // S: sums of absolute differences of these samples.
class SmallestSums {
 public:
  // A tile of columns in a group of rows.
  struct Cell {
    Tile tile;
    int first_row;
  };

  static constexpr std::size_t kMostColumns = hn::MaxLanes(SumTag());
  static constexpr std::size_t kMostGroups = 2 * kMostRange / RowGroup::kRows;
  static constexpr std::size_t kMostCells = kMostGroups * (2 * kMostRange / kMostColumns);
  static_assert(kMostCells % 4 == 0);

  explicit SmallestSums(const SearchRates& rates) : rates_(rates), sums_(rates) {}

  // Searches all cells of a window, except for some that are above a partition's smallest sum.
  HWY_INLINE void find(const CandidateCosts<Sample>& costs) {
    const int size = 2 * rates_.range();
    has_excess_ = excess_of_ == costs.roundings();
    excess_of_ = costs.roundings();
    cell_count_ = 0;
    std::ranges::fill(smallest_, SearchRates::kNever);
    std::ranges::fill(limits_, SearchRates::kNever);
    // Starts in the middle, where the smallest sums are likely to be.
    const int step = static_cast<int>(columns()) * (S::kHasPairs ? 2 : 1);
    const int steps = (size + step - 1) / step;
    for (int i = 0; i < steps; ++i) {
      const int first = step * (steps / 2 + (i % 2 == 0 ? i / 2 : -(i + 1) / 2));
      search_columns(costs, first, size - first);
    }
    for (int cell = cell_count_; cell % 4 != 0; ++cell) {
      clear(cell);
    }
  }

  // Returns the number of cells of the last find().
  HWY_INLINE int cell_count() const { return cell_count_; }
  HWY_INLINE const Cell& cell(int index) const { return cells_[index]; }

  // Returns the sums of each column of a cell.
  HWY_INLINE const std::uint16_t* in(int cell, int partition) const {
    return least_[cell][partition];
  }

  // Returns the smallest sums of four cells from `cell` on; some of them may be behind the last.
  HWY_INLINE Sums smallest_of_four(int cell, int partition) const {
    const SumTag d;
    return hn::Min(
        hn::Min(hn::Load(d, in(cell, partition)), hn::Load(d, in(cell + 1, partition))),
        hn::Min(hn::Load(d, in(cell + 2, partition)), hn::Load(d, in(cell + 3, partition))));
  }

 private:
  HWY_INLINE void make_excess(const CandidateCosts<Sample>& costs, const RowGroup& group) {
    const Tile& tile = cells_[cell_count_].tile;
    const auto rates_of = [&](const RowRun& run) HWY_ATTR {
      return S::load_columns(costs.coarse_rates(run.bits), tile);
    };
    std::uint16_t* to = excess_[cell_count_];
    for (std::size_t i = 0; i < group.runs.size(); ++i, to += columns()) {
      const bool is_last = i + 1 == group.runs.size() || (kHasManyRegisters && i + 1 == group.far);
      Sums excess = rates_of(group.runs[i]);
      if (!is_last) excess = hn::Sub(excess, rates_of(group.runs[i + 1]));
      hn::Store(excess, SumTag(), to);
    }
  }

  // Searches the window's columns from `first` on, of which `left` remain: two tiles, or one if it
  // covers them.
  HWY_INLINE void search_columns(const CandidateCosts<Sample>& costs, int first, int left) {
    const int rows = 2 * rates_.range() + kMacroblockWidth - 1;
    if constexpr (S::kHasPairs) {
      if (left > static_cast<int>(columns())) {
        S::copy(costs.window(), first, rows, sums_.rows());
        const Tile tiles[] = {S::copied(first, 0), S::copied(first, 1)};
        search_tiles(costs, tiles);
        return;
      }
    }
    S::expand(costs.window(), first, rows, sums_.rows());
    const Tile tiles[] = {S::expanded(first)};
    search_tiles(costs, tiles);
  }

  template <int kTiles>
  HWY_INLINE void search_tiles(const CandidateCosts<Sample>& costs, const Tile (&tiles)[kTiles]) {
    const int first_cell = cell_count_;
    for (const Tile& tile : tiles) {
      for (const RowGroup& group : costs.row_groups()) {
        cells_[cell_count_] = {tile, group.first};
        if (!has_excess_) make_excess(costs, group);
        if constexpr (kHasManyRegisters) {
          search_near_rows(costs, cell_count_, group);
        } else {
          search_runs(costs, cell_count_, group, 0, group.runs.size());
        }
        ++cell_count_;
      }
    }
    if constexpr (kHasManyRegisters) {
      set_limits(first_cell);
      int cell = first_cell;
      for (int i = 0; i < kTiles; ++i) {
        for (const RowGroup& group : costs.row_groups()) {
          if (group.far > 0) search_runs(costs, cell, group, 0, group.far);
          ++cell;
        }
      }
    }
  }

  HWY_INLINE void search_near_rows(const CandidateCosts<Sample>& costs, int cell,
                                   const RowGroup& group) {
    if (group.far < group.runs.size()) {
      search_runs(costs, cell, group, group.far, group.runs.size());
    } else {
      clear(cell);
    }
  }

  // Searches a group's runs from `begin` to before `end`; the last ones come first.
  HWY_INLINE void search_runs(const CandidateCosts<Sample>& costs, int cell, const RowGroup& group,
                              std::size_t begin, std::size_t end) {
    const RowRuns runs{.first_row = group.first,
                       .runs = group.runs.data() + begin,
                       .count = end - begin,
                       .excess = excess_[cell] + columns() * begin,
                       .is_first = begin == (kHasManyRegisters ? group.far : 0)};
    sums_.search(costs, cells_[cell].tile, runs, limits_, least_[cell]);
  }

  HWY_INLINE void clear(int cell) {
    for (auto& columns : least_[cell]) hn::Store(never(), SumTag(), columns);
  }

  // Updates the least sums of the small partitions of each quarter with those of the cells from
  // `first` on. Sums above the largest of a quarter cannot be the smallest of any partition.
  HWY_INLINE void set_limits(int first) {
    set_limit<0>(first);
    set_limit<1>(first);
    set_limit<2>(first);
    set_limit<3>(first);
  }

  template <int quarter>
  HWY_INLINE void set_limit(int first) {
    using At = QuarterPartitions<quarter>;
    constexpr int kSmall[] = {At::k8x4, At::k8x4 + 2, At::k4x8,     At::k4x8 + 1,
                              At::k4x4, At::k4x4 + 1, At::k4x4 + 4, At::k4x4 + 5};
    const SumTag d;
    std::uint16_t limit = 0;
    for (const int p : kSmall) {
      Sums smallest = hn::Load(d, in(first, p));
      for (int cell = first + 1; cell < cell_count_; ++cell) {
        smallest = hn::Min(smallest, hn::Load(d, in(cell, p)));
      }
      smallest_[p] = std::min(smallest_[p], smallest_lane(d, smallest));
      limit = std::max(limit, smallest_[p]);
    }
    limits_[quarter] = limit;
  }

  const SearchRates& rates_;
  RowSums<Sample, S> sums_;
  // RowRuns::excess of each cell; unchanged as long as predictors are rounded alike.
  alignas(64) std::uint16_t excess_[kMostCells][RowGroup::kMostRuns * kMostColumns];
  std::pair<int, int> excess_of_{-1, -1};
  bool has_excess_ = false;
  std::uint16_t smallest_[kPartitions];  // Smallest sums so far of partitions smaller than 8x8.
  std::uint16_t limits_[4];              // Largest of these in each quarter.
  int cell_count_ = 0;
  Cell cells_[kMostCells];
  alignas(64) LeastSums least_[kMostCells];
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::motion
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SMALLEST_SUMS_INL_H_
