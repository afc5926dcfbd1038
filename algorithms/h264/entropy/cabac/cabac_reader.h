// SPDX-License-Identifier: Apache-2.0

// Reads syntax elements coded by CABAC: their binarisations and contexts (ITU-T H.264 clauses
// 9.3.1.1, 9.3.2 and 9.3.3.1).
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_CABAC_CABAC_READER_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_CABAC_CABAC_READER_H_

#include <millrace/algorithms/h264/entropy/cabac/cabac_engine.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_states.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_tables.h>
#include <millrace/algorithms/h264/entropy/common/residual_target.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/algorithms/h264/slice.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Neither the bytes nor the tables are owned. Arguments named `increment` are ctxIdxInc of an
// element's first bin, which neighbours decide. An invalid value sets damage() and is read as a
// valid one.
class CabacReader {
 public:
  static constexpr bool kIsCabac = true;

  // slice_data() begins at `first_bit`; cabac_alignment_one_bits follow.
  MILLRACE_FUNCTION CabacReader(const CabacTables& tables, const std::uint8_t* bytes,
                                std::size_t size, std::size_t first_bit, const CabacSlice& slice)
      : tables_(&tables), engine_(tables, bytes, size), states_(first_cabac_states(tables, slice)) {
    for (std::size_t bit = first_bit; bit % 8 != 0; ++bit) {
      if (bit / 8 >= size || (bytes[bit / 8] >> (7 - bit % 8) & 1) == 0) {
        note_damage("cabac_alignment_one_bit that is 0");
      }
    }
    start((first_bit + 7) / 8);
  }

  MILLRACE_FUNCTION const char* damage() const { return damage_; }
  MILLRACE_FUNCTION void note_damage(const char* damage) {
    if (damage_ == nullptr) {
      damage_ = damage;
    }
  }
  MILLRACE_FUNCTION std::size_t position() const { return engine_.position(); }

  MILLRACE_FUNCTION bool skip_flag(SliceType type, int increment) {
    return bin((type == SliceType::kP ? kContextSkipP : kContextSkipB) + increment) != 0;
  }
  MILLRACE_FUNCTION bool end_of_slice() { return engine_.decode_terminate(); }
  // After end_of_slice() the last bit that was read is rbsp_stop_one_bit.
  MILLRACE_FUNCTION bool is_at_stop_bit() const {
    const std::size_t bit = engine_.position() - 1;
    return bit / 8 < engine_.size() && (engine_.bytes()[bit / 8] >> (7 - bit % 8) & 1) != 0;
  }

  // Returns mb_type of I slices, 0 to 25.
  MILLRACE_FUNCTION int intra_type(int increment) {
    return bin(kContextIntraType + increment) == 0 ? 0 : intra_type_rest(kContextIntraType + 2, 1);
  }
  // Returns mb_type of P slices, 0 to 30.
  MILLRACE_FUNCTION int type_in_p() {
    if (bin(kContextTypeP) != 0) {
      return 5 + (bin(kContextIntraTypeP) == 0 ? 0 : intra_type_rest(kContextIntraTypeP, 0));
    }
    if (bin(kContextTypeP + 1) == 0) {
      return 3 * bin(kContextTypeP + 2);
    }
    return 2 - bin(kContextTypeP + 3);
  }
  // Returns mb_type of B slices, 0 to 48.
  MILLRACE_NOINLINE_FUNCTION int type_in_b(int increment) {
    if (bin(kContextTypeB + increment) == 0) {
      return 0;
    }
    if (bin(kContextTypeB + 3) == 0) {
      return 1 + bin(kContextTypeB + 5);
    }
    int bins = bin(kContextTypeB + 4) << 3;
    bins |= bin(kContextTypeB + 5) << 2;
    bins |= bin(kContextTypeB + 5) << 1;
    bins |= bin(kContextTypeB + 5);
    if (bins < 8) {
      return bins + 3;
    }
    switch (bins) {
      case 13:
        return 23 + (bin(kContextIntraTypeB) == 0 ? 0 : intra_type_rest(kContextIntraTypeB, 0));
      case 14: return 11;
      case 15: return 22;
      default: return 2 * bins + bin(kContextTypeB + 5) - 4;
    }
  }
  MILLRACE_FUNCTION int sub_type_in_p() {
    if (bin(kContextSubTypeP) != 0) {
      return 0;
    }
    if (bin(kContextSubTypeP + 1) == 0) {
      return 1;
    }
    return bin(kContextSubTypeP + 2) != 0 ? 2 : 3;
  }
  MILLRACE_FUNCTION int sub_type_in_b() {
    if (bin(kContextSubTypeB) == 0) {
      return 0;
    }
    if (bin(kContextSubTypeB + 1) == 0) {
      return 1 + bin(kContextSubTypeB + 3);
    }
    int type = 3;
    if (bin(kContextSubTypeB + 2) != 0) {
      if (bin(kContextSubTypeB + 3) != 0) {
        return 11 + bin(kContextSubTypeB + 3);
      }
      type += 4;
    }
    type += 2 * bin(kContextSubTypeB + 3);
    return type + bin(kContextSubTypeB + 3);
  }

  MILLRACE_NOINLINE_FUNCTION int reference_index(int increment) {
    int index = 0;
    while (bin(kContextReference + increment) != 0) {
      increment = (increment >> 2) + 4;
      if (++index == 32) {
        note_damage("ref_idx above 31");
        return 0;
      }
    }
    return index;
  }

  // Returns a component of mvd; `sum` is that of the neighbours' absolute values.
  MILLRACE_NOINLINE_FUNCTION int vector_difference(bool is_y, int sum) {
    const int context = is_y ? kContextDifferenceY : kContextDifferenceX;
    if (bin(context + (sum < 3 ? 0 : sum > 32 ? 2 : 1)) == 0) {
      return 0;
    }
    int magnitude = 1;
    int increment = 3;
    while (magnitude < 9 && bin(context + increment) != 0) {
      ++magnitude;
      increment += increment < 6 ? 1 : 0;
    }
    if (magnitude == 9) {
      magnitude += exponential_golomb(engine_, 3);
    }
    return engine_.decode_bypass() != 0 ? -magnitude : magnitude;
  }

  // `is_after_change`: the macroblock before has an mb_qp_delta that is not 0.
  MILLRACE_FUNCTION int qp_delta(bool is_after_change) {
    int context = kContextQpDelta + (is_after_change ? 1 : 0);
    int code = 0;
    while (bin(context) != 0) {
      context = kContextQpDelta + (code == 0 ? 2 : 3);
      if (++code > 52) {
        note_damage("mb_qp_delta outside of -26 to 25");
        return 0;
      }
    }
    return code % 2 == 1 ? (code + 1) / 2 : -code / 2;
  }

  MILLRACE_FUNCTION int chroma_mode(int increment) {
    if (bin(kContextChromaMode + increment) == 0) {
      return 0;
    }
    if (bin(kContextChromaMode + 3) == 0) {
      return 1;
    }
    return 2 + bin(kContextChromaMode + 3);
  }
  // Reads an intra mode (prev_intra4x4_pred_mode_flag or prev_intra8x8_pred_mode_flag first).
  // Returns rem_intra4x4_pred_mode or rem_intra8x8_pred_mode, or -1 for the predicted mode.
  MILLRACE_FUNCTION int intra_mode() {
    if (bin(kContextModeIsPredicted) != 0) {
      return -1;
    }
    int mode = bin(kContextMode);
    mode |= bin(kContextMode) << 1;
    return mode | bin(kContextMode) << 2;
  }
  MILLRACE_FUNCTION bool transform_flag(int increment) {
    return bin(kContextTransform + increment) != 0;
  }
  MILLRACE_FUNCTION int luma_pattern_bit(int increment) {
    return bin(kContextLumaPattern + increment);
  }
  // `increments` are those of the first and of the second bin.
  MILLRACE_FUNCTION int chroma_pattern(int first_increment, int second_increment) {
    if (bin(kContextChromaPattern + first_increment) == 0) {
      return 0;
    }
    return 1 + bin(kContextChromaPattern + 4 + second_increment);
  }

  // Reads residual_block_cabac() of `maximum` coefficients; `increment` is that of
  // coded_block_flag, which 8x8 blocks do not have. Returns the number of coefficients.
  template <BlockCategory category, int maximum, class Target>
  MILLRACE_NOINLINE_FUNCTION int residual_block(int increment, Target& target) {
    constexpr bool kIs8x8 = category == BlockCategory::kLuma8x8;
    constexpr BlockContexts kContexts = block_contexts(category);
    CabacEngine engine = engine_;
    if (!kIs8x8 && engine.decode(states_.of[kContexts.coded_block + increment]) == 0) {
      engine_ = engine;
      return 0;
    }
    std::uint8_t positions[64];
    int count = 0;
    if constexpr (kIs8x8) {
      count = significance_map_8x8(engine, positions);
    } else {
      count = significance_map(engine, maximum - 1, states_.of + kContexts.significant,
                               states_.of + kContexts.last, positions);
    }
    std::uint8_t* const levels = states_.of + kContexts.level;
    constexpr int kMostAboveOne = kContexts.levels_above_one - 1;
    Target to = target;
    int ones = 0;
    int above_one = 0;
    for (int i = count - 1; i >= 0; --i) {
      const int first = above_one != 0 ? 0 : ones < 3 ? 1 + ones : 4;
      int level = 1;
      if (engine.decode(levels[first]) == 0) {
        ++ones;
      } else {
        std::uint8_t& state = levels[5 + (above_one < kMostAboveOne ? above_one : kMostAboveOne)];
        level = 2;
        while (level < 15 && engine.decode(state) != 0) {
          ++level;
        }
        if (level == 15) {
          level += exponential_golomb(engine, 0);
        }
        ++above_one;
      }
      to.put(positions[i], engine.decode_bypass() != 0 ? -level : level);
    }
    target = to;
    engine_ = engine;
    return count;
  }

  // Returns the `count` bytes of pcm samples after alignment, or null if the payload ends before
  // them.
  MILLRACE_FUNCTION const std::uint8_t* pcm_bytes(std::size_t count) {
    const std::size_t first = (engine_.position() + 7) / 8;
    if (first > engine_.size() || engine_.size() - first < count) {
      note_damage("I_PCM samples past the end of the slice");
      return nullptr;
    }
    pcm_end_ = first + count;
    return engine_.bytes() + first;
  }
  // Continues after the bytes of pcm_bytes() (clause 9.3.1.2).
  MILLRACE_FUNCTION void resume_after_pcm() { start(pcm_end_); }

 private:
  MILLRACE_FUNCTION void start(std::size_t byte) {
    engine_.start(byte);
    if (!engine_.is_in_range()) {
      note_damage("arithmetic decoding that starts at offset 510 or 511");
    }
  }

  MILLRACE_INLINE_FUNCTION int bin(int context) { return engine_.decode(states_.of[context]); }

  // Returns mb_type 1 to 25 of an intra macroblock after its first bin; the contexts from `context`
  // on are those of Table 9-34, `in_i` is 1 in I slices.
  MILLRACE_FUNCTION int intra_type_rest(int context, int in_i) {
    if (engine_.decode_terminate()) {
      return 25;
    }
    int type = 1 + 12 * bin(context + 1);
    if (bin(context + 2) != 0) {
      type += 4 + 4 * bin(context + 2 + in_i);
    }
    type += 2 * bin(context + 3 + in_i);
    return type + bin(context + 3 + 2 * in_i);
  }

  // Reads the suffix of UEGk, without sign (clause 9.3.2.3).
  [[gnu::always_inline]] MILLRACE_INLINE_FUNCTION int exponential_golomb(CabacEngine& engine,
                                                                         int k) {
    constexpr int kLongest = 20;  // More bits than any level or difference of a stream has.
    int value = 0;
    while (engine.decode_bypass() != 0) {
      value += 1 << k;
      if (++k > kLongest) {
        note_damage("Exp-Golomb suffix of more than 20 bits");
        return 0;
      }
    }
    while (k-- > 0) {
      value += engine.decode_bypass() << k;
    }
    return value;
  }

  // Reads significant_coeff_flag and last_significant_coeff_flag of `count` positions. Returns the
  // number of positions that have coefficients.
  [[gnu::always_inline]] MILLRACE_INLINE_FUNCTION static int significance_map(
      CabacEngine& engine, int count, std::uint8_t* significant, std::uint8_t* last,
      std::uint8_t* positions) {
    int found = 0;
    for (int k = 0; k < count; ++k) {
      if (engine.decode(significant[k]) != 0) {
        positions[found++] = static_cast<std::uint8_t>(k);
        if (engine.decode(last[k]) != 0) {
          return found;
        }
      }
    }
    positions[found++] = static_cast<std::uint8_t>(count);
    return found;
  }
  // Does as significance_map() for 8x8 blocks, whose positions share contexts.
  [[gnu::always_inline]] MILLRACE_INLINE_FUNCTION int significance_map_8x8(
      CabacEngine& engine, std::uint8_t* positions) {
    constexpr int kCount = 63;
    constexpr BlockContexts kContexts = block_contexts(BlockCategory::kLuma8x8);
    std::uint8_t* const significant = states_.of + kContexts.significant;
    std::uint8_t* const last = states_.of + kContexts.last;
    const std::uint8_t* const significant_increments = tables_->significant_8x8;
    const std::uint8_t* const last_increments = tables_->last_8x8;
    int found = 0;
    for (int k = 0; k < kCount; ++k) {
      if (engine.decode(significant[significant_increments[k]]) != 0) {
        positions[found++] = static_cast<std::uint8_t>(k);
        if (engine.decode(last[last_increments[k]]) != 0) {
          return found;
        }
      }
    }
    positions[found++] = static_cast<std::uint8_t>(kCount);
    return found;
  }

  const CabacTables* tables_;
  CabacEngine engine_;
  CabacStates states_;
  std::size_t pcm_end_ = 0;
  const char* damage_ = nullptr;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_CABAC_CABAC_READER_H_
