// SPDX-License-Identifier: Apache-2.0

// The refinement of vectors to half and quarter samples, in the vectors of the target being
// compiled. A part of motion_refine_simd.cc.
//
// The nine or eight candidates around a vector are means of samples at half sample positions. For
// each of its 4x4 blocks two rows of pairs provide these: one with the centre and its left and
// right neighbours, and one with the samples above and below (half_samples.h). 16 bytes of
// such a row contain everything that one row of candidates needs of a block.

#include <millrace/algorithms/motion_estimation/cpu/half_samples.h>
#include <millrace/algorithms/motion_estimation/cpu/refinement_blocks_inl.h>
#include <millrace/algorithms/motion_estimation/cpu/satd_inl.h>
#include <millrace/algorithms/motion_estimation/cpu/search_rates.h>
#include <millrace/algorithms/motion_estimation/motion_reference.h>
#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/algorithms/motion_estimation/partition.h>

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == \
    defined(MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_REFINEMENT_INL_H_)
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_REFINEMENT_INL_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_REFINEMENT_INL_H_
#else
#undef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_REFINEMENT_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::motion {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

// The definition, for targets without vectors.
template <class Sample>
class Refinement {
 public:
  Refinement(const SearchFrame<Sample>& frame, const HalfSamples<Sample>& /*half_samples*/,
             const SearchRates& rates)
      : frame_(frame), rates_(rates) {}

  void refine(std::size_t macroblock, Precision precision, MotionVector* vectors,
              std::uint32_t* costs) {
    const MotionVector predictor = predictor_of(frame_, macroblock);
    for (int p = 0; p < kPartitions; ++p) {
      for (int step = 2; step >= (precision == Precision::kHalf ? 2 : 1); --step) {
        const MotionVector centre = vectors[p];
        costs[p] = ~std::uint32_t{0};
        for (int position = 0; position < 9; ++position) {
          const MotionVector vector{
              static_cast<std::int16_t>(centre.x + (position % 3 - 1) * step),
              static_cast<std::int16_t>(centre.y + (position / 3 - 1) * step)};
          const std::uint32_t cost = motion_cost(
              partition_distortion(frame_, macroblock, partition_at(p), vector, precision),
              rates_.lambda(), vector.x - predictor.x, vector.y - predictor.y);
          if (cost >= costs[p]) continue;
          costs[p] = cost;
          vectors[p] = vector;
        }
      }
    }
  }

 private:
  const SearchFrame<Sample>& frame_;
  const SearchRates& rates_;
};

#else  // HWY_TARGET != HWY_SCALAR

template <class Sample>
class Refinement {
 public:
  Refinement(const SearchFrame<Sample>& frame, const HalfSamples<Sample>& half_samples,
             const SearchRates& rates)
      : frame_(frame),
        half_(half_samples),
        rates_(rates),
        centre_rows_{half_.whole_rows + half_.stride, half_.half_rows},
        vertical_rows_{half_.half_rows, half_.whole_rows} {}

  // Refines the partitions' vectors of whole samples, and writes their costs.
  void refine(std::size_t macroblock, Precision precision, MotionVector* vectors,
              std::uint32_t* costs) {
    const auto per_row = static_cast<std::size_t>(frame_.current.macroblocks_per_row());
    x_ = static_cast<int>(macroblock % per_row) * kMacroblockWidth;
    y_ = static_cast<int>(macroblock / per_row) * kMacroblockWidth;
    predictor_ = predictor_of(frame_, macroblock);
    transform_current(frame_.current.macroblock(macroblock));
    std::ranges::fill(half_sums_.around, kNoVector);
    std::ranges::fill(quarter_sums_.around, kNoVector);
    for (int size = 0; size < kPartitionSizes; ++size) {
      const int first = first_partition(static_cast<PartitionSize>(size));
      const int end = first + partition_count(static_cast<PartitionSize>(size));
      for (int block = 0; block < kBlocks; block += kBlocksPerVector) {
        if (move(half_sums_.around, size, block, vectors)) search_halves(block);
      }
      for (int p = first; p < end; ++p) choose_half(p, vectors[p], costs[p]);
      if (precision == Precision::kHalf) continue;
      for (int block = 0; block < kBlocks; block += kBlocksPerVector) {
        if (move(quarter_sums_.around, size, block, vectors)) search_quarters(block);
      }
      for (int p = first; p < end; ++p) choose_quarter(p, vectors[p], costs[p]);
    }
  }

 private:
  static constexpr int kHalfSets = 3;
  static constexpr int kQuarterSets = 2;
  static constexpr std::size_t kTransformed = 8 * hn::MaxLanes(PairTag());

  static constexpr MotionVector kNoVector{std::numeric_limits<std::int16_t>::min(), 0};

  // Sets the vectors of as many blocks as a vector has, from `first` on, to those of their
  // partitions of a size. Finds the sources around them unless none has changed. Not inlined: that
  // made refine() slower by a tenth.
  HWY_NOINLINE bool move(MotionVector (&around)[kBlocks], int size, int first,
                         const MotionVector* vectors) {
    std::uint32_t moved = 0;
    for (int block = first; block < first + kBlocksPerVector; ++block) {
      const MotionVector& to = vectors[kPartitionsOf.at[size][block]];
      moved |= std::bit_cast<std::uint32_t>(to) ^ std::bit_cast<std::uint32_t>(around[block]);
    }
    if (moved == 0) return false;
    for (int block = first; block < first + kBlocksPerVector; ++block) {
      around[block] = vectors[kPartitionsOf.at[size][block]];
      find_sources(block, around[block]);
    }
    return true;
  }

  // Finds the sources of the candidates around a block's vector, which is of half samples. Beyond
  // some samples outside of the picture nothing changes any more.
  HWY_INLINE void find_sources(int block, const MotionVector& vector) {
    constexpr int kFirst = 2 - HalfSamples<Sample>::kMargin;
    const int half_x = vector.x >> 1;
    const int half_y = vector.y >> 1;
    const int x = x_ + block_x(block) + ((half_x + 1) >> 1);
    const int y = y_ + block_y(block) + ((half_y + 1) >> 1);
    const std::ptrdiff_t above = half_.offset(std::clamp(x, kFirst, half_.width + 2) - 1,
                                              std::clamp(y, kFirst, half_.height + 2) - 1);
    const int odd_y = half_y & 1;
    sources_.centre[block] = centre_rows_[odd_y] + above;
    sources_.vertical[block] = vertical_rows_[odd_y] + above;
    sources_.parity[block] = static_cast<std::uint8_t>((half_x & 1) + 2 * odd_y);
  }

  void transform_current(const Sample* macroblock) {
    for (int block = 0; block < kBlocks; block += kBlocksPerVector) {
      RowPairs rows[4];
      for (int row = 0; row < 4; ++row) {
        Fours<Sample> fours;
        for (std::size_t k = 0; k < sizeof(Sample); ++k) {
          const auto block_of = [&](int b) { return block + b % kBlocksPerVector; };
          const auto bytes = [&](int b) HWY_ATTR {
            return reinterpret_cast<const std::uint8_t*>(macroblock + (block_y(block_of(b)) + row) *
                                                                          frame_.current.stride) +
                   16 * (sizeof(Sample) * block_x(block_of(b)) / 16);
          };
          const auto shuffle = [&](int b) HWY_ATTR {
            return kFours[(sizeof(Sample) * block_x(block_of(b)) / 4 + k) % 4].bytes;
          };
          fours.vectors[k] = hn::TableLookupBytes(
              load_block_bytes(BlockTag(), bytes(0), bytes(1), bytes(2), bytes(3)),
              load_block_bytes(BlockTag(), shuffle(0), shuffle(1), shuffle(2), shuffle(3)));
        }
        rows[row] = row_pairs(fours);
      }
      store(transform(rows[0], rows[1], rows[2], rows[3]), current_of(block));
    }
  }

  std::int16_t* current_of(int block) { return current_[block / kBlocksPerVector]; }

  // Evaluates the nine candidates around whole samples: left of the centre, right of it, the
  // centre, and the same in the rows above and below.
  HWY_INLINE void search_halves(int block) {
    const BlockBytes shuffle = for_all_blocks(kLeftRightCentre<Sample>[0]);
    const std::int16_t* const current = current_of(block);
    const Sample* const* const centre = sources_.centre + block;
    store_sums(half_sums_.at[1], block,
               satd(current, transform(pairs(centre, 0, shuffle), pairs(centre, 1, shuffle),
                                       pairs(centre, 2, shuffle), pairs(centre, 3, shuffle))));
    const Sample* const* const vertical = sources_.vertical + block;
    const RowPairs v0 = pairs(vertical, 0, shuffle);
    const RowPairs v1 = pairs(vertical, 1, shuffle);
    const RowPairs v2 = pairs(vertical, 2, shuffle);
    const RowPairs v3 = pairs(vertical, 3, shuffle);
    const RowPairs v4 = pairs(vertical, 4, shuffle);
    store_sums(half_sums_.at[0], block, satd(current, transform(v0, v1, v2, v3)));
    store_sums(half_sums_.at[2], block, satd(current, transform(v1, v2, v3, v4)));
  }

  HWY_INLINE RowPairs pairs(const Sample* const* rows, int row, BlockBytes shuffle) const {
    return row_pairs(load_row(rows, row * half_.stride, shuffle));
  }

  // Evaluates the eight candidates around half samples: the neighbours and the corners.
  HWY_INLINE void search_quarters(int block) {
    const BlockBytes shuffle = load_shuffles(kOfVertical<Sample>, sources_.parity + block);
    const Sample* const* const rows = sources_.vertical + block;
    const Fours<Sample> r0 = load_row(rows, 0, shuffle);
    const Fours<Sample> r1 = load_row(rows, half_.stride, shuffle);
    const Fours<Sample> r2 = load_row(rows, 2 * half_.stride, shuffle);
    const Fours<Sample> r3 = load_row(rows, 3 * half_.stride, shuffle);
    const Fours<Sample> r4 = load_row(rows, 4 * half_.stride, shuffle);
    const QuarterRow q0 = quarter_row(block, 0, r0, r1);
    const QuarterRow q1 = quarter_row(block, 1, r1, r2);
    const QuarterRow q2 = quarter_row(block, 2, r2, r3);
    const QuarterRow q3 = quarter_row(block, 3, r3, r4);
    const std::int16_t* const current = current_of(block);
    store_sums(quarter_sums_.at[0], block,
               satd(current, transform(q0.beside, q1.beside, q2.beside, q3.beside)));
    store_sums(quarter_sums_.at[1], block,
               satd(current, transform(q0.corners, q1.corners, q2.corners, q3.corners)));
  }

  struct QuarterRow {
    RowPairs beside;
    RowPairs corners;
  };

  HWY_INLINE QuarterRow quarter_row(int block, int row, const Fours<Sample>& above,
                                    const Fours<Sample>& below) const {
    const Fours<Sample> centre =
        load_row(sources_.centre + block, row * half_.stride,
                 load_shuffles(kOfCentre<Sample>, sources_.parity + block));
    const Fours<Sample> corners =
        shuffled(centre, load_shuffles(kOfCorners, sources_.parity + block));
    return {row_pairs(mean(centres(centre), around(centre, above, below))),
            row_pairs(mean(corners, halves(above, below)))};
  }

  // Returns the centre four times.
  static HWY_INLINE Fours<Sample> centres(const Fours<Sample>& centre) {
    return shuffled(centre, for_all_blocks(kCentre));
  }

  // Returns the samples at the left, at the right, above and below.
  static HWY_INLINE Fours<Sample> around(const Fours<Sample>& centre, const Fours<Sample>& above,
                                         const Fours<Sample>& below) {
    const hn::Repartition<std::uint64_t, BlockTag> d;
    Fours<Sample> result;
    for (std::size_t i = 0; i < sizeof(Sample); ++i) {
      const auto vertical = hn::OddEven(hn::BitCast(SatdTag(), below.vectors[i]),
                                        hn::BitCast(SatdTag(), above.vectors[i]));
      result.vectors[i] = hn::BitCast(
          BlockTag(), hn::OddEven(hn::BitCast(d, vertical), hn::BitCast(d, centre.vectors[i])));
    }
    return result;
  }

  // Combines the lower 64 bits of each block above with those of the block below.
  static HWY_INLINE Fours<Sample> halves(const Fours<Sample>& above, const Fours<Sample>& below) {
    const hn::Repartition<std::uint64_t, BlockTag> d;
    Fours<Sample> result;
    for (std::size_t i = 0; i < sizeof(Sample); ++i) {
      result.vectors[i] =
          hn::BitCast(BlockTag(), hn::InterleaveLower(d, hn::BitCast(d, above.vectors[i]),
                                                      hn::BitCast(d, below.vectors[i])));
    }
    return result;
  }

  static HWY_INLINE void store_sums(std::uint32_t* sums, int block, Satds satds) {
    hn::Store(satds, SatdTag(), sums + 4 * block);
  }

  using Four = hn::Full128<std::uint32_t>;

  template <int kSets>
  static HWY_INLINE hn::Vec<Four> total(const BlockSums<kSets>& sums, int set, int partition) {
    const Four d;
    const auto of = [&](int i) HWY_ATTR {
      return hn::Load(d, sums.at[set] + 4 * kBlocksOf.at[partition][i]);
    };
    hn::Vec<Four> total = of(0);
    for (int i = 1; i < kBlocksOf.count[partition]; ++i) total = hn::Add(total, of(i));
    return total;
  }

  // Returns costs with the candidates' positions in raster order as lower bits, so that the first
  // of equal ones has the smallest rank; J is below 2^25 (motion_cost.h), and here may be below
  // 2^28.
  static HWY_INLINE hn::Vec<Four> ranks(hn::Vec<Four> satds, hn::Vec<Four> rates,
                                        const std::uint32_t (&positions)[4]) {
    const Four d;
    const auto costs = hn::Add(hn::ShiftLeft<5>(satds), rates);
    return hn::Add(hn::ShiftLeft<4>(costs), hn::LoadU(d, positions));
  }

  HWY_INLINE hn::Vec<Four> rates_around(int vector, int predictor, int step) const {
    return hn::LoadU(Four(), rates_.rates_around(vector - predictor, step));
  }

  HWY_INLINE void choose_half(int partition, MotionVector& vector, std::uint32_t& cost) const {
    static constexpr std::uint32_t kPositions[3][4] = {{0, 2, 1, 1}, {3, 5, 4, 4}, {6, 8, 7, 7}};
    const auto x = rates_around(vector.x, predictor_.x, 2);
    const auto y = rates_around(vector.y, predictor_.y, 2);
    const auto above =
        ranks(total(half_sums_, 0, partition), hn::Add(x, hn::Broadcast<0>(y)), kPositions[0]);
    const auto centre =
        ranks(total(half_sums_, 1, partition), hn::Add(x, hn::Broadcast<2>(y)), kPositions[1]);
    const auto below =
        ranks(total(half_sums_, 2, partition), hn::Add(x, hn::Broadcast<1>(y)), kPositions[2]);
    take(hn::GetLane(hn::MinOfLanes(Four(), hn::Min(hn::Min(above, centre), below))), 2, vector,
         cost);
  }

  HWY_INLINE void choose_quarter(int partition, MotionVector& vector, std::uint32_t& cost) const {
    static constexpr std::uint32_t kPositions[2][4] = {{3, 5, 1, 7}, {0, 2, 6, 8}};
    static constexpr std::uint32_t kCentrePosition = 4;
    const Four d;
    const auto x = rates_around(vector.x, predictor_.x, 1);
    const auto y = rates_around(vector.y, predictor_.y, 1);
    const auto beside =
        ranks(total(quarter_sums_, 0, partition), hn::Add(x, hn::Shuffle1032(y)), kPositions[0]);
    const auto corners =
        ranks(total(quarter_sums_, 1, partition),
              hn::Add(hn::ConcatLowerLower(d, x, x), hn::InterleaveLower(d, y, y)), kPositions[1]);
    const std::uint32_t best = hn::GetLane(hn::MinOfLanes(d, hn::Min(beside, corners)));
    take(std::min(best, cost << 4 | kCentrePosition), 1, vector, cost);
  }

  static HWY_INLINE void take(std::uint32_t rank, int step, MotionVector& vector,
                              std::uint32_t& cost) {
    const int position = static_cast<int>(rank & 15);
    cost = rank >> 4;
    vector = {static_cast<std::int16_t>(vector.x + (position % 3 - 1) * step),
              static_cast<std::int16_t>(vector.y + (position / 3 - 1) * step)};
  }

  const SearchFrame<Sample>& frame_;
  const HalfSamples<Sample> half_;
  const SearchRates& rates_;
  const Sample* const centre_rows_[2];  // Indexed by the parity of the centre's row.
  const Sample* const vertical_rows_[2];
  int x_ = 0;  // Position of the macroblock.
  int y_ = 0;
  MotionVector predictor_;
  Sources<Sample> sources_;
  BlockSums<kHalfSets> half_sums_;
  BlockSums<kQuarterSets> quarter_sums_;
  alignas(64) std::int16_t current_[kBlocks / kBlocksPerVector][kTransformed];
};

#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::motion
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_REFINEMENT_INL_H_
