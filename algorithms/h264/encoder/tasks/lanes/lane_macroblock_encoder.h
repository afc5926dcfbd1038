// SPDX-License-Identifier: Apache-2.0

// MacroblockEncoder (macroblock_encoder.h) for decisions by cost with a full search, in lanes that
// run in step. The result is equal to the bit.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_LANES_LANE_MACROBLOCK_ENCODER_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_LANES_LANE_MACROBLOCK_ENCODER_H_

#include <millrace/algorithms/h264/encoder/decision/vector_count.h>
#include <millrace/algorithms/h264/encoder/macroblock/bit_limit.h>
#include <millrace/algorithms/h264/encoder/macroblock/macroblock_candidate.h>
#include <millrace/algorithms/h264/encoder/tasks/lanes/cavlc_bound.h>
#include <millrace/algorithms/h264/encoder/tasks/lanes/lane_inter_decision.h>
#include <millrace/algorithms/h264/encoder/tasks/lanes/lane_intra_decision.h>
#include <millrace/algorithms/h264/encoder/tasks/lanes/lane_memory.h>
#include <millrace/algorithms/h264/encoder/tasks/lanes/lane_residual.h>
#include <millrace/algorithms/h264/entropy/intra_mode_grid.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/algorithms/h264/reconstruction/intra_availability.h>
#include <millrace/algorithms/h264/reconstruction/packed_block.h>
#include <millrace/runtime/core/target_function.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

template <class Lanes>
class LaneMacroblockEncoder {
 public:
  // Least number of lanes: the partitions of a quarter need as many.
  static constexpr int kLeastLanes = 16;

  // Returns true if this encoder supports the decisions and the search of `coding`.
  MILLRACE_FUNCTION static bool encodes(const PictureCoding& coding) {
    return coding.decision == ModeDecision::kCost && coding.search == EncoderSearch::kFull;
  }

  // `candidate` is memory for a macroblock whose bits are close to the limit.
  MILLRACE_FUNCTION LaneMacroblockEncoder(Lanes& lanes, const PictureCoding& coding, int column,
                                          int row, LaneMemory& memory,
                                          MacroblockCandidate& candidate)
      : steps_{lanes,
               coding,
               memory,
               column,
               row,
               coding.view.index(column, row),
               coding.view.width(0),
               coding.view.height(0),
               coding.lambda,
               coding.references,
               coding.limits.vertical},
        coding_(coding),
        memory_(memory),
        candidate_(candidate) {}

  MILLRACE_FUNCTION void operator()() {
    load();
    LaneInterDecision<Lanes> inter(steps_);
    std::uint32_t best = ~0u;
    if (coding_.is_inter) {
      inter.choose(most_vectors(coding_, steps_.column, steps_.row),
                   static_cast<std::uint32_t>(kBitsSavedBySkip * steps_.lambda));
      best = inter.cost;
    }
    LaneIntraDecision<Lanes> intra(
        steps_, macroblock_availability(coding_.view, steps_.column, steps_.row));
    bool is_inter = coding_.is_inter;
    const std::uint32_t whole = intra.choose_16x16();
    const bool may_have_blocks = may_have_4x4_blocks(EncoderSearch::kFull, whole, best);
    if (whole < best) {
      best = whole;
      is_inter = false;
    }
    std::uint32_t cost_of_blocks = 0;
    std::uint32_t coded = 0;
    const bool has_blocks = may_have_blocks && intra.choose_blocks(best, cost_of_blocks, coded);
    if (has_blocks) {
      finish_blocks(intra, coded);
    } else if (is_inter) {
      finish_inter(inter);
    } else {
      finish_16x16(intra);
    }
    store();
  }

 private:
  MILLRACE_FUNCTION void load() const {
    const int column = steps_.column;
    const int row = steps_.row;
    MILLRACE_SMALL_LOOP
    for (int plane = 0; plane < 3; ++plane) {
      const int words = plane == 0 ? 4 : 2;
      const SampleRows source = coding_.source_rows(plane, column, row);
      std::uint32_t* const to = plane == 0 ? memory_.luma_source : memory_.chroma_source[plane - 1];
      steps_.for_each(plane == 0 ? 64 : 16, [&](int i) {
        to[i] = *reinterpret_cast<const std::uint32_t*>(source.samples + i / words * source.stride +
                                                        i % words * 4);
      });
    }
    load_neighbours();
    const Macroblock& macroblock = coding_.macroblocks[steps_.index];
    const std::uint16_t slice = macroblock.slice;
    steps_.for_each(static_cast<int>(sizeof(Macroblock) / 4),
                    [&](int i) { reinterpret_cast<std::uint32_t*>(&memory_.macroblock)[i] = 0; });
    steps_.sync();
    steps_.for_each(8, [&](int i) { memory_.macroblock.references[i / 4][i % 4] = -1; });
    if (steps_.lanes.lane() == 0) {
      Macroblock& own = memory_.macroblock;
      own.slice = slice;
      own.qp = static_cast<std::uint8_t>(coding_.qp);
      own.chroma_qp[0] = own.chroma_qp[1] = static_cast<std::uint8_t>(coding_.chroma_qp);
    }
    const Neighbours around = coding_.neighbours(column, row);
    steps_.for_each(10, [&](int i) { load_motion(around, i); });
    steps_.for_each(8, [&](int i) { load_mode(around, i); });
    steps_.sync();
  }

  // Loads the motion of the block around the macroblock that is number `i`: the row above from the
  // corner on, then the column on the left.
  MILLRACE_FUNCTION void load_motion(const Neighbours& around, int i) const {
    const Macroblock* const from = i == 0   ? around.above_left
                                   : i < 5  ? around.above
                                   : i == 5 ? around.above_right
                                            : around.left;
    const int block = i == 0 ? 15 : i < 5 ? 11 + i : i == 5 ? 12 : 4 * (i - 6) + 3;
    const NeighbourMotion motion = motion_of(0, {from, block});
    const int at = i < 6 ? LaneMotionGrid::index(i - 1, -1) : LaneMotionGrid::index(-1, i - 6);
    MILLRACE_SMALL_LOOP
    for (LaneMotionGrid& grid : memory_.grids) {
      grid.vectors[at] = motion.vector;
      grid.references[at] = static_cast<std::int8_t>(motion.reference);
    }
  }

  // Loads the intra mode of a 4x4 block above, or on the left.
  MILLRACE_FUNCTION void load_mode(const Neighbours& around, int i) const {
    const int k = i % 4;
    const bool is_above = i < 4;
    memory_.modes[is_above ? k + 1 : 5 * (k + 1)] =
        neighbour_mode(is_above ? around.above : around.left, is_above ? 12 + k : 4 * k + 3, false);
  }

  // Loads samples around the macroblock as SampleArea::load_neighbours().
  MILLRACE_FUNCTION void load_neighbours() const {
    const PictureView& view = coding_.view;
    LaneArea& area = memory_.area;
    MILLRACE_SMALL_LOOP
    for (int plane = 0; plane < 3; ++plane) {
      const int side = plane == 0 ? 16 : 8;
      const std::ptrdiff_t stride = view.stride(plane);
      const std::uint8_t* const from =
          view.planes[plane] + view.offset(plane, steps_.column, steps_.row);
      const int last = plane == 0 ? std::min(side + 8, view.width(0) - side * steps_.column) : side;
      const auto at = [&](int x, int y) {
        return plane == 0 ? area.luma_at(x, y) : area.chroma_at(plane - 1, x, y);
      };
      if (steps_.row > 0) {
        steps_.for_each(last + 1, [&](int i) {
          if (i > 0 || steps_.column > 0) *at(i - 1, -1) = from[i - 1 - stride];
        });
      }
      if (steps_.column > 0) {
        steps_.for_each(side, [&](int y) { *at(-1, y) = from[y * stride - 1]; });
      }
    }
  }

  // Sets what the decisions have left: all but the coded blocks of luma, which the area has.
  MILLRACE_FUNCTION void finish_blocks(const LaneIntraDecision<Lanes>& intra,
                                       std::uint32_t coded) const {
    const LaneResidual<Lanes> residual(steps_, true);
    residual.clear_uncoded(coded);
    finish_intra(intra, residual, MacroblockType::kIntra4x4, coded, pattern_of(coded));
  }

  MILLRACE_FUNCTION void finish_16x16(const LaneIntraDecision<Lanes>& intra) const {
    const LaneResidual<Lanes> residual(steps_, true);
    intra.predict_16x16();
    steps_.for_each(16, [&](int i) {
      memory_.macroblock.intra_modes[i] = static_cast<std::uint8_t>(intra.whole_mode);
    });
    const std::uint32_t coded = residual.code_intra_16x16_luma();
    finish_intra(intra, residual, MacroblockType::kIntra16x16, coded, coded != 0 ? 15 : 0);
  }

  MILLRACE_FUNCTION void finish_intra(const LaneIntraDecision<Lanes>& intra,
                                      const LaneResidual<Lanes>& residual, MacroblockType type,
                                      std::uint32_t coded, int pattern) const {
    const int chroma_mode = intra.choose_chroma();
    int chroma_pattern = 0;
    const std::uint32_t chroma = residual.code_chroma(chroma_pattern);
    steps_.for_each(4, [&](int i) { memory_.macroblock.sub_partitions[i] = SubPartition::k8x8; });
    if (steps_.lanes.lane() == 0) {
      memory_.macroblock.intra_chroma_mode = static_cast<std::uint8_t>(chroma_mode);
      set_coded(type, coded | chroma, pattern | chroma_pattern << 4);
    }
    steps_.sync();
  }

  MILLRACE_FUNCTION void finish_inter(const LaneInterDecision<Lanes>& inter) const {
    const LaneMotion& motion = memory_.best;
    steps_.sync();
    steps_.for_each(16, [&](int i) {
      memory_.macroblock.vectors[0][i] = motion.vectors[i];
      memory_.macroblock.intra_modes[i] = 0;
      if (i < 4) {
        memory_.macroblock.references[0][i] = motion.references[8 * (i / 2) + 2 * (i % 2)];
        if (inter.type != MacroblockType::kInter8x8) {
          memory_.macroblock.sub_partitions[i] = SubPartition::k8x8;
        }
      }
      predict_luma(i);
    });
    steps_.for_each(32, [&](int i) { predict_chroma(i / 16, i % 16); });
    const LaneResidual<Lanes> residual(steps_, false);
    const std::uint32_t coded = residual.code_inter_luma();
    int chroma_pattern = 0;
    const std::uint32_t chroma = residual.code_chroma(chroma_pattern);
    const int pattern = pattern_of(coded) | chroma_pattern << 4;
    const bool is_skipped = inter.type == MacroblockType::kInter16x16 && pattern == 0 &&
                            motion.references[0] == 0 && motion.vectors[0] == inter.skip;
    if (steps_.lanes.lane() == 0) {
      set_coded(is_skipped ? MacroblockType::kSkip : inter.type, coded | chroma, pattern);
    }
    steps_.sync();
  }

  MILLRACE_FUNCTION void set_coded(MacroblockType type, std::uint32_t coded, int pattern) const {
    memory_.macroblock.type = type;
    memory_.macroblock.coded_blocks = coded;
    memory_.macroblock.coded_block_pattern = static_cast<std::uint8_t>(pattern);
  }

  // Returns the coded block pattern of luma.
  MILLRACE_FUNCTION static int pattern_of(std::uint32_t coded) {
    int pattern = 0;
    for (int quarter = 0; quarter < 4; ++quarter) {
      const std::uint32_t mask = 0x33u << (8 * (quarter / 2) + 2 * (quarter % 2));
      pattern |= (coded & mask) != 0 ? 1 << quarter : 0;
    }
    return pattern;
  }

  // Predicts a 4x4 block of luma by the best choice, in one lane.
  MILLRACE_FUNCTION void predict_luma(int block) const {
    const int x = block % 4;
    const int y = block / 4;
    predicted_block_satd(
        {memory_.planes[memory_.best.references[block]][0], steps_.width, steps_.height},
        4 * (4 * steps_.column + x), 4 * (4 * steps_.row + y), memory_.best.vectors[block],
        memory_.luma_source + 16 * y + x, 4, memory_.area.luma_at(4 * x, 4 * y),
        LaneArea::kLumaPitch);
  }

  // Predicts the 2x2 samples of chroma of a 4x4 block.
  MILLRACE_FUNCTION void predict_chroma(int component, int block) const {
    const int x = block % 4;
    const int y = block / 4;
    const MotionVector vector = memory_.best.vectors[block];
    const std::uint8_t* const plane = memory_.planes[memory_.best.references[block]][1 + component];
    const int width = steps_.width / 2;
    const int height = steps_.height / 2;
    const int left = 2 * (4 * steps_.column + x) + (vector.x >> 3);
    const int top = 2 * (4 * steps_.row + y) + (vector.y >> 3);
    std::uint8_t samples[9];
    for (int i = 0; i < 9; ++i) {
      const int at_y = clip(0, height - 1, top + i / 3);
      const int at_x = clip(0, width - 1, left + i % 3);
      samples[i] = plane[static_cast<std::ptrdiff_t>(at_y) * width + at_x];
    }
    for (int i = 0; i < 4; ++i) {
      *memory_.area.chroma_at(component, 2 * x + i % 2, 2 * y + i / 2) = static_cast<std::uint8_t>(
          chroma_sample(samples + 3 * (i / 2) + i % 2, 3, vector.x & 7, vector.y & 7));
    }
  }

  // Stores the macroblock to the picture, after it has been limited.
  MILLRACE_FUNCTION void store() const {
    const PictureView& view = coding_.view;
    const int index = steps_.index;
    copy_words(steps_, &memory_.macroblock, &coding_.macroblocks[index],
               static_cast<int>(sizeof(Macroblock) / 4));
    copy_words(steps_, &memory_.levels, &coding_.levels[index],
               static_cast<int>(sizeof(MacroblockLevels) / 4));
    MILLRACE_SMALL_LOOP
    for (int plane = 0; plane < 3; ++plane) {
      const int words = plane == 0 ? 4 : 2;
      std::uint8_t* const to = view.planes[plane] + view.offset(plane, steps_.column, steps_.row);
      steps_.for_each(plane == 0 ? 64 : 16, [&](int i) {
        const int x = i % words * 4;
        const int y = i / words;
        const std::uint8_t* const from =
            plane == 0 ? memory_.area.luma_at(x, y) : memory_.area.chroma_at(plane - 1, x, y);
        *reinterpret_cast<std::uint32_t*>(to + y * view.stride(plane) + x) =
            *reinterpret_cast<const std::uint32_t*>(from);
      });
    }
    if (coding_.qp >= kFirstQpWithoutPcm) return;
    if (!coding_.is_cabac && coding_.qp >= kFirstQpWithoutLargeLevel &&
        bound_bits(steps_, coding_.borders[index]) <= kMostMacroblockBits) {
      return;
    }
    steps_.sync();
    if (steps_.lanes.lane() == 0) {
      limit(coding_, steps_.column, steps_.row, memory_.levels, candidate_);
    }
  }

  // Counts the bits, in one lane, once the macroblock is stored.
  MILLRACE_NOINLINE_FUNCTION static void limit(const PictureCoding& coding, int column, int row,
                                               const MacroblockLevels& levels,
                                               MacroblockCandidate& candidate) {
    const int index = coding.view.index(column, row);
    const Macroblock& macroblock = coding.macroblocks[index];
    candidate.macroblock = macroblock;
    candidate.levels = levels;
    Macroblock empty = {};
    empty.slice = macroblock.slice;
    empty.qp = macroblock.qp;
    for (int i = 0; i < 2; ++i) empty.chroma_qp[i] = macroblock.chroma_qp[i];
    if (!limit_bits(coding, column, row, empty, candidate)) return;
    candidate.area.store(coding.view, column, row);
    coding.levels[index] = candidate.levels;
  }

  const LaneSteps<Lanes> steps_;
  const PictureCoding& coding_;
  LaneMemory& memory_;
  MacroblockCandidate& candidate_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_LANES_LANE_MACROBLOCK_ENCODER_H_
