// SPDX-License-Identifier: Apache-2.0

// Exact costs of candidates of a search of whole samples, needed when sums of 16 bits do not
// determine the best. A part of motion_simd.cc.

#include <millrace/algorithms/motion_estimation/cpu/columns_inl.h>
#include <millrace/algorithms/motion_estimation/cpu/sads_inl.h>
#include <millrace/algorithms/motion_estimation/cpu/search_rates.h>
#include <millrace/algorithms/motion_estimation/cpu/search_window.h>
#include <millrace/algorithms/motion_estimation/partition.h>

#include <hwy/highway.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == \
    defined(MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_CANDIDATE_COSTS_INL_H_)
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_CANDIDATE_COSTS_INL_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_CANDIDATE_COSTS_INL_H_
#else
#undef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_CANDIDATE_COSTS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::motion {
namespace HWY_NAMESPACE {
namespace {

// A position in a search window, relative to its first candidate, and its cost.
struct Candidate {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t cost = kNone;
  int x = 0;
  int y = 0;

  // Returns true if this candidate wins: by its cost, or else by its position in raster order.
  HWY_INLINE bool is_before(const Candidate& other) const {
    if (cost != other.cost) return cost < other.cost;
    return y != other.y ? y < other.y : x < other.x;
  }
};

// The values of partition_at().
struct PartitionTable {
  constexpr PartitionTable() {
    for (int p = 0; p < kPartitions; ++p) at[p] = partition_at(p);
  }
  Partition at[kPartitions];
};
constexpr PartitionTable kPartitionTable;

// Returns a mask's lanes, at most 32, as bits from the first on.
template <class D, class M>
HWY_INLINE std::uint32_t lanes_of(D d, M mask) {
#if HWY_TARGET == HWY_SCALAR
  return hn::GetLane(hn::IfThenElse(mask, hn::Set(d, 1), hn::Zero(d)));
#elif HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  static_cast<void>(d);
  return mask.raw;
#else
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(d, mask, bits);
  std::uint32_t lanes = 0;
  std::memcpy(&lanes, bits, sizeof lanes);
  return lanes;
#endif
}

HWY_INLINE std::uint16_t smallest_lane(SumTag d, Sums lanes) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_SSE4
  const hn::Full128<std::uint16_t> eight;
#if HWY_TARGET <= HWY_AVX3
  const hn::Half<SumTag> half;
  const auto lower = hn::Min(hn::LowerHalf(half, lanes), hn::UpperHalf(half, lanes));
  const auto least = hn::Min(hn::LowerHalf(eight, lower), hn::UpperHalf(eight, lower));
#elif HWY_TARGET == HWY_AVX2
  const auto least = hn::Min(hn::LowerHalf(eight, lanes), hn::UpperHalf(eight, lanes));
#else
  const auto least = lanes;
#endif
  static_cast<void>(d);
  return static_cast<std::uint16_t>(_mm_cvtsi128_si32(_mm_minpos_epu16(least.raw)));
#else
  return hn::GetLane(hn::MinOfLanes(d, lanes));
#endif
}

// Computes the costs of one macroblock's candidates.
template <class Sample>
class CandidateCosts {
 public:
  // `current` is the macroblock, 16 samples per row. `window` begins with the samples of its first
  // candidate.
  CandidateCosts(const SearchRates& rates, const Sample* current,
                 const SearchWindow<Sample>& window, const MotionVector& limited_predictor)
      : rates_(rates),
        current_(current),
        window_(window),
        rounding_x_(SearchRates::rounding(limited_predictor.x)),
        rounding_y_(SearchRates::rounding(limited_predictor.y)) {}

  const Sample* current() const { return current_; }
  const SearchWindow<Sample>& window() const { return window_; }
  // Returns SearchRates::rounding of the predictor in x and y, which determine the coarse rates.
  std::pair<int, int> roundings() const { return {rounding_x_, rounding_y_}; }
  const std::vector<RowGroup>& row_groups() const { return rates_.groups(rounding_y_); }

  // Returns SearchRates::coarse of rows with these bits.
  HWY_INLINE const std::uint16_t* coarse_rates(int bits_y) const {
    return rates_.coarse(rounding_x_, bits_y);
  }

  // Returns the rows of a group, whose first is `first`, in which a column's SAD plus coarse rate
  // is `least`.
  HWY_NOINLINE std::uint32_t rows_of(Columns<Sample>& columns, int partition, int x, int first,
                                     std::uint16_t least) const {
    switch (partition_size(partition)) {
      case PartitionSize::k16x16: return rows_in<16, 16>(columns, partition, x, first, least);
      case PartitionSize::k16x8: return rows_in<16, 8>(columns, partition, x, first, least);
      case PartitionSize::k8x16: return rows_in<8, 16>(columns, partition, x, first, least);
      case PartitionSize::k8x8: return rows_in<8, 8>(columns, partition, x, first, least);
      case PartitionSize::k8x4: return rows_in<8, 4>(columns, partition, x, first, least);
      case PartitionSize::k4x8: return rows_in<4, 8>(columns, partition, x, first, least);
      case PartitionSize::k4x4: break;
    }
    return rows_in<4, 4>(columns, partition, x, first, least);
  }

  // As rows_of() for all partitions: adds to rows[partition] the rows in which the partition's SAD
  // plus coarse rate is least[partition].
  HWY_INLINE void find_rows(Columns<Sample>& columns, int x, int first,
                            const std::uint16_t (&least)[kPartitions], std::uint32_t* rows) const {
    const ColumnTag d;
    const std::uint16_t* const rates = rates_of_rows(x) + first;
    for (int row = 0; row < RowGroup::kRows; row += static_cast<int>(hn::Lanes(d))) {
      const auto rate = hn::LoadU(d, rates + row);
      columns.take_sums(x, first + row, [&](int partition, ColumnSums sums) HWY_ATTR {
        const auto equal = hn::Eq(hn::SaturatedAdd(sums, rate), hn::Set(d, least[partition]));
        rows[partition] |= lanes_of(d, equal) << row;
      });
    }
  }

  // Returns the best candidate among these rows of a column, of which there is at least one; bit 0
  // is row `first`. Their SAD plus coarse rate is `least`.
  HWY_INLINE Candidate best_of(int x, int first, std::uint32_t rows, std::uint16_t least) const {
    Candidate best = candidate(x, first + std::countr_zero(rows), least);
    for (rows &= rows - 1; HWY_UNLIKELY(rows != 0); rows &= rows - 1) {
      const Candidate next = candidate(x, first + std::countr_zero(rows), least);
      if (next.is_before(best)) best = next;
    }
    return best;
  }

  // Returns the best candidate of the whole window by an exhaustive search.
  HWY_NOINLINE Candidate search_all(int partition) const {
    Candidate best;
    for (int y = 0; y < 2 * rates_.range(); ++y) {
      for (int x = 0; x < 2 * rates_.range(); ++x) {
        const Candidate candidate{32 * sad(kPartitionTable.at[partition], x, y) + rate(x, y), x, y};
        if (candidate.is_before(best)) best = candidate;
      }
    }
    return best;
  }

 private:
  HWY_INLINE Candidate candidate(int x, int y, std::uint16_t least) const {
    return {32U * least + rate(x, y) % 32, x, y};
  }

  template <int kWidth, int kHeight>
  HWY_INLINE std::uint32_t rows_in(Columns<Sample>& columns, int partition, int x, int first,
                                   std::uint16_t least) const {
    const ColumnTag d;
    const std::uint16_t* const rates = rates_of_rows(x) + first;
    std::uint32_t equal = 0;
    for (int row = 0; row < RowGroup::kRows; row += static_cast<int>(hn::Lanes(d))) {
      const ColumnSums sums =
          columns.template sums<kWidth, kHeight>(kPartitionTable.at[partition], x, first + row);
      const ColumnSums costs = hn::SaturatedAdd(sums, hn::LoadU(d, rates + row));
      equal |= lanes_of(d, hn::Eq(costs, hn::Set(d, least))) << row;
    }
    return equal;
  }

  // Returns the coarse rates of a column's candidates.
  HWY_INLINE const std::uint16_t* rates_of_rows(int x) const {
    return rates_.coarse(rounding_y_, rates_.bits(rounding_x_, x));
  }

  HWY_INLINE std::uint32_t rate(int x, int y) const {
    return static_cast<std::uint32_t>(rates_.lambda() *
                                      (rates_.bits(rounding_x_, x) + rates_.bits(rounding_y_, y)));
  }

  HWY_INLINE std::uint32_t sad(const Partition& area, int x, int y) const {
    const Sample* current = current_ + kMacroblockWidth * area.y + area.x;
    int sum = 0;
    for (int row = 0; row < area.height; ++row, current += kMacroblockWidth) {
      const Sample* const reference = window_.row(y + area.y + row) + x + area.x;
      for (int i = 0; i < area.width; ++i) sum += std::abs(current[i] - reference[i]);
    }
    return static_cast<std::uint32_t>(sum);
  }

  const SearchRates& rates_;
  const Sample* const current_;
  const SearchWindow<Sample>& window_;
  const int rounding_x_;
  const int rounding_y_;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::motion
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_CANDIDATE_COSTS_INL_H_
