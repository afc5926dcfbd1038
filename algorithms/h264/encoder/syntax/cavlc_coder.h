// SPDX-License-Identifier: Apache-2.0

// Writes syntax elements by Exp-Golomb codes and CAVLC (ITU-T H.264 clauses 9.1 and 9.2), or counts
// their bits. The mirror image of CavlcReader.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_CAVLC_CODER_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_CAVLC_CODER_H_

#include <millrace/algorithms/h264/entropy/cavlc/cavlc_codes.h>
#include <millrace/algorithms/h264/entropy/cavlc/cavlc_writer.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// `Sink` is BitWriter or BitCounter. Neither the codes nor the sink are owned.
template <class Sink>
class CavlcCoder {
 public:
  static constexpr bool kIsCabac = false;

  MILLRACE_FUNCTION CavlcCoder(const CavlcCodes& codes, Sink& sink) : codes_(codes), sink_(sink) {}

  MILLRACE_FUNCTION void flag(bool value) { sink_.flag(value); }
  // Writes ue(v).
  MILLRACE_FUNCTION void unsigned_code(int value) { sink_.ue(static_cast<std::uint32_t>(value)); }
  // Writes se(v).
  MILLRACE_FUNCTION void signed_code(int value) { sink_.se(value); }
  // Writes te(v) of values up to count - 1.
  MILLRACE_FUNCTION void truncated_code(int count, int value) {
    if (count == 2) {
      sink_.flag(value == 0);
    } else {
      unsigned_code(value);
    }
  }
  MILLRACE_FUNCTION void coded_block_pattern(bool is_inter, int pattern) {
    unsigned_code(codes_.coded_block_patterns[is_inter ? 1 : 0][pattern]);
  }
  // Writes prev_intra4x4_pred_mode_flag or prev_intra8x8_pred_mode_flag and what follows;
  // `remaining` is the mode that remains, or -1 where it is the predicted one.
  MILLRACE_FUNCTION void intra_mode(int remaining) {
    if (remaining < 0) {
      sink_.flag(true);
    } else {
      sink_.bits(static_cast<std::uint64_t>(remaining), 4);
    }
  }

  // Returns the class of nC. `sum` is the sum of the neighbours' counts, with CountGrid::kMissing
  // for one that is missing.
  MILLRACE_FUNCTION int token_class_of(int sum) const { return codes_.token_classes[sum]; }
  // Writes residual_block_cavlc() of `maximum` levels: 4, 15 or 16. Returns TotalCoeff.
  template <int maximum>
  MILLRACE_NOINLINE_FUNCTION int residual_block(int token_class, const std::int16_t* levels) {
    return write_block<maximum>(codes_, token_class, levels, sink_);
  }

  // Writes pcm_alignment_zero_bits; pcm_sample() follows for each sample, then end_pcm().
  MILLRACE_FUNCTION void begin_pcm() { sink_.align(); }
  MILLRACE_FUNCTION void pcm_sample(int sample) {
    sink_.bits(static_cast<std::uint64_t>(sample), 8);
  }
  MILLRACE_FUNCTION void end_pcm() {}

 private:
  const CavlcCodes& codes_;
  Sink& sink_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_CAVLC_CODER_H_
