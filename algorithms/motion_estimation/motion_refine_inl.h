// The refinement of vectors to half and quarter samples, in the vectors of the target being
// compiled. A part of motion_refine_simd.cc.
//
// The nine or eight candidates around a vector are means of samples at half sample positions, of
// which each of its 4x4 blocks has two rows of pairs at hand: one with the centre and what is left
// and right of it, one with what is above and below (motion_half_samples.h). 16 bytes of such a row
// have all of a block that one row of candidates needs.

#include <hwy/highway.h>
#include <millrace/algorithms/motion_estimation/motion_half_samples.h>
#include <millrace/algorithms/motion_estimation/motion_rates.h>
#include <millrace/algorithms/motion_estimation/motion_reference.h>
#include <millrace/algorithms/motion_estimation/motion_satd_inl.h>
#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/algorithms/motion_estimation/partition.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == \
    defined(MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_REFINE_INL_H_)
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_REFINE_INL_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_REFINE_INL_H_
#else
#undef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_REFINE_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::motion {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

// By the definition: there are no vectors.
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
        for (int place = 0; place < 9; ++place) {
          const MotionVector vector{static_cast<std::int16_t>(centre.x + (place % 3 - 1) * step),
                                    static_cast<std::int16_t>(centre.y + (place / 3 - 1) * step)};
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

constexpr int kBlocks = 16;  // 4x4 ones of a macroblock, those of a quarter together.
constexpr int kBlocksPerVector = static_cast<int>(hn::MaxLanes(BlockTag())) / 16;

// Where a block is in its macroblock.
constexpr int block_x(int block) { return block / 4 % 2 * 8 + block % 2 * 4; }
constexpr int block_y(int block) { return block / 8 * 8 + block / 2 % 2 * 4; }

// The partition of each block in each size.
struct PartitionsOfBlocks {
  constexpr PartitionsOfBlocks() {
    for (int p = 0; p < kPartitions; ++p) {
      const Partition place = partition_at(p);
      for (int block = 0; block < kBlocks; ++block) {
        const int x = block_x(block) - place.x;
        const int y = block_y(block) - place.y;
        if (x >= 0 && x < place.width && y >= 0 && y < place.height) {
          at[static_cast<int>(partition_size(p))][block] = p;
        }
      }
    }
  }
  int at[kPartitionSizes][kBlocks] = {};
};
constexpr PartitionsOfBlocks kPartitionsOfBlocks;

// The shuffles of a row of pairs, by whether the centre is the second of its pair, into four
// samples each of what is left of the centre, right of it, and twice the centre.
struct Shuffle {
  alignas(16) std::uint8_t bytes[16];
};

// Four samples of a row, or two of 16 bits, that begin at these places of a row of pairs.
template <class Sample>
constexpr Shuffle fours_at(const std::array<int, 4>& starts) {
  constexpr int kBytes = sizeof(Sample);
  Shuffle shuffle{};
  for (int i = 0; i < 16; ++i) {
    const int sample = i % 4 / kBytes;
    shuffle.bytes[i] =
        static_cast<std::uint8_t>((starts[i / 4] + 2 * sample) * kBytes + i % kBytes);
  }
  return shuffle;
}

// By the parity of the centre in half samples.
template <class Sample>
constexpr Shuffle kLeftRightCentre[2] = {fours_at<Sample>({1, 3, 2, 2}),
                                         fours_at<Sample>({0, 2, 1, 1})};
template <class Sample>
constexpr Shuffle kCentreOnly[2] = {fours_at<Sample>({2, 2, 2, 2}), fours_at<Sample>({1, 1, 1, 1})};
constexpr Shuffle kLeftRight = {{0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7}};
constexpr Shuffle kCentre = {{8, 9, 10, 11, 8, 9, 10, 11, 8, 9, 10, 11, 8, 9, 10, 11}};

// What candidates around a block's vector are made of.
template <class Sample>
struct BlockSource {
  const Sample* centre;    // Rows of pairs with the centre, from its row of pairs on.
  const Sample* vertical;  // Those of what is above and below it, from above on.
  const Shuffle* centre_shuffle;
  const Shuffle* vertical_shuffle;
  const Shuffle* diagonal_shuffle;  // Of `centre` once shuffled: what diagonals are means of.
};

// 16 bytes for each block of a vector.
template <class Pointer>
HWY_INLINE BlockBytes load_blocks(const Pointer& of_block) {
  const hn::Full128<std::uint8_t> d;
  const auto load = [&](int block) HWY_ATTR {
    return hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(of_block(block)));
  };
  if constexpr (kBlocksPerVector == 4) {
    const hn::Half<BlockTag> dh;
    return hn::Combine(BlockTag(), hn::Combine(dh, load(3), load(2)),
                       hn::Combine(dh, load(1), load(0)));
  } else if constexpr (kBlocksPerVector == 2) {
    return hn::Combine(BlockTag(), load(1), load(0));
  } else {
    return load(0);
  }
}

template <class Sample>
HWY_INLINE Fours<Sample> shuffled(const Fours<Sample>& fours, BlockBytes shuffle) {
  Fours<Sample> result;
  for (std::size_t i = 0; i < sizeof(Sample); ++i) {
    result.part[i] = hn::TableLookupBytes(fours.part[i], shuffle);
  }
  return result;
}

// A row of the blocks of a vector; `rows` is BlockSource::centre or ::vertical.
template <class Sample>
HWY_INLINE Fours<Sample> load_row(const BlockSource<Sample>* blocks,
                                  const Sample* BlockSource<Sample>::*rows, std::ptrdiff_t offset) {
  Fours<Sample> row;
  for (std::size_t i = 0; i < sizeof(Sample); ++i) {
    row.part[i] = load_blocks([&](int block) HWY_ATTR {
      return blocks[block].*rows + offset + static_cast<std::ptrdiff_t>(4 * i);
    });
  }
  return row;
}

HWY_INLINE Fours<std::uint8_t> mean(const Fours<std::uint8_t>& a, const Fours<std::uint8_t>& b) {
  return {{hn::AverageRound(a.part[0], b.part[0])}};
}

HWY_INLINE Fours<std::uint16_t> mean(const Fours<std::uint16_t>& a, const Fours<std::uint16_t>& b) {
  const hn::Repartition<std::uint16_t, BlockTag> d;
  const auto part = [&](int i) HWY_ATTR {
    return hn::BitCast(BlockTag(),
                       hn::AverageRound(hn::BitCast(d, a.part[i]), hn::BitCast(d, b.part[i])));
  };
  return {{part(0), part(1)}};
}

// Sums of each block's candidates, four at a time, in one step of the refinement.
template <int kSets>
struct BlockSums {
  alignas(64) std::uint32_t at[kSets][4 * kBlocks];
};

template <class Sample>
class Refinement {
 public:
  Refinement(const SearchFrame<Sample>& frame, const HalfSamples<Sample>& half_samples,
             const SearchRates& rates)
      : frame_(frame), half_(half_samples), rates_(rates) {}

  // Refines the partitions' vectors, which are of whole samples, and gives their costs.
  void refine(std::size_t macroblock, Precision precision, MotionVector* vectors,
              std::uint32_t* costs) {
    const auto per_row = static_cast<std::size_t>(frame_.current.macroblocks_per_row());
    x_ = static_cast<int>(macroblock % per_row) * kMacroblockWidth;
    y_ = static_cast<int>(macroblock / per_row) * kMacroblockWidth;
    predictor_ = predictor_of(frame_, macroblock);
    transform_current(frame_.current.macroblock(macroblock));
    for (int size = 0; size < kPartitionSizes; ++size) {
      for (int quarter = 0; quarter < 4; ++quarter) search_halves(size, quarter, vectors);
      choose_all<kHalfSets>(size, 2, half_sums_, vectors, costs);
      if (precision == Precision::kHalf) continue;
      for (int quarter = 0; quarter < 4; ++quarter) search_quarters(size, quarter, vectors);
      choose_all<kQuarterSets>(size, 1, quarter_sums_, vectors, costs);
    }
  }

 private:
  static constexpr int kHalfSets = 3;
  static constexpr int kQuarterSets = 2;
  static constexpr std::size_t kTransformed = 8 * hn::MaxLanes(PairTag());

  // The sources of a block's candidates around a vector of half samples.
  HWY_INLINE BlockSource<Sample> source(int block, const MotionVector& vector) const {
    using Half = HalfSamples<Sample>;
    const int half_x = vector.x >> 1;
    const int half_y = vector.y >> 1;
    const int odd_x = half_x & 1;
    const int odd_y = half_y & 1;
    // Beyond, samples do not change any more.
    const int x =
        std::clamp(x_ + block_x(block) + (half_x + odd_x) / 2, 2 - Half::kMargin, half_.width + 2);
    const int y =
        std::clamp(y_ + block_y(block) + (half_y + odd_y) / 2, 2 - Half::kMargin, half_.height + 2);
    const std::ptrdiff_t above = half_.offset(x - 1, y - 1);
    const Shuffle* const all = &kLeftRightCentre<Sample>[odd_x];
    const bool is_mixed = odd_x != odd_y;
    return {odd_y != 0 ? half_.half_rows + above : half_.whole_rows + above + half_.stride,
            (odd_y != 0 ? half_.whole_rows : half_.half_rows) + above, all,
            is_mixed ? all : &kCentreOnly<Sample>[odd_x], is_mixed ? &kCentre : &kLeftRight};
  }

  template <class Pointer>
  static HWY_INLINE BlockBytes load_shuffles(const BlockSource<Sample>* blocks,
                                             Pointer BlockSource<Sample>::*shuffle) {
    return load_blocks([&](int block) HWY_ATTR { return (blocks[block].*shuffle)->bytes; });
  }

  void transform_current(const Sample* macroblock) {
    for (int block = 0; block < kBlocks; block += kBlocksPerVector) {
      RowPairs rows[4];
      for (int row = 0; row < 4; ++row) {
        Fours<Sample> fours;
        for (std::size_t part = 0; part < sizeof(Sample); ++part) {
          std::uint32_t bytes[kBlocksPerVector];
          for (int b = 0; b < kBlocksPerVector; ++b) {
            std::memcpy(bytes + b,
                        macroblock + (block_y(block + b) + row) * frame_.current.stride +
                            block_x(block + b) + 2 * part,
                        4);
          }
          alignas(64) std::uint32_t lanes[4 * kBlocksPerVector];
          for (int lane = 0; lane < 4 * kBlocksPerVector; ++lane) lanes[lane] = bytes[lane / 4];
          fours.part[part] = hn::BitCast(BlockTag(), hn::Load(SatdTag(), lanes));
        }
        rows[row] = row_pairs(fours);
      }
      store(transform(rows[0], rows[1], rows[2], rows[3]), current_of(block));
    }
  }

  std::int16_t* current_of(int block) { return current_[block / kBlocksPerVector]; }

  HWY_INLINE void find_sources(int size, int quarter, const MotionVector* vectors,
                               BlockSource<Sample> (&sources)[4]) const {
    for (int i = 0; i < 4; ++i) {
      const int block = 4 * quarter + i;
      sources[i] = source(block, vectors[kPartitionsOfBlocks.at[size][block]]);
    }
  }

  // The nine candidates around whole samples: what is left of the centre, right, itself, and the
  // same of the rows above and below.
  HWY_INLINE void search_halves(int size, int quarter, const MotionVector* vectors) {
    BlockSource<Sample> sources[4];
    find_sources(size, quarter, vectors, sources);
    for (int i = 0; i < 4; i += kBlocksPerVector) {
      const int block = 4 * quarter + i;
      const BlockBytes shuffle =
          load_blocks([](int /*block*/) HWY_ATTR { return kLeftRightCentre<Sample>[0].bytes; });
      const auto centre = [&](int row) HWY_ATTR {
        return row_pairs(shuffled(
            load_row(sources + i, &BlockSource<Sample>::centre, row * half_.stride), shuffle));
      };
      const auto vertical = [&](int row) HWY_ATTR {
        return row_pairs(shuffled(
            load_row(sources + i, &BlockSource<Sample>::vertical, row * half_.stride), shuffle));
      };
      const std::int16_t* const current = current_of(block);
      store_sums(half_sums_.at[1], block,
                 satd(current, transform(centre(0), centre(1), centre(2), centre(3))));
      const RowPairs v0 = vertical(0), v1 = vertical(1), v2 = vertical(2), v3 = vertical(3),
                     v4 = vertical(4);
      store_sums(half_sums_.at[0], block, satd(current, transform(v0, v1, v2, v3)));
      store_sums(half_sums_.at[2], block, satd(current, transform(v1, v2, v3, v4)));
    }
  }

  // The eight candidates around half samples: those beside and those in the corners.
  HWY_INLINE void search_quarters(int size, int quarter, const MotionVector* vectors) {
    using Source = BlockSource<Sample>;
    BlockSource<Sample> sources[4];
    find_sources(size, quarter, vectors, sources);
    for (int i = 0; i < 4; i += kBlocksPerVector) {
      const int block = 4 * quarter + i;
      const BlockBytes of_centre = load_shuffles(sources + i, &Source::centre_shuffle);
      const BlockBytes of_vertical = load_shuffles(sources + i, &Source::vertical_shuffle);
      const BlockBytes of_diagonal = load_shuffles(sources + i, &Source::diagonal_shuffle);
      RowPairs beside[4];
      RowPairs corners[4];
      Fours<Sample> above = shuffled(load_row(sources + i, &Source::vertical, 0), of_vertical);
      for (int row = 0; row < 4; ++row) {
        const Fours<Sample> centre =
            shuffled(load_row(sources + i, &Source::centre, row * half_.stride), of_centre);
        const Fours<Sample> below = shuffled(
            load_row(sources + i, &Source::vertical, (row + 1) * half_.stride), of_vertical);
        beside[row] = row_pairs(mean(centres(centre), around(centre, above, below)));
        corners[row] = row_pairs(mean(shuffled(centre, of_diagonal), halves(above, below)));
        above = below;
      }
      const std::int16_t* const current = current_of(block);
      store_sums(quarter_sums_.at[0], block,
                 satd(current, transform(beside[0], beside[1], beside[2], beside[3])));
      store_sums(quarter_sums_.at[1], block,
                 satd(current, transform(corners[0], corners[1], corners[2], corners[3])));
    }
  }

  // Four times the centre.
  static HWY_INLINE Fours<Sample> centres(const Fours<Sample>& centre) {
    return shuffled(centre, load_blocks([](int /*block*/) HWY_ATTR { return kCentre.bytes; }));
  }

  // Left, right, above, below.
  static HWY_INLINE Fours<Sample> around(const Fours<Sample>& centre, const Fours<Sample>& above,
                                         const Fours<Sample>& below) {
    const hn::Repartition<std::uint64_t, BlockTag> d;
    Fours<Sample> result;
    for (std::size_t i = 0; i < sizeof(Sample); ++i) {
      const auto vertical =
          hn::OddEven(hn::BitCast(SatdTag(), below.part[i]), hn::BitCast(SatdTag(), above.part[i]));
      result.part[i] = hn::BitCast(
          BlockTag(), hn::OddEven(hn::BitCast(d, vertical), hn::BitCast(d, centre.part[i])));
    }
    return result;
  }

  // The lower 64 bits of each block above, and of the same below.
  static HWY_INLINE Fours<Sample> halves(const Fours<Sample>& above, const Fours<Sample>& below) {
    const hn::Repartition<std::uint64_t, BlockTag> d;
    Fours<Sample> result;
    for (std::size_t i = 0; i < sizeof(Sample); ++i) {
      result.part[i] = hn::BitCast(BlockTag(), hn::InterleaveLower(d, hn::BitCast(d, above.part[i]),
                                                                   hn::BitCast(d, below.part[i])));
    }
    return result;
  }

  static HWY_INLINE void store_sums(std::uint32_t* sums, int block, Satds satds) {
    hn::Store(satds, SatdTag(), sums + 4 * block);
  }

  // Places of the sets' lanes in a 3 x 3 of candidates in raster order, of the first for each.
  static constexpr std::array<int, 9> kPlacesOfHalves = {0, 2, 1, 4, 6, 5, 8, 10, 9};
  static constexpr std::array<int, 9> kPlacesOfQuarters = {4, 2, 5, 0, -1, 1, 6, 3, 7};

  template <int kSets>
  HWY_INLINE void choose_all(int size, int step, const BlockSums<kSets>& sums,
                             MotionVector* vectors, std::uint32_t* costs) const {
    std::uint32_t totals[kPartitions][4 * kSets] = {};
    for (int set = 0; set < kSets; ++set) {
      for (int block = 0; block < kBlocks; ++block) {
        std::uint32_t* const total = totals[kPartitionsOfBlocks.at[size][block]] + 4 * set;
        for (int lane = 0; lane < 4; ++lane) total[lane] += sums.at[set][4 * block + lane];
      }
    }
    const int first = first_partition(static_cast<PartitionSize>(size));
    const int count = partition_count(static_cast<PartitionSize>(size));
    for (int p = first; p < first + count; ++p) {
      choose(kSets == kHalfSets ? kPlacesOfHalves : kPlacesOfQuarters, totals[p], step, vectors[p],
             costs[p]);
    }
  }

  // The best of nine candidates; the one in the middle has no place where its cost is known.
  HWY_INLINE void choose(const std::array<int, 9>& places, const std::uint32_t* sums, int step,
                         MotionVector& vector, std::uint32_t& cost) const {
    std::uint32_t rate_x[3];
    std::uint32_t rate_y[3];
    for (int i = 0; i < 3; ++i) {
      rate_x[i] = rates_.rate_of_difference(vector.x + (i - 1) * step - predictor_.x);
      rate_y[i] = rates_.rate_of_difference(vector.y + (i - 1) * step - predictor_.y);
    }
    // Costs are below 2^24: the place behind, so that the first of equal ones wins.
    std::uint32_t best = ~std::uint32_t{0};
    for (std::uint32_t i = 0; i < 9; ++i) {
      const std::uint32_t candidate =
          places[i] < 0 ? cost : 32 * sums[places[i]] + rate_x[i % 3] + rate_y[i / 3];
      best = std::min(best, candidate << 4 | i);
    }
    cost = best >> 4;
    const int place = static_cast<int>(best & 15);
    vector = {static_cast<std::int16_t>(vector.x + (place % 3 - 1) * step),
              static_cast<std::int16_t>(vector.y + (place / 3 - 1) * step)};
  }

  const SearchFrame<Sample>& frame_;
  const HalfSamples<Sample> half_;
  const SearchRates& rates_;
  int x_ = 0;  // Of the macroblock.
  int y_ = 0;
  MotionVector predictor_;
  BlockSums<kHalfSets> half_sums_;
  BlockSums<kQuarterSets> quarter_sums_;
  alignas(64) std::int16_t current_[kBlocks / kBlocksPerVector][kTransformed];
};

#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::motion
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_REFINE_INL_H_
