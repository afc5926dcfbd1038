// The search of whole samples in the vectors of the target being compiled. A part of
// motion_simd.cc.
//
// Only columns of a group of rows that have the smallest floor(J / 32) of all can have the smallest
// J; they are looked at again.

#include <hwy/highway.h>
#include <millrace/algorithms/motion_estimation/motion_candidate_inl.h>
#include <millrace/algorithms/motion_estimation/motion_columns_inl.h>
#include <millrace/algorithms/motion_estimation/motion_rates.h>
#include <millrace/algorithms/motion_estimation/motion_sads_inl.h>
#include <millrace/algorithms/motion_estimation/motion_smallest_sums_inl.h>
#include <millrace/algorithms/motion_estimation/partition.h>

#include <bit>
#include <cstdint>

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
  explicit IntegerSearch(const SearchRates& rates) : rates_(rates), sums_(rates) {}

  // Finds each partition's best candidate, in window coordinates.
  void search(const CandidateCosts<Sample>& costs, Candidate (&best)[kPartitions]) {
    sums_.find(costs);
    columns_.set(costs.current(), costs.window(), 2 * rates_.range());
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
  // Where a partition's sum plus rate is smallest.
  struct Found {
    std::uint16_t least;
    bool is_alone;  // No other place has it.
    int x;          // Of one that has it.
    int first_row;
    std::uint32_t rows;  // In which it is as small, as bits.
  };

  // Finds the places that may have a partition's best candidate. Nearly always there is one, and no
  // branch depends on where.
  HWY_INLINE void find_places() {
    const SumTag d;
    for (int p = 0; p < kPartitions; ++p) {
      Sums smallest = hn::Load(d, sums_.in(0, p));
      for (int place = 1; place < sums_.places(); ++place) {
        smallest = hn::Min(smallest, hn::Load(d, sums_.in(place, p)));
      }
      const std::uint16_t least = smallest_lane(d, smallest);
      const std::uint32_t lanes = lanes_of(d, hn::Eq(smallest, hn::Set(d, least)));
      const int lane = std::countr_zero(lanes);
      int last = 0;
      int count = 0;
      for (int place = 0; place < sums_.places(); ++place) {
        const bool is_least = sums_.in(place, p)[lane] == least;
        last = is_least ? place : last;
        count += is_least ? 1 : 0;
      }
      const auto& [tile, first_row] = sums_.place(last);
      found_[p] = {least, count == 1 && std::has_single_bit(lanes), tile.column(lane), first_row,
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
      if (found.is_alone || found.least == SearchRates::kNever) continue;
      for (int place = 0; place < sums_.places(); ++place) {
        const auto& [tile, first_row] = sums_.place(place);
        std::uint32_t equal = equal_lanes(place, p, found.least);
        for (; equal != 0; equal &= equal - 1) {
          const int x = tile.column(std::countr_zero(equal));
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

  HWY_INLINE std::uint32_t equal_lanes(int place, int partition, std::uint16_t value) const {
    const SumTag d;
    return lanes_of(d, hn::Eq(hn::Load(d, sums_.in(place, partition)), hn::Set(d, value)));
  }

  const SearchRates& rates_;
  SmallestSums<Sample> sums_;
  Columns<Sample> columns_;
  Found found_[kPartitions];
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::motion
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_INTEGER_INL_H_
