// SPDX-License-Identifier: Apache-2.0

// Writes syntax elements by CABAC: their binarisations and contexts (ITU-T H.264 clauses 9.3.2 and
// 9.3.3.1), or estimates their bits. The mirror image of CabacReader.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_CABAC_CODER_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_CABAC_CODER_H_

#include <millrace/algorithms/h264/entropy/cabac/cabac_tables.h>
#include <millrace/algorithms/h264/entropy/common/nonzero_mask.h>
#include <millrace/algorithms/h264/entropy/macroblock_types.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

// `Engine` is CabacEncoder or CabacEstimator. Arguments named `increment` are ctxIdxInc of an
// element's first bin. Neither the tables nor the engine are owned.
template <class Engine>
class CabacCoder {
 public:
  static constexpr bool kIsCabac = true;

  MILLRACE_FUNCTION CabacCoder(const CabacTables& tables, Engine& engine)
      : tables_(tables), engine_(engine) {}

  MILLRACE_FUNCTION void skip_flag_in_p(int increment, bool value) {
    engine_.bin(kContextSkipP + increment, value);
  }
  MILLRACE_FUNCTION void end_of_slice(bool value) { engine_.terminate(value); }

  // Writes mb_type of I slices, 0 to 25.
  MILLRACE_FUNCTION void intra_type(int increment, int type) {
    engine_.bin(kContextIntraType + increment, type != 0);
    if (type != 0) {
      intra_type_rest(kContextIntraType + 2, 1, type);
    }
  }
  // Writes mb_type of P slices, 0 to 3 and 5 to 30.
  MILLRACE_FUNCTION void type_in_p(int type) {
    engine_.bin(kContextTypeP, type >= kInterTypesOfP);
    if (type >= kInterTypesOfP) {
      engine_.bin(kContextIntraTypeP, type != kInterTypesOfP);
      if (type != kInterTypesOfP) {
        intra_type_rest(kContextIntraTypeP, 0, type - kInterTypesOfP);
      }
      return;
    }
    const bool is_halved = type == 1 || type == 2;
    engine_.bin(kContextTypeP + 1, is_halved);
    engine_.bin(kContextTypeP + (is_halved ? 3 : 2), type == 1 || type == 3);
  }
  // Writes sub_mb_type of P slices, 0 to 3.
  MILLRACE_FUNCTION void sub_type_in_p(int type) {
    engine_.bin(kContextSubTypeP, type == 0);
    if (type != 0) {
      engine_.bin(kContextSubTypeP + 1, type != 1);
      if (type != 1) {
        engine_.bin(kContextSubTypeP + 2, type == 2);
      }
    }
  }
  MILLRACE_FUNCTION void reference_index(int increment, int index) {
    for (; index > 0; --index) {
      engine_.bin(kContextReference + increment, true);
      increment = (increment >> 2) + 4;
    }
    engine_.bin(kContextReference + increment, false);
  }
  // Writes a component of mvd; `sum` is that of the neighbours' absolute values.
  MILLRACE_NOINLINE_FUNCTION void vector_difference(bool is_y, int sum, int value) {
    const int context = is_y ? kContextDifferenceY : kContextDifferenceX;
    engine_.bin(context + (sum < 3 ? 0 : sum > 32 ? 2 : 1), value != 0);
    if (value == 0) {
      return;
    }
    const int magnitude = value < 0 ? -value : value;
    int increment = 3;
    for (int k = 1; k < 9 && k <= magnitude; ++k) {
      engine_.bin(context + increment, k < magnitude);
      increment += increment < 6 ? 1 : 0;
    }
    if (magnitude >= 9) {
      engine_.exponential_golomb(magnitude - 9, 3);
    }
    engine_.bypass(value < 0);
  }
  // `is_after_change`: the macroblock before has an mb_qp_delta that is not 0.
  MILLRACE_FUNCTION void qp_delta(bool is_after_change, int delta) {
    int context = kContextQpDelta + (is_after_change ? 1 : 0);
    const int code = delta > 0 ? 2 * delta - 1 : -2 * delta;
    for (int k = 0; k < code; ++k) {
      engine_.bin(context, true);
      context = kContextQpDelta + (k == 0 ? 2 : 3);
    }
    engine_.bin(context, false);
  }
  MILLRACE_FUNCTION void chroma_mode(int increment, int mode) {
    engine_.bin(kContextChromaMode + increment, mode != 0);
    if (mode != 0) {
      engine_.bin(kContextChromaMode + 3, mode != 1);
      if (mode != 1) {
        engine_.bin(kContextChromaMode + 3, mode == 3);
      }
    }
  }
  // `remaining` is the mode that remains, or -1 where it is the predicted one.
  MILLRACE_FUNCTION void intra_mode(int remaining) {
    engine_.bin(kContextModeIsPredicted, remaining < 0);
    for (int bit = 0; remaining >= 0 && bit < 3; ++bit) {
      engine_.bin(kContextMode, (remaining >> bit & 1) != 0);
    }
  }
  MILLRACE_FUNCTION void transform_flag(int increment, bool value) {
    engine_.bin(kContextTransform + increment, value);
  }
  MILLRACE_FUNCTION void luma_pattern_bit(int increment, bool value) {
    engine_.bin(kContextLumaPattern + increment, value);
  }
  // `increments` are those of the first and of the second bin.
  MILLRACE_FUNCTION void chroma_pattern(int first_increment, int second_increment, int pattern) {
    engine_.bin(kContextChromaPattern + first_increment, pattern != 0);
    if (pattern != 0) {
      engine_.bin(kContextChromaPattern + 4 + second_increment, pattern == 2);
    }
  }

  // Writes residual_block_cabac() of `maximum` levels in zig-zag order. `increment` is that of
  // coded_block_flag, which 8x8 blocks do not have: one of their levels is not 0. Returns the
  // number of levels that are not 0.
  template <BlockCategory category, int maximum>
  MILLRACE_NOINLINE_FUNCTION int residual_block(int increment, const std::int16_t* levels) {
    constexpr BlockContexts kContexts = block_contexts(category);
    constexpr bool kIs8x8 = category == BlockCategory::kLuma8x8;
    std::uint64_t mask = nonzero_mask<maximum>(levels);
    if constexpr (!kIs8x8) {
      engine_.bin(kContexts.coded_block + increment, mask != 0);
      if (mask == 0) {
        return 0;
      }
    }
    const int last = highest_bit(mask);
    for (int k = 0; k < maximum - 1 && k <= last; ++k) {
      const int map = kIs8x8 ? tables_.significant_8x8[k] : k;
      const bool is_significant = (mask >> k & 1) != 0;
      engine_.bin(kContexts.significant + map, is_significant);
      if (is_significant) {
        engine_.bin(kContexts.last + (kIs8x8 ? tables_.last_8x8[k] : k), k == last);
      }
    }
    const int count = count_of(mask);
    write_levels<kContexts.level, kContexts.levels_above_one - 1>(mask, levels);
    return count;
  }

  // Writes pcm_alignment_zero_bits; pcm_sample() follows for each sample, then end_pcm().
  MILLRACE_FUNCTION void begin_pcm() { engine_.begin_pcm(); }
  MILLRACE_FUNCTION void pcm_sample(int sample) { engine_.pcm_sample(sample); }
  MILLRACE_FUNCTION void end_pcm() { engine_.restart(); }

 private:
  // Writes the bins of mb_type 1 to 25 after the first one; the contexts from `context` on are
  // those of Table 9-34, `in_i` is 1 in I slices.
  MILLRACE_FUNCTION void intra_type_rest(int context, int in_i, int type) {
    engine_.terminate(type == kIntraTypes - 1);
    if (type == kIntraTypes - 1) {
      return;
    }
    const int chroma = (type - 1) / 4 % 3;
    engine_.bin(context + 1, type > 12);
    engine_.bin(context + 2, chroma != 0);
    if (chroma != 0) {
      engine_.bin(context + 2 + in_i, chroma == 2);
    }
    engine_.bin(context + 3 + in_i, ((type - 1) & 2) != 0);
    engine_.bin(context + 3 + 2 * in_i, ((type - 1) & 1) != 0);
  }

  // Writes coeff_abs_level_minus1 and the signs, from the highest position on.
  template <int context, int most_above_one>
  MILLRACE_NOINLINE_FUNCTION void write_levels(std::uint64_t mask, const std::int16_t* levels) {
    constexpr int kLongestPrefix = 14;
    int ones = 0;
    int above_one = 0;
    while (mask != 0) {
      const int position = highest_bit(mask);
      mask ^= 1ULL << position;
      const int level = levels[position];
      const int rest = (level < 0 ? -level : level) - 1;
      engine_.bin(context + (above_one != 0 ? 0 : ones < 3 ? 1 + ones : 4), rest != 0);
      if (rest == 0) {
        ++ones;
      } else {
        const int others = context + 5 + (above_one < most_above_one ? above_one : most_above_one);
        for (int k = 1; k < kLongestPrefix && k <= rest; ++k) {
          engine_.bin(others, k < rest);
        }
        if (rest >= kLongestPrefix) {
          engine_.exponential_golomb(rest - kLongestPrefix, 0);
        }
        ++above_one;
      }
      engine_.bypass(level < 0);
    }
  }

  const CabacTables& tables_;
  Engine& engine_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_CABAC_CODER_H_
