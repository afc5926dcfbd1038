// Where sums of absolute differences plus rates are smallest, in the vectors of the target being
// compiled. A part of motion_simd.cc.

#include <hwy/highway.h>
#include <millrace/algorithms/motion_estimation/motion_candidate_inl.h>
#include <millrace/algorithms/motion_estimation/motion_rates.h>
#include <millrace/algorithms/motion_estimation/motion_sads_inl.h>
#include <millrace/algorithms/motion_estimation/motion_window.h>
#include <millrace/algorithms/motion_estimation/partition.h>

#include <cstddef>
#include <cstdint>
#include <utility>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == \
    defined(MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_SMALLEST_SUMS_INL_H_)
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_SMALLEST_SUMS_INL_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_SMALLEST_SUMS_INL_H_
#else
#undef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_SMALLEST_SUMS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::motion {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Sums of a group of rows of the window and a tile of its columns are made for a quarter of the
// macroblock at a time, of its 4x4 blocks and from these of all that it is parted into. What is
// kept of the group is each partition's smallest floor(J / 32) in each column: 16 bits, because J /
// 32 is SAD + rate / 32, rounded down.
template <class Sample, class S>  // S: sums of absolute differences of these samples.
class SmallestSums {
 public:
  // A tile of columns in a group of rows.
  struct Place {
    Tile tile;
    int first_row;
  };

  static constexpr std::size_t kMostColumns = hn::MaxLanes(SumTag());
  static constexpr std::size_t kMostGroups = 2 * kMostRange / RowGroup::kRows;
  static constexpr std::size_t kMostPlaces = kMostGroups * (2 * kMostRange / kMostColumns);
  static_assert(kMostPlaces % 4 == 0);

  explicit SmallestSums(const SearchRates& rates) : rates_(rates) {}

  // Finds them in all places of a window.
  HWY_INLINE void find(const CandidateCosts<Sample>& costs) {
    const int size = 2 * rates_.range();
    has_excess_ = excess_of_ == costs.roundings();
    excess_of_ = costs.roundings();
    places_count_ = 0;
    for (int column = 0; column < size;) column += search_columns(costs, column, size - column);
    for (int place = places_count_; place % 4 != 0; ++place) {
      for (auto& columns : least_[place]) hn::Store(never(), SumTag(), columns);
    }
  }

  // Of the last find().
  HWY_INLINE int places() const { return places_count_; }
  HWY_INLINE const Place& place(int index) const { return places_[index]; }

  // Of each column of a place.
  HWY_INLINE const std::uint16_t* in(int place, int partition) const {
    return least_[place][partition];
  }

  // The smaller ones of four places from `place` on, of which some may be behind the last.
  HWY_INLINE Sums smallest_of_four(int place, int partition) const {
    const SumTag d;
    return hn::Min(
        hn::Min(hn::Load(d, in(place, partition)), hn::Load(d, in(place + 1, partition))),
        hn::Min(hn::Load(d, in(place + 2, partition)), hn::Load(d, in(place + 3, partition))));
  }

 private:
  // More than 16 of vectors, for the smallest sums of a quarter's nine partitions and what these
  // are made of.
  static constexpr bool kHasManyRegisters =
      HWY_ARCH_X86 ? HWY_TARGET <= HWY_AVX3 : HWY_TARGET != HWY_SCALAR;

  // The first partition of each size in a quarter; the others are beside and below it.
  template <int quarter>
  struct QuarterPartitions {
    static constexpr int kX = quarter % 2;
    static constexpr int kY = quarter / 2;
    static constexpr int k8x8 = first_partition(PartitionSize::k8x8) + quarter;
    static constexpr int k8x4 = first_partition(PartitionSize::k8x4) + 4 * kY + kX;
    static constexpr int k4x8 = first_partition(PartitionSize::k4x8) + 4 * kY + 2 * kX;
    static constexpr int k4x4 = first_partition(PartitionSize::k4x4) + 8 * kY + 2 * kX;
  };

  static HWY_INLINE Sums never() { return hn::Set(SumTag(), SearchRates::kNever); }

  HWY_INLINE Sums rates_of(const CandidateCosts<Sample>& costs, int bits_y) const {
    return S::load_columns(costs.coarse_rates(bits_y), tile_);
  }

  // What the rates of a run are more than those of the next.
  HWY_INLINE void make_excess(const CandidateCosts<Sample>& costs, const RowGroup& group) {
    std::uint16_t* to = excess_[places_count_];
    for (const RowRun& run : group.runs) {
      Sums excess = rates_of(costs, run.bits);
      if (run.next_bits != 0) excess = hn::Sub(excess, rates_of(costs, run.next_bits));
      hn::Store(excess, SumTag(), to);
      to += columns();
    }
  }

  // Searches the window's columns from `first` on, of which there are `left`; returns how many it
  // searched, which may be more.
  HWY_INLINE int search_columns(const CandidateCosts<Sample>& costs, int first, int left) {
    const int rows = 2 * rates_.range() + kMacroblockWidth - 1;
    const int width = static_cast<int>(columns());
    if constexpr (S::kHasPairs) {
      if (left > width) {
        S::copy(costs.window(), first, rows, rows_);
        search_tile(costs, S::copied(first, 0));
        search_tile(costs, S::copied(first, 1));
        return 2 * width;
      }
    }
    S::expand(costs.window(), first, rows, rows_);
    search_tile(costs, S::expanded(first));
    return width;
  }

  HWY_INLINE void search_tile(const CandidateCosts<Sample>& costs, const Tile& tile) {
    tile_ = tile;
    for (const RowGroup& group : costs.row_groups()) {
      if (!has_excess_) make_excess(costs, group);
      search_group(costs, group);
      places_[places_count_++] = {tile, group.first};
    }
  }

  HWY_INLINE void search_group(const CandidateCosts<Sample>& costs, const RowGroup& group) {
    search_quarter<0>(costs, group);
    search_quarter<1>(costs, group);
    search_quarter<2>(costs, group);
    search_quarter<3>(costs, group);
    search_halves(group);
  }

  template <int quarter>
  HWY_INLINE void search_quarter(const CandidateCosts<Sample>& costs, const RowGroup& group) {
    if constexpr (kHasManyRegisters) {
      search_quarter_at_once<quarter>(costs, group);
    } else {
      search_upper_blocks<quarter>(costs, group);
      search_lower_blocks<quarter>(costs, group);
    }
  }

  // The loops over runs are spelled out here and below: with their bodies as functions for one
  // loop, gcc 12 keeps the smallest sums in memory.
  template <int quarter>
  HWY_INLINE void search_quarter_at_once(const CandidateCosts<Sample>& costs,
                                         const RowGroup& group) {
    const SumTag d;
    const S upper_sads = sads<quarter, 0>(costs);
    const S lower_sads = sads<quarter, 4>(costs);
    const Sums most = never();
    Sums l0 = most, l1 = most, l2 = most, l3 = most, l4 = most, l5 = most, l6 = most, l7 = most,
         l8 = most;
    const std::uint16_t* excess_of_run = excess_[places_count_];
    for (const RowRun& run : group.runs) {
      const auto* rows = first_rows<quarter>(run);
      std::uint16_t* sums = quarters_[quarter] + columns() * (run.first - group.first);
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
      const Sums excess = hn::Load(d, excess_of_run);
      excess_of_run += columns();
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
    auto& least = least_[places_count_];
    hn::Store(l0, d, least[At::k8x8]);
    hn::Store(l1, d, least[At::k8x4]);
    hn::Store(l2, d, least[At::k8x4 + 2]);
    hn::Store(l3, d, least[At::k4x8]);
    hn::Store(l4, d, least[At::k4x8 + 1]);
    hn::Store(l5, d, least[At::k4x4]);
    hn::Store(l6, d, least[At::k4x4 + 1]);
    hn::Store(l7, d, least[At::k4x4 + 4]);
    hn::Store(l8, d, least[At::k4x4 + 5]);
  }

  // The same in two parts, each of which has room in 16 registers.
  template <int quarter>
  HWY_INLINE void search_upper_blocks(const CandidateCosts<Sample>& costs, const RowGroup& group) {
    const SumTag d;
    const S upper_sads = sads<quarter, 0>(costs);
    const Sums most = never();
    Sums l1 = most, l5 = most, l6 = most;
    const std::uint16_t* excess_of_run = excess_[places_count_];
    for (const RowRun& run : group.runs) {
      const auto* rows = first_rows<quarter>(run);
      std::size_t to = columns() * (run.first - group.first);
      for (int i = 0; i < run.count; ++i, rows += S::row_elements(), to += columns()) {
        const PairSums upper = upper_sads(rows);
        hn::Store(upper.left, d, upper_left_ + to);
        hn::Store(upper.right, d, upper_right_ + to);
        l1 = hn::Min(l1, hn::Add(upper.left, upper.right));
        l5 = hn::Min(l5, upper.left);
        l6 = hn::Min(l6, upper.right);
      }
      const Sums excess = hn::Load(d, excess_of_run);
      excess_of_run += columns();
      l1 = hn::SaturatedAdd(l1, excess);
      l5 = hn::SaturatedAdd(l5, excess);
      l6 = hn::SaturatedAdd(l6, excess);
    }
    using At = QuarterPartitions<quarter>;
    auto& least = least_[places_count_];
    hn::Store(l1, d, least[At::k8x4]);
    hn::Store(l5, d, least[At::k4x4]);
    hn::Store(l6, d, least[At::k4x4 + 1]);
  }

  template <int quarter>
  HWY_INLINE void search_lower_blocks(const CandidateCosts<Sample>& costs, const RowGroup& group) {
    const SumTag d;
    const S lower_sads = sads<quarter, 4>(costs);
    const Sums most = never();
    Sums l0 = most, l2 = most, l3 = most, l4 = most, l7 = most, l8 = most;
    const std::uint16_t* excess_of_run = excess_[places_count_];
    for (const RowRun& run : group.runs) {
      const auto* rows = first_rows<quarter>(run);
      std::size_t to = columns() * (run.first - group.first);
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
      const Sums excess = hn::Load(d, excess_of_run);
      excess_of_run += columns();
      l0 = hn::SaturatedAdd(l0, excess);
      l2 = hn::SaturatedAdd(l2, excess);
      l3 = hn::SaturatedAdd(l3, excess);
      l4 = hn::SaturatedAdd(l4, excess);
      l7 = hn::SaturatedAdd(l7, excess);
      l8 = hn::SaturatedAdd(l8, excess);
    }
    using At = QuarterPartitions<quarter>;
    auto& least = least_[places_count_];
    hn::Store(l0, d, least[At::k8x8]);
    hn::Store(l2, d, least[At::k8x4 + 2]);
    hn::Store(l3, d, least[At::k4x8]);
    hn::Store(l4, d, least[At::k4x8 + 1]);
    hn::Store(l7, d, least[At::k4x4 + 4]);
    hn::Store(l8, d, least[At::k4x4 + 5]);
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

  // Of parts of a macroblock. 256 differences of 8 bits fit 16, and fewer ports add with
  // saturation.
  static HWY_INLINE Sums add_sums(Sums a, Sums b) {
    if constexpr (sizeof(Sample) == 1) {
      return hn::Add(a, b);
    } else {
      return hn::SaturatedAdd(a, b);
    }
  }

  // The partitions of 16 samples width or height, from the sums of quarters.
  HWY_INLINE void search_halves(const RowGroup& group) {
    const SumTag d;
    const Sums most = never();
    Sums l0 = most, l1 = most, l2 = most, l3 = most, l4 = most;
    const std::uint16_t* excess_of_run = excess_[places_count_];
    for (const RowRun& run : group.runs) {
      const int first = run.first - group.first;
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
      const Sums excess = hn::Load(d, excess_of_run);
      excess_of_run += columns();
      l0 = hn::SaturatedAdd(l0, excess);
      l1 = hn::SaturatedAdd(l1, excess);
      l2 = hn::SaturatedAdd(l2, excess);
      l3 = hn::SaturatedAdd(l3, excess);
      l4 = hn::SaturatedAdd(l4, excess);
    }
    auto& least = least_[places_count_];
    hn::Store(l0, d, least[0]);
    hn::Store(l1, d, least[1]);
    hn::Store(l2, d, least[2]);
    hn::Store(l3, d, least[3]);
    hn::Store(l4, d, least[4]);
  }

  const SearchRates& rates_;
  Tile tile_;  // At work.
  alignas(64) typename S::Element rows_[(2 * kMostRange + kMacroblockWidth) * S::kMostRowElements];
  // Of a quarter's upper blocks, where it is searched in two parts.
  alignas(64) std::uint16_t upper_left_[RowGroup::kRows * kMostColumns];
  alignas(64) std::uint16_t upper_right_[RowGroup::kRows * kMostColumns];
  alignas(64) std::uint16_t quarters_[4][RowGroup::kRows * kMostColumns];
  // Of each place, columns() for each run; the same as long as predictors are rounded alike.
  alignas(64) std::uint16_t excess_[kMostPlaces][RowGroup::kMostRuns * kMostColumns];
  std::pair<int, int> excess_of_{-1, -1};
  bool has_excess_ = false;
  int places_count_ = 0;
  Place places_[kMostPlaces];
  alignas(64) std::uint16_t least_[kMostPlaces][kPartitions][kMostColumns];
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::motion
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_SMALLEST_SUMS_INL_H_
