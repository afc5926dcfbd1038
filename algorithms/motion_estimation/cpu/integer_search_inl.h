// SPDX-License-Identifier: Apache-2.0

// The search of whole samples in the vectors of the target being compiled. A part of
// motion_simd.cc.
//
// Only columns of a group of rows that have the smallest floor(J / 32) of all can have the smallest
// J; they are evaluated exactly in a second step.

#include <millrace/algorithms/motion_estimation/cpu/candidate_costs_inl.h>
#include <millrace/algorithms/motion_estimation/cpu/columns_inl.h>
#include <millrace/algorithms/motion_estimation/cpu/sads_inl.h>
#include <millrace/algorithms/motion_estimation/cpu/search_rates.h>
#include <millrace/algorithms/motion_estimation/cpu/smallest_sums_inl.h>
#include <millrace/algorithms/motion_estimation/partition.h>

#include <hwy/highway.h>

#include <bit>
#include <cstdint>
#include <cstring>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == \
    defined(MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_INTEGER_SEARCH_INL_H_)
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_INTEGER_SEARCH_INL_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_INTEGER_SEARCH_INL_H_
#else
#undef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_INTEGER_SEARCH_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::motion {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class Sample, class S>  // S: sums of absolute differences of these samples.
class IntegerSearch {
 public:
  explicit IntegerSearch(const SearchRates& rates) : rates_(rates), sums_(rates) {}

  // Finds each partition's best candidate, in window coordinates.
  void search(const CandidateCosts<Sample>& costs, Candidate (&best)[kPartitions]) {
    sums_.find(costs);
    columns_.set(costs.current(), costs.window(), 2 * rates_.range());
    // Each step runs for all partitions before the next, so that a step for one does not wait for
    // another's.
    find_columns();
    find_rows(costs);
    take_best(costs, best);
    for (; ties_ != 0; ties_ &= ties_ - 1) take_all(costs, std::countr_zero(ties_), best);
  }

 private:
  // Columns of a tile: column `lane` of cell `cell` has the number kLanes * cell + lane.
  static constexpr int kLanes = 32;
  static_assert(hn::MaxLanes(SumTag()) <= kLanes);
  static_assert(kLanes * SmallestSums<Sample, S>::kMostCells <= 65536, "numbers are of 16 bits");

  // kPartitions rounded up to whole vectors.
  static constexpr int kPaddedPartitions = round_up(kPartitions, kLanes);

  // A column of a group of rows.
  struct Column {
    int x;
    int first_row;
  };

  HWY_INLINE Column column(int number) const {
    const auto& [tile, first_row] = sums_.cell(number / kLanes);
    return {S::column(tile, number % kLanes), first_row};
  }

  // Finds the columns that may have a partition's best candidate. Almost always there is one, and
  // no branch depends on its position.
  HWY_INLINE void find_columns() {
    const SumTag d;
    ties_ = 0;
    for (int p = 0; p < kPartitions; ++p) {
      Sums smallest = sums_.smallest_of_four(0, p);
      for (int cell = 4; cell < sums_.cell_count(); cell += 4) {
        smallest = hn::Min(smallest, sums_.smallest_of_four(cell, p));
      }
      least_[p] = smallest_lane(d, smallest);
      int number = 0;
      int count = 0;
      for (int cell = 0; cell < sums_.cell_count(); cell += 4) {
        const std::uint64_t lower = equal_lanes_of_two(cell, p);
        const std::uint64_t upper = equal_lanes_of_two(cell + 2, p);
        const int found = kLanes * cell + (lower != 0 ? std::countr_zero(lower)
                                                      : 2 * kLanes + std::countr_zero(upper));
        number = count == 0 ? found : number;
        count += std::popcount(lower) + std::popcount(upper);
      }
      numbers_[p] = static_cast<std::uint16_t>(number);
      ties_ |= std::uint64_t{count != 1} << p;
    }
  }

  // Finds the best candidates' rows in these columns. Most partitions share columns: 2 to 4 on
  // average in real clips (docs/experiments/motion_simd_cost_by_machine.md).
  HWY_INLINE void find_rows(const CandidateCosts<Sample>& costs) {
    constexpr int kLarge = first_partition(PartitionSize::k8x8);
    // Any four partitions have at least 16 sums of differences; all have 64.
    constexpr int kMany = 4;
    for (std::uint64_t left = (std::uint64_t{1} << kPartitions) - 1; left != 0;) {
      const int first = std::countr_zero(left);
      std::uint64_t same = partitions_of(numbers_[first]) & left;
      left &= ~same;
      const auto [x, first_row] = column(numbers_[first]);
      if (first < kLarge || std::popcount(same) >= kMany) {
        alignas(64) std::uint32_t rows[kPaddedPartitions] = {};
        costs.find_rows(columns_, x, first_row, least_, rows);
        take_rows(same, rows);
      } else {
        for (; same != 0; same &= same - 1) {
          const int p = std::countr_zero(same);
          rows_[p] = costs.rows_of(columns_, p, x, first_row, least_[p]);
        }
      }
    }
  }

  // Keeps the rows of these partitions.
  HWY_INLINE void take_rows(std::uint64_t partitions,
                            const std::uint32_t (&rows)[kPaddedPartitions]) {
    const hn::CappedTag<std::uint32_t, 16> d;
    const auto lanes = static_cast<int>(hn::Lanes(d));
    for (int p = 0; p < kPartitions; p += lanes, partitions >>= lanes) {
      std::uint8_t bits[8];
      std::memcpy(bits, &partitions, sizeof bits);
      hn::BlendedStore(hn::Load(d, rows + p), hn::LoadMaskBits(d, bits), d, rows_ + p);
    }
  }

  // Returns the partitions whose column has this number.
  HWY_INLINE std::uint64_t partitions_of(std::uint16_t number) const {
    const SumTag d;
    const auto lanes = static_cast<int>(hn::Lanes(d));
    std::uint64_t partitions = 0;
    for (int p = 0; p < kPartitions; p += lanes) {
      const auto equal = hn::Eq(hn::Load(d, numbers_ + p), hn::Set(d, number));
      partitions |= std::uint64_t{lanes_of(d, equal)} << p;
    }
    return partitions;
  }

  HWY_INLINE void take_best(const CandidateCosts<Sample>& costs,
                            Candidate (&best)[kPartitions]) const {
    for (int p = 0; p < kPartitions; ++p) {
      if (HWY_UNLIKELY(least_[p] == SearchRates::kNever || rows_[p] == 0)) {
        best[p] = costs.search_all(p);  // Its sums exceed 16 bits.
        continue;
      }
      const auto [x, first_row] = column(numbers_[p]);
      best[p] = costs.best_of(x, first_row, rows_[p], least_[p]);
    }
  }

  // Makes `best` the best of all columns that have a partition's smallest sum.
  HWY_NOINLINE void take_all(const CandidateCosts<Sample>& costs, int partition,
                             Candidate (&best)[kPartitions]) {
    const std::uint16_t least = least_[partition];
    if (least == SearchRates::kNever) return;  // The candidate is the best of all already.
    for (int cell = 0; cell < sums_.cell_count(); ++cell) {
      std::uint32_t equal = equal_lanes(cell, partition);
      for (; equal != 0; equal &= equal - 1) {
        const auto [x, first_row] = column(kLanes * cell + std::countr_zero(equal));
        const std::uint32_t rows = costs.rows_of(columns_, partition, x, first_row, least);
        if (HWY_UNLIKELY(rows == 0)) continue;
        const Candidate candidate = costs.best_of(x, first_row, rows, least);
        if (candidate.is_before(best[partition])) best[partition] = candidate;
      }
    }
  }

  // Returns the equal lanes of a cell and of the next one.
  HWY_INLINE std::uint64_t equal_lanes_of_two(int cell, int partition) const {
    return equal_lanes(cell, partition) | std::uint64_t{equal_lanes(cell + 1, partition)} << kLanes;
  }

  // Returns the lanes of a cell whose smallest sum is the partition's.
  HWY_INLINE std::uint32_t equal_lanes(int cell, int partition) const {
    const SumTag d;
    return lanes_of(d,
                    hn::Eq(hn::Load(d, sums_.in(cell, partition)), hn::Set(d, least_[partition])));
  }

  const SearchRates& rates_;
  SmallestSums<Sample, S> sums_;
  Columns<Sample> columns_;
  // For each partition the smallest floor(J / 32), a column that has it, and the rows of that
  // column that have it, as bits from the group's first on.
  std::uint16_t least_[kPartitions];
  alignas(64) std::uint16_t numbers_[kPaddedPartitions] = {};
  alignas(64) std::uint32_t rows_[kPaddedPartitions];
  std::uint64_t ties_ = 0;  // Mask of the partitions that have it in more than one column.
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::motion
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_INTEGER_SEARCH_INL_H_
