// The search of whole samples in the vectors of the target being compiled. A part of
// motion_simd.cc.
//
// Sums of a run of rows of the window and some columns, as many as a vector has lanes, are made for
// a quarter of the macroblock at a time, of its 4x4 blocks and from these of all that it is parted
// into. What is kept of a run is each partition's smallest floor(J / 32) in each column: 16 bits,
// because J / 32 is SAD + rate / 32, rounded down. Only the columns that have the smallest of all
// can have the smallest J; their rows are looked at again.

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
    for (int x = 0; x < size; x += width) {
      for (int y = 0; y < size + kMacroblockWidth - 1; ++y) {
        S::expand(costs.window().row(y) + x, rows_ + S::row_elements() * y);
      }
      for (const RowRun& run : rates_.runs(costs.rounding_y())) {
        runs_[count_] = {x, run};
        run.is_even ? search_run<true>(costs) : search_run<false>(costs);
        if (++count_ == kMostRuns) take_best(costs, best);
      }
    }
    take_best(costs, best);
    search_where_none<PartitionSize::k16x16>(costs, best);
    search_where_none<PartitionSize::k16x8>(costs, best);
    search_where_none<PartitionSize::k8x16>(costs, best);
    search_where_none<PartitionSize::k8x8>(costs, best);
  }

 private:
  using S = Sads<Sample>;

  static constexpr int kMostRuns = 16;
  static constexpr std::size_t kMostColumns = hn::MaxLanes(SumTag());
  static constexpr std::size_t kMostRowElements = 4 * kMostColumns + kMacroblockWidth;

  struct Run {
    int x;
    RowRun rows;
  };

  // Sums of a quarter plus rates stay below 2^16 where samples are bytes and there is a candidate.
  static HWY_INLINE Sums add_rate(Sums sums, Sums rate) {
    return sizeof(Sample) == 1 ? hn::Add(sums, rate) : hn::SaturatedAdd(sums, rate);
  }

  // What is added to the smallest sums of a run: the rate, unless it has been, and kNever in
  // columns that are not of the window.
  template <bool even>
  HWY_INLINE Sums rates_of_run(const CandidateCosts<Sample>& costs) const {
    if constexpr (even) {
      return rates_of_row(costs, 0);
    } else {
      const SumTag d;
      const auto column = static_cast<std::uint16_t>(runs_[count_].x);
      const auto last = static_cast<std::uint16_t>(2 * rates_.range() - 1);
      return hn::VecFromMask(d, hn::Gt(hn::Iota(d, column), hn::Set(d, last)));
    }
  }

  // Those of a row of the run at work.
  HWY_INLINE Sums rates_of_row(const CandidateCosts<Sample>& costs, int row) const {
    const Run& run = runs_[count_];
    return hn::LoadU(SumTag(), costs.coarse_rates(run.rows.first + row) + run.x);
  }

  template <bool even>
  HWY_INLINE void search_run(const CandidateCosts<Sample>& costs) {
    search_quarter<even, 0>(costs);
    search_quarter<even, 1>(costs);
    search_quarter<even, 2>(costs);
    search_quarter<even, 3>(costs);
    search_halves<even>(costs);
  }

  template <bool even, int quarter>
  HWY_INLINE void search_quarter(const CandidateCosts<Sample>& costs) {
    const SumTag d;
    const int count = runs_[count_].rows.count;
    const S sads(costs.current(), 8 * (quarter % 2), 8 * (quarter / 2));
    const auto* rows = rows_ + S::row_elements() * runs_[count_].rows.first;
    const Sums most = hn::Set(d, SearchRates::kNever);
    Sums l0 = most, l1 = most, l2 = most, l3 = most, l4 = most, l5 = most, l6 = most, l7 = most,
         l8 = most;
    for (int row = 0; row < count; ++row, rows += S::row_elements()) {
      const QuarterSums s = sads(rows);
      const Sums upper = hn::Add(s.block[0], s.block[1]);
      const Sums lower = hn::Add(s.block[2], s.block[3]);
      const Sums left = hn::Add(s.block[0], s.block[2]);
      const Sums right = hn::Add(s.block[1], s.block[3]);
      const Sums all = hn::Add(upper, lower);
      hn::Store(all, d, quarters_[quarter] + columns() * row);
      const Sums rates = even ? hn::Zero(d) : rates_of_row(costs, row);
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
    const Sums rates = rates_of_run<even>(costs);
    constexpr int kP8x8 = first_partition(PartitionSize::k8x8) + quarter;
    constexpr int kP8x4 = first_partition(PartitionSize::k8x4) + quarter / 2 * 4 + quarter % 2;
    constexpr int kP4x8 = first_partition(PartitionSize::k4x8) + quarter * 2;
    constexpr int kP4x4 = first_partition(PartitionSize::k4x4) + quarter / 2 * 8 + quarter % 2 * 2;
    store_least(kP8x8, l0, rates);
    store_least(kP8x4, l1, rates);
    store_least(kP8x4 + 2, l2, rates);
    store_least(kP4x8, l3, rates);
    store_least(kP4x8 + 1, l4, rates);
    store_least(kP4x4, l5, rates);
    store_least(kP4x4 + 1, l6, rates);
    store_least(kP4x4 + 4, l7, rates);
    store_least(kP4x4 + 5, l8, rates);
  }

  HWY_INLINE void store_least(int partition, Sums least, Sums rates) {
    hn::Store(hn::SaturatedAdd(least, rates), SumTag(), least_[partition] + columns() * count_);
  }

  // The partitions of 16 samples width or height, from the sums of quarters.
  template <bool even>
  HWY_INLINE void search_halves(const CandidateCosts<Sample>& costs) {
    const SumTag d;
    const Sums most = hn::Set(d, SearchRates::kNever);
    Sums l0 = most, l1 = most, l2 = most, l3 = most, l4 = most;
    const int count = runs_[count_].rows.count;
    for (int row = 0; row < count; ++row) {
      const auto quarter = [&](int q)
                               HWY_ATTR { return hn::Load(d, quarters_[q] + columns() * row); };
      const Sums rates = even ? hn::Zero(d) : rates_of_row(costs, row);
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
    const Sums rates = rates_of_run<even>(costs);
    store_least(0, l0, rates);
    store_least(1, l1, rates);
    store_least(2, l2, rates);
    store_least(3, l3, rates);
    store_least(4, l4, rates);
  }

  // Looks again at all columns of runs that may have a partition's best candidate.
  HWY_INLINE void take_best(const CandidateCosts<Sample>& costs, Candidate (&best)[kPartitions]) {
    take_best_of<PartitionSize::k16x16>(costs, best);
    take_best_of<PartitionSize::k16x8>(costs, best);
    take_best_of<PartitionSize::k8x16>(costs, best);
    take_best_of<PartitionSize::k8x8>(costs, best);
    take_best_of<PartitionSize::k8x4>(costs, best);
    take_best_of<PartitionSize::k4x8>(costs, best);
    take_best_of<PartitionSize::k4x4>(costs, best);
    count_ = 0;
  }

  template <PartitionSize size>
  HWY_INLINE void take_best_of(const CandidateCosts<Sample>& costs,
                               Candidate (&best)[kPartitions]) {
    const SumTag d;
    constexpr int kFirst = first_partition(size);
    for (int p = kFirst; p < kFirst + partition_count(size); ++p) {
      Sums smallest = hn::Load(d, least_[p]);
      for (int run = 1; run < count_; ++run) {
        smallest = hn::Min(smallest, hn::Load(d, least_[p] + columns() * run));
      }
      const std::uint16_t least = smallest_lane(d, smallest);
      if (least == SearchRates::kNever || least > best[p].cost / 32) continue;
      for (std::uint32_t runs = find_columns(p, least); runs != 0; runs &= runs - 1) {
        const int run = std::countr_zero(runs);
        for (std::uint32_t equal = equal_[run]; equal != 0; equal &= equal - 1) {
          costs.template take_column<size>(columns_, p, runs_[run].rows,
                                           runs_[run].x + std::countr_zero(equal), least, best[p]);
        }
      }
    }
  }

  // Where 16 bits are not enough for any candidate: those of smaller ones always are.
  template <PartitionSize size>
  HWY_INLINE void search_where_none(const CandidateCosts<Sample>& costs,
                                    Candidate (&best)[kPartitions]) {
    constexpr int kFirst = first_partition(size);
    for (int p = kFirst; p < kFirst + partition_count(size); ++p) {
      if (!best[p].is_found()) best[p] = costs.search_all(p);
    }
  }

  // The runs in which columns have this value; equal_ says which.
  HWY_INLINE std::uint32_t find_columns(int partition, std::uint16_t value) {
    std::uint32_t runs = 0;
    for (int run = 0; run < count_; ++run) {
      const Sums least = hn::Load(SumTag(), least_[partition] + columns() * run);
      equal_[run] = lanes_of(SumTag(), hn::Eq(least, hn::Set(SumTag(), value)));
      runs |= (equal_[run] != 0 ? 1U : 0U) << run;
    }
    return runs;
  }

  const SearchRates& rates_;
  int count_ = 0;  // Of runs_ that are searched, the last of which is at work.
  Run runs_[kMostRuns];
  Columns<Sample> columns_;
  alignas(64) typename S::Element rows_[(2 * kMostRange + kMacroblockWidth) * kMostRowElements];
  std::uint32_t equal_[kMostRuns];  // Columns of each run, as bits.
  alignas(64) std::uint16_t quarters_[4][RowRun::kMost * kMostColumns];
  alignas(64) std::uint16_t least_[kPartitions][kMostRuns * kMostColumns];
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::motion
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_INTEGER_INL_H_
