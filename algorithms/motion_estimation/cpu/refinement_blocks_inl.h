// SPDX-License-Identifier: Apache-2.0

// The samples that a refinement of vectors reads for the 4x4 blocks of a macroblock, in the vectors
// of the target being compiled. A part of refinement_inl.h.

#include <millrace/algorithms/motion_estimation/cpu/satd_inl.h>
#include <millrace/algorithms/motion_estimation/partition.h>

#include <hwy/highway.h>

#include <array>
#include <cstddef>
#include <cstdint>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == \
    defined(MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_REFINEMENT_BLOCKS_INL_H_)
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_REFINEMENT_BLOCKS_INL_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_REFINEMENT_BLOCKS_INL_H_
#else
#undef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_REFINEMENT_BLOCKS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::motion {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

constexpr int kBlocks = 16;  // 4x4 blocks of a macroblock, those of a quarter together.
constexpr int kBlocksPerVector = static_cast<int>(hn::MaxLanes(BlockTag())) / 16;

// Position of a block in its macroblock.
constexpr int block_x(int block) { return block / 4 % 2 * 8 + block % 2 * 4; }
constexpr int block_y(int block) { return block / 8 * 8 + block / 2 % 2 * 4; }

// The blocks of each partition.
struct BlocksOfPartitions {
  constexpr BlocksOfPartitions() {
    for (int p = 0; p < kPartitions; ++p) {
      const Partition partition = partition_at(p);
      for (int block = 0; block < kBlocks; ++block) {
        const int x = block_x(block) - partition.x;
        const int y = block_y(block) - partition.y;
        if (x < 0 || x >= partition.width || y < 0 || y >= partition.height) continue;
        at[p][count[p]++] = static_cast<std::uint8_t>(block);
      }
    }
  }
  int count[kPartitions] = {};
  std::uint8_t at[kPartitions][kBlocks] = {};
};
constexpr BlocksOfPartitions kBlocksOf;

// The partition of each size that a block belongs to.
struct PartitionsOfBlocks {
  constexpr PartitionsOfBlocks() {
    for (int size = 0; size < kPartitionSizes; ++size) {
      const int first = first_partition(static_cast<PartitionSize>(size));
      const int end = first + partition_count(static_cast<PartitionSize>(size));
      for (int p = first; p < end; ++p) {
        for (int i = 0; i < kBlocksOf.count[p]; ++i) {
          at[size][kBlocksOf.at[p][i]] = static_cast<std::uint8_t>(p);
        }
      }
    }
  }
  std::uint8_t at[kPartitionSizes][kBlocks] = {};
};
constexpr PartitionsOfBlocks kPartitionsOf;

// Shuffles of a row of pairs, selected by whether the centre is the second of its pair, into four
// samples each from the left of the centre, from its right, and twice from the centre.
struct Shuffle {
  alignas(16) std::uint8_t bytes[16];
};

// Selects four samples of a row (two for 16-bit samples) that begin at these positions of a row of
// pairs.
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

// Indexed by the parity of the centre in half samples.
template <class Sample>
constexpr Shuffle kLeftRightCentre[2] = {fours_at<Sample>({1, 3, 2, 2}),
                                         fours_at<Sample>({0, 2, 1, 1})};
template <class Sample>
constexpr Shuffle kCentreOnly[2] = {fours_at<Sample>({2, 2, 2, 2}), fours_at<Sample>({1, 1, 1, 1})};
constexpr Shuffle kFours[4] = {{{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}},
                               {{4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7}},
                               {{8, 9, 10, 11, 8, 9, 10, 11, 8, 9, 10, 11, 8, 9, 10, 11}},
                               {{12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15}}};
constexpr Shuffle kLeftRight = {{0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7}};
constexpr Shuffle kCentre = {{8, 9, 10, 11, 8, 9, 10, 11, 8, 9, 10, 11, 8, 9, 10, 11}};

// Sources of the candidates around the vectors of all blocks of a macroblock.
template <class Sample>
struct Sources {
  // Rows of pairs that contain the centre, from its own row on, and those above and below it, from
  // above on.
  const Sample* centre[kBlocks];
  const Sample* vertical[kBlocks];

  // Parity of the centre in half samples, plus twice that of its row.
  std::uint8_t parity[kBlocks];
};

// Shuffles of these rows, indexed by parity. Corners are means of samples beside the centre and of
// those above and below it; if the centre is half a sample from whole ones in one direction only,
// they are means of the centre and the diagonal neighbours.
template <class Sample>
constexpr Shuffle kOfCentre[4] = {kLeftRightCentre<Sample>[0], kLeftRightCentre<Sample>[1],
                                  kLeftRightCentre<Sample>[0], kLeftRightCentre<Sample>[1]};
template <class Sample>
constexpr Shuffle kOfVertical[4] = {kCentreOnly<Sample>[0], kLeftRightCentre<Sample>[1],
                                    kLeftRightCentre<Sample>[0], kCentreOnly<Sample>[1]};
constexpr Shuffle kOfCorners[4] = {kLeftRight, kCentre, kCentre, kLeftRight};

template <class D>
HWY_INLINE hn::Vec<D> load_block_bytes(D d, const std::uint8_t* b0, const std::uint8_t* b1,
                                       const std::uint8_t* b2, const std::uint8_t* b3) {
  if constexpr (hn::MaxLanes(d) == 64) {
    const hn::Half<D> dh;
    return hn::Combine(d, load_block_bytes(dh, b2, b3, b2, b3),
                       load_block_bytes(dh, b0, b1, b0, b1));
  } else if constexpr (hn::MaxLanes(d) == 32) {
    const hn::Half<D> dh;
    return hn::Combine(d, hn::LoadU(dh, b1), hn::LoadU(dh, b0));
  } else {
    return hn::LoadU(d, b0);
  }
}

// Loads 16 bytes per block of a vector, `offset` elements from the addresses in `blocks`.
template <class T>
HWY_INLINE BlockBytes load_blocks(const T* const* blocks, std::ptrdiff_t offset) {
  const auto bytes = [&](int block) HWY_ATTR {
    return reinterpret_cast<const std::uint8_t*>(blocks[block % kBlocksPerVector] + offset);
  };
  return load_block_bytes(BlockTag(), bytes(0), bytes(1), bytes(2), bytes(3));
}

HWY_INLINE BlockBytes load_shuffles(const Shuffle (&shuffles)[4], const std::uint8_t* parities) {
  const auto bytes = [&](int block)
                         HWY_ATTR { return shuffles[parities[block % kBlocksPerVector]].bytes; };
  return load_block_bytes(BlockTag(), bytes(0), bytes(1), bytes(2), bytes(3));
}

// Repeats a shuffle for each block.
HWY_INLINE BlockBytes for_all_blocks(const Shuffle& shuffle) {
  return load_block_bytes(BlockTag(), shuffle.bytes, shuffle.bytes, shuffle.bytes, shuffle.bytes);
}

HWY_INLINE Fours<std::uint8_t> shuffled(const Fours<std::uint8_t>& fours, BlockBytes shuffle) {
  return {{hn::TableLookupBytes(fours.vectors[0], shuffle)}};
}

HWY_INLINE Fours<std::uint16_t> shuffled(const Fours<std::uint16_t>& fours, BlockBytes shuffle) {
  return {{hn::TableLookupBytes(fours.vectors[0], shuffle),
           hn::TableLookupBytes(fours.vectors[1], shuffle)}};
}

// Loads a row of the blocks of a vector, shuffled.
HWY_INLINE Fours<std::uint8_t> load_row(const std::uint8_t* const* blocks, std::ptrdiff_t offset,
                                        BlockBytes shuffle) {
  return shuffled(Fours<std::uint8_t>{{load_blocks(blocks, offset)}}, shuffle);
}

HWY_INLINE Fours<std::uint16_t> load_row(const std::uint16_t* const* blocks, std::ptrdiff_t offset,
                                         BlockBytes shuffle) {
  return shuffled(
      Fours<std::uint16_t>{{load_blocks(blocks, offset), load_blocks(blocks, offset + 4)}},
      shuffle);
}

HWY_INLINE Fours<std::uint8_t> mean(const Fours<std::uint8_t>& a, const Fours<std::uint8_t>& b) {
  return {{hn::AverageRound(a.vectors[0], b.vectors[0])}};
}

HWY_INLINE BlockBytes mean_of_words(BlockBytes a, BlockBytes b) {
  const hn::Repartition<std::uint16_t, BlockTag> d;
  return hn::BitCast(BlockTag(), hn::AverageRound(hn::BitCast(d, a), hn::BitCast(d, b)));
}

HWY_INLINE Fours<std::uint16_t> mean(const Fours<std::uint16_t>& a, const Fours<std::uint16_t>& b) {
  return {{mean_of_words(a.vectors[0], b.vectors[0]), mean_of_words(a.vectors[1], b.vectors[1])}};
}

// Sums of each block's candidates around a vector, four at a time, in one step of the refinement.
template <int kSets>
struct BlockSums {
  MotionVector around[kBlocks];
  alignas(64) std::uint32_t at[kSets][4 * kBlocks];
};

#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::motion
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_REFINEMENT_BLOCKS_INL_H_
