// The search of whole samples in the vectors of the target being compiled. A part of
// motion_simd.cc.
//
// Sums of a run of rows of the window and some columns, as many as a vector has lanes, are made for
// a quarter of the macroblock at a time, of its 4x4 blocks and from these of all that it is parted
// into. What is kept of all rows is each partition's smallest floor(J / 32) in each column: 16
// bits, because J / 32 is SAD + rate / 32, rounded down. Only columns that have the smallest of all
// can have the smallest J; they are looked at again.

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
    columns_.transpose_from(costs.current(), costs.window(), size);
    for (column_ = 0; column_ < size; column_ += width) {
      for (int y = 0; y < size + kMacroblockWidth - 1; ++y) {
        S::expand(costs.window().row(y) + column_, rows_ + S::row_elements() * y);
      }
      for (auto& least : least_) hn::Store(never(), SumTag(), least + column_);
      for (const RowRun& run : rates_.runs(costs.rounding_y())) {
        run.is_even ? search_run<true>(costs, run) : search_run<false>(costs, run);
      }
    }
    take_best<PartitionSize::k16x16>(costs, best);
    take_best<PartitionSize::k16x8>(costs, best);
    take_best<PartitionSize::k8x16>(costs, best);
    take_best<PartitionSize::k8x8>(costs, best);
    take_best<PartitionSize::k8x4>(costs, best);
    take_best<PartitionSize::k4x8>(costs, best);
    take_best<PartitionSize::k4x4>(costs, best);
  }

 private:
  using S = Sads<Sample>;

  static constexpr std::size_t kMostColumns = hn::MaxLanes(SumTag());
  static constexpr std::size_t kMostRowElements = 4 * kMostColumns + kMacroblockWidth;

  static HWY_INLINE Sums never() { return hn::Set(SumTag(), SearchRates::kNever); }

  // Sums of a quarter plus rates stay below 2^16 where samples are bytes and there is a candidate.
  static HWY_INLINE Sums add_rate(Sums sums, Sums rate) {
    return sizeof(Sample) == 1 ? hn::Add(sums, rate) : hn::SaturatedAdd(sums, rate);
  }

  HWY_INLINE Sums rates_of_row(const CandidateCosts<Sample>& costs, int row) const {
    return hn::LoadU(SumTag(), costs.coarse_rates(row) + column_);
  }

  // What is added to the smallest sums of a run: the rate, unless it has been, and kNever in
  // columns that are not of the window.
  template <bool even>
  HWY_INLINE Sums rates_of_run(const CandidateCosts<Sample>& costs, const RowRun& run) const {
    if constexpr (even) {
      return rates_of_row(costs, run.first);
    } else {
      const SumTag d;
      const auto column = static_cast<std::uint16_t>(column_);
      const auto last = static_cast<std::uint16_t>(2 * rates_.range() - 1);
      return hn::VecFromMask(d, hn::Gt(hn::Iota(d, column), hn::Set(d, last)));
    }
  }

  template <bool even>
  HWY_INLINE void search_run(const CandidateCosts<Sample>& costs, const RowRun& run) {
    search_quarter<even, 0>(costs, run);
    search_quarter<even, 1>(costs, run);
    search_quarter<even, 2>(costs, run);
    search_quarter<even, 3>(costs, run);
    search_halves<even>(costs, run);
  }

  template <bool even, int quarter>
  HWY_INLINE void search_quarter(const CandidateCosts<Sample>& costs, const RowRun& run) {
    const SumTag d;
    const S sads(costs.current(), 8 * (quarter % 2), 8 * (quarter / 2));
    const auto* rows = rows_ + S::row_elements() * run.first;
    const Sums most = never();
    Sums l0 = most, l1 = most, l2 = most, l3 = most, l4 = most, l5 = most, l6 = most, l7 = most,
         l8 = most;
    for (int row = 0; row < run.count; ++row, rows += S::row_elements()) {
      const QuarterSums s = sads(rows);
      const Sums upper = hn::Add(s.block[0], s.block[1]);
      const Sums lower = hn::Add(s.block[2], s.block[3]);
      const Sums left = hn::Add(s.block[0], s.block[2]);
      const Sums right = hn::Add(s.block[1], s.block[3]);
      const Sums all = hn::Add(upper, lower);
      hn::Store(all, d, quarters_[quarter] + columns() * row);
      const Sums rates = even ? hn::Zero(d) : rates_of_row(costs, run.first + row);
      const auto take = [&](Sums& least, Sums sums) HWY_ATTR {
        least = hn::Min(least, even ? sums : add_rate(sums, rates));
      };
      take(l0, all);
      take(l1, upper);
      take(l2, lower);
      take(l3, left);
      take(l4, right);
      take(l5, s.block[0]);
      take(l6, s.block[1]);
      take(l7, s.block[2]);
      take(l8, s.block[3]);
    }
    const Sums rates = rates_of_run<even>(costs, run);
    constexpr int kP8x8 = first_partition(PartitionSize::k8x8) + quarter;
    constexpr int kP8x4 = first_partition(PartitionSize::k8x4) + quarter / 2 * 4 + quarter % 2;
    constexpr int kP4x8 = first_partition(PartitionSize::k4x8) + quarter * 2;
    constexpr int kP4x4 = first_partition(PartitionSize::k4x4) + quarter / 2 * 8 + quarter % 2 * 2;
    take_least(kP8x8, l0, rates);
    take_least(kP8x4, l1, rates);
    take_least(kP8x4 + 2, l2, rates);
    take_least(kP4x8, l3, rates);
    take_least(kP4x8 + 1, l4, rates);
    take_least(kP4x4, l5, rates);
    take_least(kP4x4 + 1, l6, rates);
    take_least(kP4x4 + 4, l7, rates);
    take_least(kP4x4 + 5, l8, rates);
  }

  HWY_INLINE void take_least(int partition, Sums least, Sums rates) {
    const SumTag d;
    std::uint16_t* const to = least_[partition] + column_;
    hn::Store(hn::Min(hn::Load(d, to), hn::SaturatedAdd(least, rates)), d, to);
  }

  // The partitions of 16 samples width or height, from the sums of quarters.
  template <bool even>
  HWY_INLINE void search_halves(const CandidateCosts<Sample>& costs, const RowRun& run) {
    const SumTag d;
    const Sums most = never();
    Sums l0 = most, l1 = most, l2 = most, l3 = most, l4 = most;
    for (int row = 0; row < run.count; ++row) {
      const auto quarter = [&](int q)
                               HWY_ATTR { return hn::Load(d, quarters_[q] + columns() * row); };
      const Sums rates = even ? hn::Zero(d) : rates_of_row(costs, run.first + row);
      const auto take = [&](Sums& least, Sums sums) HWY_ATTR {
        least = hn::Min(least, even ? sums : hn::SaturatedAdd(sums, rates));
      };
      const Sums upper = hn::SaturatedAdd(quarter(0), quarter(1));
      const Sums lower = hn::SaturatedAdd(quarter(2), quarter(3));
      take(l0, hn::SaturatedAdd(upper, lower));
      take(l1, upper);
      take(l2, lower);
      take(l3, hn::SaturatedAdd(quarter(0), quarter(2)));
      take(l4, hn::SaturatedAdd(quarter(1), quarter(3)));
    }
    const Sums rates = rates_of_run<even>(costs, run);
    take_least(0, l0, rates);
    take_least(1, l1, rates);
    take_least(2, l2, rates);
    take_least(3, l3, rates);
    take_least(4, l4, rates);
  }

  // Looks again at all columns that may have a partition's best candidate.
  template <PartitionSize size>
  HWY_INLINE void take_best(const CandidateCosts<Sample>& costs, Candidate (&best)[kPartitions]) {
    const SumTag d;
    const int width = static_cast<int>(columns());
    constexpr int kFirst = first_partition(size);
    for (int p = kFirst; p < kFirst + partition_count(size); ++p) {
      Sums smallest = hn::Load(d, least_[p]);
      for (int x = width; x < 2 * rates_.range(); x += width) {
        smallest = hn::Min(smallest, hn::Load(d, least_[p] + x));
      }
      const std::uint16_t least = smallest_lane(d, smallest);
      if (least == SearchRates::kNever) {
        best[p] = costs.search_all(p);
        continue;
      }
      for (int x = 0; x < 2 * rates_.range(); x += width) {
        const Sums of_columns = hn::Load(d, least_[p] + x);
        std::uint32_t equal = lanes_of(d, hn::Eq(of_columns, hn::Set(d, least)));
        for (; equal != 0; equal &= equal - 1) {
          costs.template take_column<size>(columns_, p, x + std::countr_zero(equal), least,
                                           best[p]);
        }
      }
    }
  }

  const SearchRates& rates_;
  int column_ = 0;  // The first of those at work.
  Columns<Sample> columns_;
  alignas(64) typename S::Element rows_[(2 * kMostRange + kMacroblockWidth) * kMostRowElements];
  alignas(64) std::uint16_t quarters_[4][RowRun::kMost * kMostColumns];
  alignas(64) std::uint16_t least_[kPartitions][2 * kMostRange + kMostColumns];
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::motion
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_INTEGER_INL_H_
