// SPDX-License-Identifier: Apache-2.0

// IntraDecision (intra_decision.h) by SATD, in lanes.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_LANES_LANE_INTRA_DECISION_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_LANES_LANE_INTRA_DECISION_H_

#include <millrace/algorithms/h264/encoder/decision/intra_decision.h>
#include <millrace/algorithms/h264/encoder/macroblock/block_distortion.h>
#include <millrace/algorithms/h264/encoder/tasks/lanes/lane_memory.h>
#include <millrace/algorithms/h264/encoder/tasks/lanes/lane_residual.h>
#include <millrace/algorithms/h264/entropy/scan_order.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/algorithms/h264/reconstruction/intra_availability.h>
#include <millrace/algorithms/h264/reconstruction/intra_prediction.h>
#include <millrace/algorithms/h264/reconstruction/packed_block.h>
#include <millrace/algorithms/idct/idct_math.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// A prediction whose sample (x, y) is (first + across[x] + down[y]) / 32: all modes of 16x16 luma
// and of chroma are of this form in each 4x4 block.
struct SeparablePrediction {
  int first;
  int across[4];
  int down[4];

  MILLRACE_FUNCTION std::uint8_t sample(int x, int y) const {
    return clip_sample((first + across[x] + down[y]) >> 5);
  }
  // Returns a row of samples, the first one in the lowest byte.
  MILLRACE_FUNCTION std::uint32_t row(int y) const {
    return std::uint32_t{sample(0, y)} | std::uint32_t{sample(1, y)} << 8 |
           std::uint32_t{sample(2, y)} << 16 | std::uint32_t{sample(3, y)} << 24;
  }
};

// Returns the sum of the four bytes of a word.
MILLRACE_FUNCTION constexpr int sum_of_bytes(std::uint32_t word) {
  const std::uint32_t pairs = (word & kPackedBytes) + (word >> 8 & kPackedBytes);
  return static_cast<int>((pairs & 0xffff) + (pairs >> 16));
}

// Coefficients of plane prediction (clauses 8.3.3.4 and 8.3.4.4).
struct PlaneCoefficients {
  int a, b, c;
};

// Indices of the values that 4x4 blocks are predicted from: the line of IntraEdge<4>, and means of
// two and three samples of it by the first, or the middle, one.
struct EdgeValues {
  static constexpr int kMeans2 = 16;
  static constexpr int kMeans3 = 32;  // The first one has a weight of 3 at the lowest on the left.
  static constexpr int kDc = 48;
};

// Returns the index of the value that is sample (x, y) of a 4x4 block in a mode, as intra_sample().
MILLRACE_FUNCTION constexpr int edge_value(int mode, int x, int y) {
  constexpr int kCorner = IntraEdge<4>::kCorner;
  constexpr int kTwo = EdgeValues::kMeans2;
  constexpr int kThree = EdgeValues::kMeans3;
  switch (mode) {
    case kIntraVertical: return kCorner + 1 + x;
    case kIntraHorizontal: return kCorner - 1 - y;
    case kIntraDiagonalDownLeft: return kThree + kCorner + 2 + x + y;
    case kIntraDiagonalDownRight: return kThree + kCorner + x - y;
    case kIntraVerticalRight: {
      const int z = 2 * x - y;
      const int i = kCorner + x - (y >> 1);
      if (z < -1) return kThree + kCorner + 1 + z;
      return (z & 1) != 0 ? kThree + i : kTwo + i;
    }
    case kIntraHorizontalDown: {
      const int z = 2 * y - x;
      const int i = kCorner - y + (x >> 1);
      if (z < -1) return kThree + kCorner - 1 - z;
      return (z & 1) != 0 ? kThree + i : kTwo + i - 1;
    }
    case kIntraVerticalLeft: {
      const int i = kCorner + 1 + x + (y >> 1);
      return (y & 1) != 0 ? kThree + i + 1 : kTwo + i;
    }
    case kIntraHorizontalUp: {
      const int z = x + 2 * y;
      const int i = 3 - y - (x >> 1);
      if (z > 5) return 0;
      if (z == 5) return kThree;
      return (z & 1) != 0 ? kThree + i - 1 : kTwo + i - 1;
    }
    default: return EdgeValues::kDc;
  }
}

// Sets the rows of a 4x4 block to its prediction in a mode.
MILLRACE_FUNCTION inline void predict_rows(const LaneMemory& memory, int mode,
                                           std::uint32_t (&rows)[4]) {
  for (int y = 0; y < 4; ++y) {
    const std::uint32_t indices = memory.sources[4 * mode + y];
    rows[y] = std::uint32_t{memory.edge[indices & 63]} |
              std::uint32_t{memory.edge[indices >> 8 & 63]} << 8 |
              std::uint32_t{memory.edge[indices >> 16 & 63]} << 16 |
              std::uint32_t{memory.edge[indices >> 24]} << 24;
  }
}

template <class Lanes>
class LaneIntraDecision {
 public:
  // The area's border and the modes' border are loaded.
  MILLRACE_FUNCTION LaneIntraDecision(const LaneSteps<Lanes>& steps, IntraAvailability available)
      : steps_(steps), memory_(steps.memory), available_(available) {}

  // The best mode of a kIntra16x16 macroblock.
  int whole_mode = 0;

  // Chooses `whole_mode`, and returns its cost with the bits of the type.
  MILLRACE_FUNCTION std::uint32_t choose_16x16() {
    const PlaneCoefficients plane = luma_plane();
    const int dc = luma_dc();
    steps_.sync();
    steps_.for_each(64, [&](int i) {
      const int mode = i / 16;
      if (!is_16x16_mode_possible(mode)) return;
      const int x = i % 4;
      const int y = i / 4 % 4;
      const SeparablePrediction prediction = luma_prediction(mode, plane, dc, x, y);
      const std::uint32_t* const source = memory_.luma_source + 16 * y + x;
      std::uint32_t rows[4];
      int sum = 0;
      for (int row = 0; row < 4; ++row) {
        rows[row] = prediction.row(row);
        sum += sum_of_bytes(source[4 * row]) - sum_of_bytes(rows[row]);
      }
      memory_.results[i] = block_satd_of_rows(source, 4, rows[0], rows[1], rows[2], rows[3]);
      memory_.sums[i] = sum;
    });
    steps_.sync();
    steps_.for_each(4, [&](int mode) {
      if (!is_16x16_mode_possible(mode)) return;
      std::int32_t sums[16];
      for (int k = 0; k < 16; ++k) sums[k] = memory_.sums[16 * mode + k];
      const auto satd = static_cast<std::int32_t>(steps_.sum_of_results(16 * mode, 16));
      memory_.sums[16 * mode] = satd + satd_difference_of_dc(sums);
    });
    steps_.sync();
    std::uint32_t best = ~0u;
    for (int mode = 0; mode < 4; ++mode) {
      if (!is_16x16_mode_possible(mode)) continue;
      const std::uint32_t cost = 32 * static_cast<std::uint32_t>(memory_.sums[16 * mode]);
      if (cost >= best) continue;
      best = cost;
      whole_mode = mode;
    }
    return best + type_bits(5);
  }

  // Predicts luma in the best mode.
  MILLRACE_FUNCTION void predict_16x16() const {
    const PlaneCoefficients plane = luma_plane();
    const int dc = luma_dc();
    steps_.sync();
    steps_.for_each(16, [&](int i) {
      const SeparablePrediction prediction = luma_prediction(whole_mode, plane, dc, i % 4, i / 4);
      for (int row = 0; row < 4; ++row) {
        *reinterpret_cast<std::uint32_t*>(memory_.area.luma_at(i % 4 * 4, i / 4 * 4 + row)) =
            prediction.row(row);
      }
    });
    steps_.sync();
  }

  // Chooses the modes of 4x4 blocks, sets them in the macroblock and codes luma. Sets `cost` and
  // the coded blocks. Gives up, and returns false, where the cost passes `limit`.
  MILLRACE_FUNCTION bool choose_blocks(std::uint32_t limit, std::uint32_t& cost,
                                       std::uint32_t& coded) const {
    load_sources();
    const LevelQuantiser& quantiser = *steps_.coding.luma_quantiser;
    coded = 0;
    cost = type_bits(0);
    MILLRACE_SMALL_LOOP
    for (int i = 0; i < 16; ++i) {
      const int x = block_column(i);
      const int y = block_row(i);
      int mode = kIntraDc;
      cost += choose_mode(x, y, mode);
      if (cost >= limit) return false;
      // All lanes have read the area and the modes before the last sync() of choose_mode().
      if (steps_.lanes.lane() == 0) {
        memory_.modes[5 * (y + 1) + x + 1] = static_cast<std::int8_t>(mode);
        memory_.macroblock.intra_modes[4 * y + x] = static_cast<std::uint8_t>(mode);
      }
      if (code_block(quantiser, mode, x, y)) coded |= 1u << (4 * y + x);
    }
    return true;
  }

  // Chooses the mode of chroma, and leaves its prediction in the area.
  MILLRACE_FUNCTION int choose_chroma() const {
    PlaneCoefficients planes[2] = {};
    for (int component = 0; component < 2; ++component) planes[component] = chroma_plane(component);
    steps_.sync();
    steps_.for_each(32, [&](int i) {
      const int mode = i / 8;
      if (!is_chroma_mode_possible(mode)) return;
      const int component = i / 4 % 2;
      const int x = i % 2;
      const int y = i / 2 % 2;
      const SeparablePrediction prediction =
          chroma_prediction(mode, planes[component], component, x, y);
      memory_.results[i] =
          block_satd_of_rows(memory_.chroma_source[component] + 8 * y + x, 2, prediction.row(0),
                             prediction.row(1), prediction.row(2), prediction.row(3));
    });
    steps_.sync();
    std::uint32_t best = ~0u;
    int best_mode = 0;
    for (int mode = 0; mode < 4; ++mode) {
      if (!is_chroma_mode_possible(mode)) continue;
      const std::uint32_t cost =
          32 * steps_.sum_of_results(8 * mode, 8) + steps_.bits(mode == 0  ? 1
                                                                : mode < 3 ? 3
                                                                           : 5);
      if (cost >= best) continue;
      best = cost;
      best_mode = mode;
    }
    steps_.for_each(8, [&](int i) {
      const int component = i / 4;
      const SeparablePrediction prediction =
          chroma_prediction(best_mode, planes[component], component, i % 2, i / 2 % 2);
      for (int row = 0; row < 4; ++row) {
        *reinterpret_cast<std::uint32_t*>(memory_.area.chroma_at(
            component, i % 2 * 4, i / 2 % 2 * 4 + row)) = prediction.row(row);
      }
    });
    steps_.sync();
    return best_mode;
  }

 private:
  // Returns IntraDecision::type_bits() times lambda.
  MILLRACE_FUNCTION std::uint32_t type_bits(int type) const {
    if (steps_.coding.is_inter) return steps_.bits(type == 0 ? 13 : 15);
    return steps_.bits(type == 0 ? 1 : 5);
  }

  MILLRACE_FUNCTION bool has_all() const {
    return available_.left && available_.top && available_.top_left;
  }
  MILLRACE_FUNCTION bool is_16x16_mode_possible(int mode) const {
    return mode == kIntra16x16Vertical     ? available_.top
           : mode == kIntra16x16Horizontal ? available_.left
                                           : mode == kIntra16x16Dc || has_all();
  }
  MILLRACE_FUNCTION bool is_chroma_mode_possible(int mode) const {
    return mode == kIntraChromaVertical     ? available_.top
           : mode == kIntraChromaHorizontal ? available_.left
                                            : mode == kIntraChromaDc || has_all();
  }

  MILLRACE_FUNCTION int luma(int x, int y) const { return *memory_.area.luma_at(x, y); }
  MILLRACE_FUNCTION int chroma(int component, int x, int y) const {
    return *memory_.area.chroma_at(component, x, y);
  }

  // Returns the coefficients of plane prediction of n x n samples; sample(x, y) are those around.
  template <int n, class Sample>
  MILLRACE_FUNCTION static PlaneCoefficients plane_of(const Sample& sample) {
    constexpr int kHalf = n / 2;
    constexpr int kFactor = n == 16 ? 5 : 34;
    int horizontal = 0;
    int vertical = 0;
    MILLRACE_SMALL_LOOP
    for (int i = 1; i <= kHalf; ++i) {
      horizontal += i * (sample(kHalf - 1 + i, -1) - sample(kHalf - 1 - i, -1));
      vertical += i * (sample(-1, kHalf - 1 + i) - sample(-1, kHalf - 1 - i));
    }
    return {16 * (sample(-1, n - 1) + sample(n - 1, -1)), (kFactor * horizontal + 32) >> 6,
            (kFactor * vertical + 32) >> 6};
  }
  MILLRACE_FUNCTION PlaneCoefficients luma_plane() const {
    if (!has_all()) return {};
    return plane_of<16>([&](int x, int y) { return luma(x, y); });
  }
  MILLRACE_FUNCTION PlaneCoefficients chroma_plane(int component) const {
    if (!has_all()) return {};
    return plane_of<8>([&](int x, int y) { return chroma(component, x, y); });
  }

  // Returns a plane in the 4x4 block at (x, y).
  template <int n>
  MILLRACE_FUNCTION static SeparablePrediction plane_prediction(const PlaneCoefficients& plane,
                                                                int x, int y) {
    SeparablePrediction prediction;
    prediction.first = plane.a + 16;
    for (int i = 0; i < 4; ++i) {
      prediction.across[i] = plane.b * (x + i - n / 2 + 1);
      prediction.down[i] = plane.c * (y + i - n / 2 + 1);
    }
    return prediction;
  }

  // Returns intra_dc() of the macroblock.
  MILLRACE_FUNCTION int luma_dc() const {
    int above = 0;
    int left = 0;
    for (int i = 0; i < 16; ++i) {
      above += luma(i, -1);
      left += luma(-1, i);
    }
    if (available_.top && available_.left) return (above + left + 16) / 32;
    if (available_.top) return (above + 8) / 16;
    return available_.left ? (left + 8) / 16 : 128;
  }

  // Returns the prediction of 4x4 block (x, y) in a mode of kIntra16x16.
  MILLRACE_FUNCTION SeparablePrediction luma_prediction(int mode, const PlaneCoefficients& plane,
                                                        int dc, int x, int y) const {
    if (mode == kIntra16x16Plane) return plane_prediction<16>(plane, 4 * x, 4 * y);
    SeparablePrediction prediction = {};
    prediction.first = mode == kIntra16x16Dc ? 32 * dc : 0;
    for (int i = 0; i < 4; ++i) {
      prediction.across[i] = mode == kIntra16x16Vertical ? 32 * luma(4 * x + i, -1) : 0;
      prediction.down[i] = mode == kIntra16x16Horizontal ? 32 * luma(-1, 4 * y + i) : 0;
    }
    return prediction;
  }

  // Returns intra_chroma_dc() of 4x4 block (x, y).
  MILLRACE_FUNCTION int chroma_dc(int component, int x, int y) const {
    int above = 0;
    int left = 0;
    for (int i = 0; i < 4; ++i) {
      above += chroma(component, 4 * x + i, -1);
      left += chroma(component, -1, 4 * y + i);
    }
    if (x == y && available_.top && available_.left) return (above + left + 4) >> 3;
    if (available_.top && !(x < y && available_.left)) return (above + 2) >> 2;
    return available_.left ? (left + 2) >> 2 : 128;
  }

  MILLRACE_FUNCTION SeparablePrediction chroma_prediction(int mode, const PlaneCoefficients& plane,
                                                          int component, int x, int y) const {
    if (mode == kIntraChromaPlane) return plane_prediction<8>(plane, 4 * x, 4 * y);
    SeparablePrediction prediction = {};
    prediction.first = mode == kIntraChromaDc ? 32 * chroma_dc(component, x, y) : 0;
    for (int i = 0; i < 4; ++i) {
      prediction.across[i] =
          mode == kIntraChromaVertical ? 32 * chroma(component, 4 * x + i, -1) : 0;
      prediction.down[i] =
          mode == kIntraChromaHorizontal ? 32 * chroma(component, -1, 4 * y + i) : 0;
    }
    return prediction;
  }

  // Predicts block (x, y) in a mode, quantises what is left, and adds the residual. Returns true if
  // there are levels. Each lane has a sample or a coefficient, and four lanes a row or a column:
  // blocks are coded one after another, so the time of each counts.
  MILLRACE_FUNCTION bool code_block(const LevelQuantiser& quantiser, int mode, int x, int y) const {
    std::uint8_t* const samples = memory_.area.luma_at(4 * x, 4 * y);
    std::int16_t* const w = memory_.block;
    steps_.for_each(16, [&](int i) {
      const int row = i / 4;
      const int shift = 8 * (i % 4);
      const std::uint8_t sample = memory_.edge[memory_.sources[4 * mode + row] >> shift & 63];
      const std::uint32_t source = memory_.luma_source[4 * (4 * y + row) + x] >> shift & 0xff;
      samples[LaneArea::kLumaPitch * row + i % 4] = sample;
      w[i] = static_cast<std::int16_t>(static_cast<int>(source) - sample);
    });
    steps_.sync();
    steps_.for_each(4, [&](int i) { forward_transform_4(w + i, 4); });
    steps_.sync();
    steps_.for_each(4, [&](int i) { forward_transform_4(w + 4 * i, 1); });
    steps_.sync();
    std::int16_t* const levels = block_levels(memory_.levels, 4 * y + x);
    const auto offset =
        static_cast<std::int32_t>(rounding_offset(quantiser.shift_4x4, kIntraRounding));
    steps_.for_each(16, [&](int i) {
      const int k = zigzag_position(i);
      const int size = w[i] < 0 ? -w[i] : w[i];
      const std::int32_t magnitude =
          (size * quantiser.multipliers_4x4[k] + offset) >> quantiser.shift_4x4;
      const std::int32_t level = w[i] < 0 ? -magnitude : magnitude;
      levels[k] = static_cast<std::int16_t>(level);
      w[i] = saturated((std::int64_t{level} * quantiser.scales_4x4[k] + 8) >> 4);
      memory_.results[i] = level != 0 ? 1 : 0;
    });
    steps_.sync();
    const bool has_levels = steps_.sum_of_results(0, 16) != 0;
    if (has_levels) add_block(samples);
    steps_.sync();
    return has_levels;
  }

  // Adds the residual of the coefficients in memory.block to samples. Lanes may read these behind
  // the next sync().
  MILLRACE_FUNCTION void add_block(std::uint8_t* samples) const {
    std::int16_t* const w = memory_.block;
    steps_.for_each(4, [&](int i) {
      idct::WrappedInt16 row[4];
      for (int k = 0; k < 4; ++k) row[k].value = w[4 * i + k];
      idct::inverse_transform_4(row);
      for (int k = 0; k < 4; ++k) w[4 * i + k] = row[k].value;
    });
    steps_.sync();
    steps_.for_each(4, [&](int i) {
      idct::WrappedInt16 column[4];
      for (int k = 0; k < 4; ++k) column[k].value = w[4 * k + i];
      idct::inverse_transform_4(column);
      for (int k = 0; k < 4; ++k) {
        std::uint8_t& sample = samples[LaneArea::kLumaPitch * k + i];
        sample =
            idct::reconstruct_sample(sample, ((column[k] + idct::WrappedInt16{32}) >> 6).value);
      }
    });
  }

  // Returns the zig-zag position of coefficient `i` in raster order.
  MILLRACE_FUNCTION static int zigzag_position(int i) {
    constexpr std::uint64_t kPositions = [] {
      constexpr ZigzagOrder<4> kOrder = zigzag_order<4>();
      std::uint64_t positions = 0;
      for (int k = 0; k < 16; ++k) {
        positions |= static_cast<std::uint64_t>(k) << 4 * (4 * kOrder.row[k] + kOrder.column[k]);
      }
      return positions;
    }();
    return static_cast<int>(kPositions >> 4 * i & 15);
  }

  // Loads edge_value() of all modes and samples.
  MILLRACE_FUNCTION void load_sources() const {
    steps_.sync();
    steps_.for_each(36, [&](int i) {
      std::uint32_t word = 0;
      for (int x = 0; x < 4; ++x) {
        word |= static_cast<std::uint32_t>(edge_value(i / 4, x, i % 4)) << 8 * x;
      }
      memory_.sources[i] = word;
    });
  }

  // Loads the values that block (x, y) is predicted from.
  MILLRACE_FUNCTION void load_edge(IntraAvailability available, int x, int y) const {
    const std::uint8_t* const block = memory_.area.luma_at(4 * x, 4 * y);
    steps_.sync();
    steps_.for_each(14, [&](int i) {
      memory_.edge[i] = edge_sample<4>(block, LaneArea::kLumaPitch, available, i);
    });
    steps_.sync();
    const std::uint8_t* const line = memory_.edge;
    steps_.for_each(14, [&](int i) {
      if (i == 13) {
        const int above = line[5] + line[6] + line[7] + line[8];
        const int left = line[0] + line[1] + line[2] + line[3];
        const int dc = available.top && available.left ? (above + left + 4) / 8
                       : available.top                 ? (above + 2) / 4
                       : available.left                ? (left + 2) / 4
                                                       : 128;
        memory_.edge[EdgeValues::kDc] = static_cast<std::uint8_t>(dc);
        return;
      }
      const int before = line[i > 0 ? i - 1 : 0];
      memory_.edge[EdgeValues::kMeans2 + i] =
          static_cast<std::uint8_t>((line[i] + line[i + 1] + 1) >> 1);
      memory_.edge[EdgeValues::kMeans3 + i] =
          static_cast<std::uint8_t>((before + 2 * line[i] + line[i + 1] + 2) >> 2);
    });
    steps_.sync();
  }

  // Chooses the mode of block (x, y) and returns its cost.
  MILLRACE_FUNCTION std::uint32_t choose_mode(int x, int y, int& best_mode) const {
    const IntraAvailability available = block_availability<4>(available_, x, y);
    load_edge(available, x, y);
    std::uint32_t possible = 0;
    for (int mode = 0; mode < 9; ++mode) {
      possible |= is_intra_mode_possible(available, mode) ? 1u << mode : 0;
    }
    steps_.for_each(9, [&](int mode) {
      std::uint32_t rows[4];
      predict_rows(memory_, mode, rows);
      memory_.results[mode] = block_satd_of_rows(memory_.luma_source + 16 * y + x, 4, rows[0],
                                                 rows[1], rows[2], rows[3]);
    });
    const int left = memory_.modes[5 * (y + 1) + x];
    const int above = memory_.modes[5 * y + x + 1];
    const int least = left < above ? left : above;
    const int mode_predicted = least < 0 ? 2 : least;
    steps_.sync();
    std::uint32_t best = ~0u;
    for (int mode = 0; mode < 9; ++mode) {
      if ((possible >> mode & 1) == 0) continue;
      const std::uint32_t cost =
          32 * memory_.results[mode] + steps_.bits(mode == mode_predicted ? 1 : 4);
      if (cost >= best) continue;
      best = cost;
      best_mode = mode;
    }
    return best;
  }

  const LaneSteps<Lanes>& steps_;
  LaneMemory& memory_;
  const IntraAvailability available_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_LANES_LANE_INTRA_DECISION_H_
