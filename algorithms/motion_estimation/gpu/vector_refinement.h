// SPDX-License-Identifier: Apache-2.0

// The refinement of a macroblock's vectors: a lane for each 4x4 block of the partitions of one
// size.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_VECTOR_REFINEMENT_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_VECTOR_REFINEMENT_H_

#include <millrace/algorithms/motion_estimation/gpu/block_half_samples.h>
#include <millrace/algorithms/motion_estimation/gpu/kernel_frame.h>
#include <millrace/algorithms/motion_estimation/gpu/sample_patch.h>
#include <millrace/algorithms/motion_estimation/gpu/satd_block.h>
#include <millrace/algorithms/motion_estimation/partition.h>
#include <millrace/backends/gpu/api.h>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

using motion::PartitionSize;
using motion::Precision;

// Blocks of 4x4 samples in a macroblock.
inline constexpr int kBlocksPerRow = kMacroblockWidth / 4;
inline constexpr int kBlocks = kBlocksPerRow * kBlocksPerRow;

// 3 x 3 vectors in raster order.
inline constexpr int kCandidates = 9;

// Packs a number for each size of partitions, in a byte each.
template <class Function>
constexpr std::uint64_t bytes_by_size(const Function& function) {
  std::uint64_t bytes = 0;
  for (int size = 0; size < motion::kPartitionSizes; ++size) {
    bytes |= static_cast<std::uint64_t>(function(static_cast<PartitionSize>(size))) << (8 * size);
  }
  return bytes;
}

MILLRACE_FUNCTION constexpr int of_size(std::uint64_t bytes, int size) {
  return static_cast<int>(bytes >> (8 * size) & 0xff);
}

// The partition that a lane's block belongs to; all lanes of a warp have one size.
struct LanePartition {
  MILLRACE_FUNCTION LanePartition(int size, int block)
      : x(block % kBlocksPerRow), y(block / kBlocksPerRow) {
    constexpr std::uint64_t kWidths = bytes_by_size(
        [](PartitionSize one) { return std::countr_zero(motion::partition_width(one) / 4u); });
    constexpr std::uint64_t kHeights = bytes_by_size(
        [](PartitionSize one) { return std::countr_zero(motion::partition_height(one) / 4u); });
    constexpr std::uint64_t kFirsts =
        bytes_by_size([](PartitionSize one) { return motion::first_partition(one); });
    const int width_bits = of_size(kWidths, size);
    const int height_bits = of_size(kHeights, size);
    width = 1 << width_bits;
    height = 1 << height_bits;
    partition = of_size(kFirsts, size) + (y >> height_bits) * (kBlocksPerRow >> width_bits) +
                (x >> width_bits);
  }

  MILLRACE_FUNCTION bool is_first() const {
    return (x & (width - 1)) == 0 && (y & (height - 1)) == 0;
  }

  // Sums each value over the partition's blocks; all lanes call it.
  template <int kCount>
  MILLRACE_FUNCTION void sum(std::uint32_t (&values)[kCount]) const {
    if (width > 1) add_lanes(values, 1);
    if (width > 2) add_lanes(values, 2);
    if (height > 1) add_lanes(values, kBlocksPerRow);
    if (height > 2) add_lanes(values, 2 * kBlocksPerRow);
  }

  template <int kCount>
  MILLRACE_FUNCTION static void add_lanes(std::uint32_t (&values)[kCount], int mask) {
    for (std::uint32_t& value : values) value += shuffle_xor(value, mask);
  }

  int width;
  int height;
  int x;
  int y;
  int partition;
};

// A vector in quarter samples and its J.
struct Choice {
  int x;
  int y;
  std::uint32_t cost;
};

// The rates of nine vectors around one, at a distance of `step` quarter samples.
struct Rates {
  MILLRACE_FUNCTION Rates(int lambda, const MotionVector& predictor, int vector_x, int vector_y,
                          int step) {
    for (int i = 0; i < 3; ++i) {
      x[i] = lambda * bits_of_difference(vector_x + (i - 1) * step - predictor.x);
      y[i] = lambda * bits_of_difference(vector_y + (i - 1) * step - predictor.y);
    }
  }

  // Returns the key of candidate `i` in raster order: J in 28 bits and then i.
  MILLRACE_FUNCTION std::uint32_t key(int i, std::uint32_t distortion) const {
    return key_of(i, 32 * distortion + static_cast<std::uint32_t>(x[i % 3] + y[i / 3]));
  }
  MILLRACE_FUNCTION static std::uint32_t key_of(int i, std::uint32_t cost) {
    return cost << 4 | static_cast<std::uint32_t>(i);
  }

  int x[3];
  int y[3];
};

MILLRACE_FUNCTION inline std::uint32_t smaller(std::uint32_t a, std::uint32_t b) {
  return a < b ? a : b;
}

// Decodes a key of the candidates around a vector.
MILLRACE_FUNCTION inline Choice chosen(std::uint32_t key, int vector_x, int vector_y, int step) {
  const int i = static_cast<int>(key & 15);
  return {vector_x + (i % 3 - 1) * step, vector_y + (i / 3 - 1) * step, key >> 4};
}

// Refines vectors with the first kThreads threads of a block, in kRefinementBytes<kThreads> of
// shared memory.
template <class Sample, int kThreads>
struct VectorRefinement {
  KernelFrame<Sample> frame;
  MotionField field;
  int lambda;
  Precision precision;

  // Refines a macroblock's vectors; all lanes of a warp call it, with blocks of one size.
  MILLRACE_FUNCTION void refine(int macroblock, const LanePartition& block, bool is_there) const {
    const LaneBlock own(*this, macroblock, block);
    std::uint32_t distortions[kCandidates];
    for_constants<kCandidates>(
        [&](auto i) { distortions[i] = own.samples.satd(own.half.block(i % 3 - 1, i / 3 - 1)); });
    block.sum(distortions);
    const Rates rates(lambda, own.predictor, own.whole.x, own.whole.y, 2);
    std::uint32_t best = rates.key(0, distortions[0]);
    for (int i = 1; i < kCandidates; ++i) best = smaller(best, rates.key(i, distortions[i]));
    Choice choice = chosen(best, own.whole.x, own.whole.y, 2);
    if (precision == Precision::kQuarter) choice = refine_by_quarters(own, block, choice);
    launch_dependents();
    put(own, choice, is_there && block.is_first());
  }

 private:
  // Position in half samples from the block's first at its whole vector.
  struct HalfPosition {
    int x;
    int y;
  };

  // A lane's block of samples.
  struct LaneBlock {
    MILLRACE_FUNCTION LaneBlock(const VectorRefinement& of, int macroblock,
                                const LanePartition& block)
        : index(MotionField::index(macroblock, block.partition)),
          whole(of.field.vectors[index]),
          predictor(of.frame.predictor(macroblock)),
          at(of.frame.raster.position(macroblock)),
          samples(block_at(of.frame.current, at.x + 4 * block.x, at.y + 4 * block.y)),
          half(reinterpret_cast<std::uint32_t*>(shared_memory())) {
      half.interpolate(SamplePatch<Sample>(of.frame.reference, at.x + 4 * block.x + whole.x / 4,
                                           at.y + 4 * block.y + whole.y / 4));
    }

    MILLRACE_FUNCTION HalfPosition position_of(const Choice& choice) const {
      return {(choice.x - whole.x) / 2, (choice.y - whole.y) / 2};
    }

    std::size_t index;
    MotionVector whole;
    MotionVector predictor;
    MacroblockPosition at;
    SatdBlock<Sample> samples;
    BlockHalfSamples<Sample, kThreads> half;
  };

  MILLRACE_FUNCTION void put(const LaneBlock& own, const Choice& choice, bool is_wanted) const {
    sync_warp();  // All lanes have read the vector.
    if (!is_wanted) return;
    field.vectors[own.index] = {static_cast<std::int16_t>(choice.x),
                                static_cast<std::int16_t>(choice.y)};
    field.costs[own.index] = choice.cost;
  }

  // Searches quarter samples. Each is the mean of two half samples: the neighbours at the left and
  // right, or above and below, or on that diagonal which has one whole coordinate at each end
  // (clause 8.4.2.2.1).
  MILLRACE_FUNCTION Choice refine_by_quarters(const LaneBlock& own, const LanePartition& block,
                                              const Choice& centre) const {
    const SatdBlock<Sample>& samples = own.samples;
    const BlockHalfSamples<Sample, kThreads>& half = own.half;
    const HalfPosition at = own.position_of(centre);
    std::uint32_t distortions[kCandidates];
    const bool is_odd = ((at.x ^ at.y) & 1) != 0;
    SampleRow middle[4];
    half.get(at.x, at.y, middle);
    SampleRow vertical[5];
    half.get(at.x, at.y - 1, vertical);
    distortions[1] = samples.satd(mean_of<Sample>(middle, vertical));
    distortions[7] = samples.satd(mean_of<Sample>(middle, vertical + 1));
    for_constants<2>([&](auto side) {
      constexpr int kX = 2 * side - 1;
      SampleRow beside[4];
      half.get(at.x + kX, at.y, beside);
      distortions[4 + kX] = samples.satd(mean_of<Sample>(middle, beside));
      SampleRow diagonal[5];
      half.get(is_odd ? at.x + kX : at.x, at.y - 1, diagonal);
      SampleRow other_end[4];
      for (int row = 0; row < 4; ++row) other_end[row] = is_odd ? middle[row] : beside[row];
      distortions[1 + kX] = samples.satd(mean_of<Sample>(other_end, diagonal));
      distortions[7 + kX] = samples.satd(mean_of<Sample>(other_end, diagonal + 1));
    });
    distortions[4] = 0;
    block.sum(distortions);
    const Rates rates(lambda, own.predictor, centre.x, centre.y, 1);
    std::uint32_t best = Rates::key_of(kCandidates / 2, centre.cost);
    for (int i = 0; i < kCandidates; ++i) {
      if (i != kCandidates / 2) best = smaller(best, rates.key(i, distortions[i]));
    }
    return chosen(best, centre.x, centre.y, 1);
  }
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_VECTOR_REFINEMENT_H_
