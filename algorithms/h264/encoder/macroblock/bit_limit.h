// SPDX-License-Identifier: Apache-2.0

// Limits the bits of a macroblock that is chosen by cost (Annex A of ITU-T H.264).
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_BIT_LIMIT_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_BIT_LIMIT_H_

#include <millrace/algorithms/h264/encoder/macroblock/macroblock_candidate.h>
#include <millrace/algorithms/h264/encoder/macroblock/pcm_candidate.h>
#include <millrace/algorithms/h264/encoder/macroblock/picture_coding.h>
#include <millrace/algorithms/h264/encoder/macroblock/rate_model.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

// From this QP on, no macroblock exceeds the limit of bits: a residual of 255 makes levels of at
// most 25, and noise of amplitude 255 makes levels of about 6.
inline constexpr int kFirstQpWithoutPcm = 36;
inline constexpr std::uint32_t kMostMacroblockBits = 3100;

// Stores the candidate's macroblock in the picture. If it has too many bits, replaces the candidate
// by I_PCM first; `empty` supplies slice and QP. Updates the state that later macroblocks depend
// on, as RateModel::commit(). Returns true if the macroblock became I_PCM.
MILLRACE_NOINLINE_FUNCTION inline bool limit_bits(const PictureCoding& coding, int column, int row,
                                                  const Macroblock& empty,
                                                  MacroblockCandidate& candidate) {
  Macroblock& macroblock = coding.macroblocks[coding.view.index(column, row)];
  RateModel rates(coding, column, row);
  macroblock = candidate.macroblock;
  // In CABAC a second commit() begins with the states before the first one.
  CabacStates before;
  if (coding.is_cabac) before = coding.row_states[row];
  const std::uint32_t rate = rates.commit(candidate.levels);
  const bool is_too_large = rate > kMostMacroblockBits * kRateOfBit ||
                            has_large_level(candidate.macroblock, candidate.levels);
  if (is_too_large) {
    make_pcm_candidate(coding, column, row, empty, candidate);
    macroblock = candidate.macroblock;
    if (coding.is_cabac) coding.row_states[row] = before;
    rates.commit(candidate.levels);
  }
  return is_too_large;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_BIT_LIMIT_H_
