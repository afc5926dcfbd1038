// SPDX-License-Identifier: Apache-2.0

// Memory of the lanes that encode one macroblock, and functions that all steps use. Lanes run in
// step: each lane makes every decision, and the lanes share the samples and coefficients that it
// needs.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_LANES_LANE_MEMORY_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_LANES_LANE_MEMORY_H_

#include <millrace/algorithms/h264/encoder/decision/sub_partition_shape.h>
#include <millrace/algorithms/h264/encoder/macroblock/picture_coding.h>
#include <millrace/algorithms/h264/encoder/syntax/macroblock_levels.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/algorithms/motion_estimation/partition.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Vectors and references of a macroblock's 4x4 blocks, with those around it: the row above from
// the upper left corner to the first block of the upper right macroblock, and the column on the
// left. A reference is kNotAvailable where there is no macroblock, -1 where there is no vector.
struct LaneMotionGrid {
  static constexpr int kPitch = 6;
  MotionVector vectors[5 * kPitch];
  std::int8_t references[5 * kPitch];

  MILLRACE_FUNCTION static constexpr int index(int x, int y) { return kPitch * (y + 1) + x + 1; }
};

// Samples of a macroblock with those around it, and rows of 32 or 16.
struct LaneArea {
  static constexpr int kFirst = 8;  // Column of the macroblock.
  static constexpr int kLumaPitch = 32;
  static constexpr int kChromaPitch = 16;
  alignas(16) std::uint8_t luma[17 * kLumaPitch];
  std::uint8_t chroma[2][9 * kChromaPitch];

  MILLRACE_FUNCTION std::uint8_t* luma_at(int x, int y) {
    return luma + kLumaPitch * (y + 1) + kFirst + x;
  }
  MILLRACE_FUNCTION std::uint8_t* chroma_at(int component, int x, int y) {
    return chroma[component] + kChromaPitch * (y + 1) + kFirst + x;
  }
};

// A decision on how a macroblock is predicted from other pictures.
struct LaneMotion {
  MotionVector vectors[16];
  std::int8_t references[16];  // Indexed by 4x4 block.
};

struct LaneMemory {
  static constexpr int kGrids = kSubPartitionShapes;
  alignas(16) std::uint32_t luma_source[64];  // Rows of 16 samples.
  std::uint32_t chroma_source[2][16];         // Rows of 8.
  LaneArea area;
  alignas(16) MacroblockLevels levels;
  alignas(16) Macroblock macroblock;
  alignas(16) std::uint32_t results[64];
  std::int32_t sums[64];
  std::int16_t luma_dc[16];  // The transformed blocks', and later their coefficients.
  std::int16_t chroma_dc[8];
  alignas(16) std::int16_t block[16];  // A 4x4 block that all lanes transform, in raster order.
  // Inter decisions.
  struct Found {
    MotionVector vector;
    std::uint32_t cost;
  } found[motion::kMostReferences][motion::kPartitions];
  MotionVector search_predictors[motion::kMostReferences];
  std::uint32_t least_partitions[motion::kPartitions];  // InterDecision::least_partition().
  std::uint32_t least_quarters[4];                      // InterDecision::least_quarter().
  const std::uint8_t* planes[motion::kMostReferences][3];
  LaneMotionGrid grids[kGrids];  // All but the first are for other partitions of a quarter.
  LaneMotion best;
  // Intra decisions.
  std::int8_t modes[5 * 5];               // Indexed by 4x4 block, those above and left included.
  alignas(16) std::uint8_t edge[64];      // Values that a 4x4 block is predicted from.
  alignas(16) std::uint32_t sources[36];  // Indexed by mode and row: four indices into `edge`.
};

// Holds what all steps of one macroblock read. It is the same in all lanes.
template <class Lanes>
struct LaneSteps {
  Lanes& lanes;
  const PictureCoding& coding;
  LaneMemory& memory;
  int column, row, index;
  // Copies of the members of `coding`, in registers.
  int width, height;  // Luma's.
  int lambda, references, vertical_limit;

  MILLRACE_FUNCTION void sync() const { lanes.sync(); }
  // Calls step(i) for 0 to count - 1, each in one lane.
  template <class Step>
  MILLRACE_FUNCTION void for_each(int count, const Step& step) const {
    MILLRACE_SMALL_LOOP
    for (int i = lanes.lane(); i < count; i += lanes.lanes()) step(i);
  }
  MILLRACE_FUNCTION std::uint32_t bits(int count) const {
    return static_cast<std::uint32_t>(lambda * count);
  }
  // Returns results[first] to results[first + count - 1] in one sum.
  MILLRACE_FUNCTION std::uint32_t sum_of_results(int first, int count) const {
    std::uint32_t sum = 0;
    for (int i = 0; i < count; ++i) sum += memory.results[first + i];
    return sum;
  }
};

// Copies `words` words from `from` to `to`, both aligned.
template <class Lanes>
MILLRACE_FUNCTION void copy_words(const LaneSteps<Lanes>& steps, const void* from, void* to,
                                  int words) {
  steps.for_each(words, [&](int i) {
    static_cast<std::uint32_t*>(to)[i] = static_cast<const std::uint32_t*>(from)[i];
  });
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_LANES_LANE_MEMORY_H_
