// The search of whole samples in the vectors of the target being compiled. A part of
// motion_simd.cc.
//
// Sums of a group of rows of the window and some columns, as many as a vector has lanes, are made
// for a quarter of the macroblock at a time, of its 4x4 blocks and from these of all that it is
// parted into. What is kept of the group is each partition's smallest floor(J / 32) in each column:
// 16 bits, because J / 32 is SAD + rate / 32, rounded down. Only columns of a group that have the
// smallest of all can have the smallest J; they are looked at again.

#include <hwy/highway.h>
#include <millrace/algorithms/motion_estimation/motion_candidate_inl.h>
#include <millrace/algorithms/motion_estimation/motion_rates.h>
#include <millrace/algorithms/motion_estimation/motion_sads_inl.h>
#include <millrace/algorithms/motion_estimation/motion_window.h>
#include <millrace/algorithms/motion_estimation/partition.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == \
    defined(MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_INTEGER_INL_H_)
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_INTEGER_INL_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_INTEGER_INL_H_
#else
#undef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_INTEGER_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::motion {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class Sample>
class IntegerSearch {
 public:
  explicit IntegerSearch(const SearchRates& rates) : rates_(rates) {}

  // Finds each partition's best candidate, in window coordinates.
  void search(const CandidateCosts<Sample>& costs, Candidate (&best)[kPartitions]) {
    const int size = 2 * rates_.range();
    const int width = static_cast<int>(columns());
    tiles_ = 0;
    for (column_ = 0; column_ < size; column_ += width) {
      for (int y = 0; y < size + kMacroblockWidth - 1; ++y) {
        S::expand(costs.window().row(y) + column_, rows_ + S::row_elements() * y);
      }
      for (const RowGroup& group : costs.row_groups()) {
        search_group(costs, group);
        places_[tiles_++] = {column_, group.first};
      }
    }
    columns_.transpose_from(costs.current(), costs.window(), size);
    // One step after the other for all partitions: a step for one does not wait for another's.
    find_places();
    look_again<PartitionSize::k16x16>(costs, best);
    look_again<PartitionSize::k16x8>(costs, best);
    look_again<PartitionSize::k8x16>(costs, best);
    look_again<PartitionSize::k8x8>(costs, best);
    look_again<PartitionSize::k8x4>(costs, best);
    look_again<PartitionSize::k4x8>(costs, best);
    look_again<PartitionSize::k4x4>(costs, best);
    take_best(costs, best);
  }

 private:
  using S = Sads<Sample>;

  static constexpr std::size_t kMostColumns = hn::MaxLanes(SumTag());
  static constexpr std::size_t kMostRowElements = 4 * kMostColumns + kMacroblockWidth;
  static constexpr std::size_t kMostGroups = 2 * kMostRange / RowGroup::kRows;
  static constexpr std::size_t kMostTiles = kMostGroups * (2 * kMostRange / kMostColumns);

  // A column of a window in a group of rows.
  struct Place {
    int x;
    int first_row;
  };

  // Where a partition's sum plus rate is smallest.
  struct Found {
    std::uint16_t least;
    int count;  // Of such places.
    int x;      // One of them.
    int first_row;
    std::uint32_t rows;  // In which it is as small, as bits.
  };

  static HWY_INLINE Sums never() { return hn::Set(SumTag(), SearchRates::kNever); }

  HWY_INLINE Sums rates_of(const CandidateCosts<Sample>& costs, int bits_y) const {
    return hn::LoadU(SumTag(), costs.coarse_rates(bits_y) + column_);
  }

  // What the rates of a run are more than those of the next.
  HWY_INLINE Sums excess_of(const CandidateCosts<Sample>& costs, const RowRun& run) const {
    const Sums rates = rates_of(costs, run.bits);
    return run.next_bits == 0 ? rates : hn::Sub(rates, rates_of(costs, run.next_bits));
  }

  HWY_INLINE void search_group(const CandidateCosts<Sample>& costs, const RowGroup& group) {
    search_quarter<0>(costs, group);
    search_quarter<1>(costs, group);
    search_quarter<2>(costs, group);
    search_quarter<3>(costs, group);
    search_halves(costs, group);
  }

  template <int quarter>
  HWY_INLINE void search_quarter(const CandidateCosts<Sample>& costs, const RowGroup& group) {
    const SumTag d;
    const S sads(costs.current(), 8 * (quarter % 2), 8 * (quarter / 2));
    const Sums most = never();
    Sums l0 = most, l1 = most, l2 = most, l3 = most, l4 = most, l5 = most, l6 = most, l7 = most,
         l8 = most;
    for (const RowRun& run : group.runs) {
      const auto* rows = rows_ + S::row_elements() * run.first;
      std::uint16_t* sums = quarters_[quarter] + columns() * (run.first - group.first);
      for (int i = 0; i < run.count; ++i, rows += S::row_elements(), sums += columns()) {
        const QuarterSums s = sads(rows);
        const Sums upper = hn::Add(s.block[0], s.block[1]);
        const Sums lower = hn::Add(s.block[2], s.block[3]);
        const Sums left = hn::Add(s.block[0], s.block[2]);
        const Sums right = hn::Add(s.block[1], s.block[3]);
        const Sums all = hn::Add(upper, lower);
        hn::Store(all, d, sums);
        l0 = hn::Min(l0, all);
        l1 = hn::Min(l1, upper);
        l2 = hn::Min(l2, lower);
        l3 = hn::Min(l3, left);
        l4 = hn::Min(l4, right);
        l5 = hn::Min(l5, s.block[0]);
        l6 = hn::Min(l6, s.block[1]);
        l7 = hn::Min(l7, s.block[2]);
        l8 = hn::Min(l8, s.block[3]);
      }
      const Sums excess = excess_of(costs, run);
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
    constexpr int kP8x8 = first_partition(PartitionSize::k8x8) + quarter;
    constexpr int kP8x4 = first_partition(PartitionSize::k8x4) + quarter / 2 * 4 + quarter % 2;
    constexpr int kP4x8 = first_partition(PartitionSize::k4x8) + quarter * 2;
    constexpr int kP4x4 = first_partition(PartitionSize::k4x4) + quarter / 2 * 8 + quarter % 2 * 2;
    auto& least = least_[tiles_];
    hn::Store(l0, d, least[kP8x8]);
    hn::Store(l1, d, least[kP8x4]);
    hn::Store(l2, d, least[kP8x4 + 2]);
    hn::Store(l3, d, least[kP4x8]);
    hn::Store(l4, d, least[kP4x8 + 1]);
    hn::Store(l5, d, least[kP4x4]);
    hn::Store(l6, d, least[kP4x4 + 1]);
    hn::Store(l7, d, least[kP4x4 + 4]);
    hn::Store(l8, d, least[kP4x4 + 5]);
  }

  // The partitions of 16 samples width or height, from the sums of quarters.
  HWY_INLINE void search_halves(const CandidateCosts<Sample>& costs, const RowGroup& group) {
    const SumTag d;
    const Sums most = never();
    Sums l0 = most, l1 = most, l2 = most, l3 = most, l4 = most;
    for (const RowRun& run : group.runs) {
      const int first = run.first - group.first;
      for (int row = first; row < first + run.count; ++row) {
        const auto quarter = [&](int q)
                                 HWY_ATTR { return hn::Load(d, quarters_[q] + columns() * row); };
        const Sums upper = hn::SaturatedAdd(quarter(0), quarter(1));
        const Sums lower = hn::SaturatedAdd(quarter(2), quarter(3));
        l0 = hn::Min(l0, hn::SaturatedAdd(upper, lower));
        l1 = hn::Min(l1, upper);
        l2 = hn::Min(l2, lower);
        l3 = hn::Min(l3, hn::SaturatedAdd(quarter(0), quarter(2)));
        l4 = hn::Min(l4, hn::SaturatedAdd(quarter(1), quarter(3)));
      }
      const Sums excess = excess_of(costs, run);
      l0 = hn::SaturatedAdd(l0, excess);
      l1 = hn::SaturatedAdd(l1, excess);
      l2 = hn::SaturatedAdd(l2, excess);
      l3 = hn::SaturatedAdd(l3, excess);
      l4 = hn::SaturatedAdd(l4, excess);
    }
    auto& least = least_[tiles_];
    hn::Store(l0, d, least[0]);
    hn::Store(l1, d, least[1]);
    hn::Store(l2, d, least[2]);
    hn::Store(l3, d, least[3]);
    hn::Store(l4, d, least[4]);
  }

  // Finds the places that may have a partition's best candidate. Nearly always there is one, and no
  // branch depends on where.
  HWY_INLINE void find_places() {
    const SumTag d;
    for (int p = 0; p < kPartitions; ++p) {
      Sums smallest = hn::Load(d, least_[0][p]);
      for (int tile = 1; tile < tiles_; ++tile) {
        smallest = hn::Min(smallest, hn::Load(d, least_[tile][p]));
      }
      const std::uint16_t least = smallest_lane(d, smallest);
      int last = 0;
      std::uint32_t lanes = 0;
      int count = 0;
      for (int tile = 0; tile < tiles_; ++tile) {
        const std::uint32_t equal = equal_lanes(tile, p, least);
        last = equal != 0 ? tile : last;
        lanes = equal != 0 ? equal : lanes;
        count += std::popcount(equal);
      }
      found_[p] = {least, count, places_[last].x + std::countr_zero(lanes), places_[last].first_row,
                   0};
    }
  }

  // Finds the best candidates' rows in these places.
  template <PartitionSize size>
  HWY_INLINE void look_again(const CandidateCosts<Sample>& costs, Candidate (&best)[kPartitions]) {
    constexpr int kFirst = first_partition(size);
    for (int p = kFirst; p < kFirst + partition_count(size); ++p) {
      Found& found = found_[p];
      found.rows = costs.template rows_of<size>(columns_, p, found.x, found.first_row, found.least);
      if (found.count == 1 || found.least == SearchRates::kNever) continue;
      for (int tile = 0; tile < tiles_; ++tile) {
        std::uint32_t equal = equal_lanes(tile, p, found.least);
        for (; equal != 0; equal &= equal - 1) {
          const int x = places_[tile].x + std::countr_zero(equal);
          const int first_row = places_[tile].first_row;
          costs.take(x, first_row,
                     costs.template rows_of<size>(columns_, p, x, first_row, found.least),
                     found.least, best[p]);
        }
      }
    }
  }

  HWY_INLINE void take_best(const CandidateCosts<Sample>& costs,
                            Candidate (&best)[kPartitions]) const {
    for (int p = 0; p < kPartitions; ++p) {
      const Found& found = found_[p];
      if (found.least == SearchRates::kNever) {
        best[p] = costs.search_all(p);
      } else {
        costs.take(found.x, found.first_row, found.rows, found.least, best[p]);
      }
    }
  }

  HWY_INLINE std::uint32_t equal_lanes(int tile, int partition, std::uint16_t value) const {
    const SumTag d;
    return lanes_of(d, hn::Eq(hn::Load(d, least_[tile][partition]), hn::Set(d, value)));
  }

  const SearchRates& rates_;
  int column_ = 0;  // The first of those at work.
  Columns<Sample> columns_;
  alignas(64) typename S::Element rows_[(2 * kMostRange + kMacroblockWidth) * kMostRowElements];
  alignas(64) std::uint16_t quarters_[4][RowGroup::kRows * kMostColumns];
  int tiles_ = 0;             // As many columns() of a group of rows.
  Place places_[kMostTiles];  // Where they begin.
  Found found_[kPartitions];
  alignas(64) std::uint16_t least_[kMostTiles][kPartitions][kMostColumns];
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::motion
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_INTEGER_INL_H_
