// SPDX-License-Identifier: Apache-2.0

// One picture that is being encoded. All memory belongs to the caller.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_PICTURE_CODING_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_PICTURE_CODING_H_

#include <millrace/algorithms/h264/encoder/macroblock/encoder_search.h>
#include <millrace/algorithms/h264/encoder/macroblock/level_quantiser.h>
#include <millrace/algorithms/h264/encoder/macroblock/mode_decision.h>
#include <millrace/algorithms/h264/encoder/syntax/cabac_costs.h>
#include <millrace/algorithms/h264/encoder/syntax/coded_border.h>
#include <millrace/algorithms/h264/encoder/syntax/macroblock_levels.h>
#include <millrace/algorithms/h264/encoder/syntax/slice_neighbours.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_states.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_tables.h>
#include <millrace/algorithms/h264/entropy/cavlc/cavlc_codes.h>
#include <millrace/algorithms/h264/entropy/neighbours.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/reconstruction/inter_prediction.h>
#include <millrace/algorithms/h264/reconstruction/views/picture_view.h>
#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// The vectors that a search has found in one reference.
struct SearchedReference {
  motion::MotionField field;
  // Predictors that the costs of the search are based on.
  const MotionVector* predictors = nullptr;
  std::ptrdiff_t predictor_stride = 0;  // Counted in macroblocks; 0: all share one predictor.
};

// Limits of vectors (Table A-1), in quarter samples.
struct VectorLimits {
  int vertical = 2048;   // Vectors are -vertical to vertical - 1.
  int most_in_two = 32;  // Most vectors in two consecutive macroblocks.
};

struct PictureCoding {
  // `planes` take the reconstruction. There is one slice view for each slice.
  PictureView view = {};
  Macroblock* macroblocks = nullptr;  // Macroblocks of `view`.
  MacroblockLevels* levels = nullptr;
  const std::uint8_t* source[3] = {};  // Planes of the strides of the view.
  bool is_inter = false;               // A P picture.
  bool has_8x8_transform = false;
  bool is_cabac = false;
  ModeDecision decision = ModeDecision::kCost;
  int qp = 0;
  int chroma_qp = 0;
  int lambda = 0;  // motion::motion_lambda()
  const LevelQuantiser* luma_quantiser = nullptr;
  const LevelQuantiser* chroma_quantiser = nullptr;
  EncoderSearch search = EncoderSearch::kFull;
  int range = 0;  // Counted in whole samples; kFull ignores it.
  int references = 0;
  // Set for kFull alone.
  SearchedReference searched[motion::kMostReferences];
  VectorLimits limits;
  // The members below are for kRateDistortion alone. `mode_lambda` is the weight of a bit against a
  // squared error, in 1 / 1024; the others are what bits are counted with. Borders are indexed by
  // macroblock, states by row.
  std::uint64_t mode_lambda = 0;
  CodedBorder* borders = nullptr;
  CabacStates* row_states = nullptr;
  CabacStates* entry_states = nullptr;
  const CavlcCodes* cavlc_codes = nullptr;
  const CabacTables* cabac_tables = nullptr;
  const CabacCosts* cabac_costs = nullptr;

  // Returns the weight of a bit against a squared error of chroma, which counts 3/2 times: both
  // planes together have half the samples of luma, but a third of the weight in the mean PSNR.
  MILLRACE_FUNCTION std::uint64_t chroma_lambda() const { return mode_lambda * 2 / 3; }

  // Returns D + lambda * R of a squared error, and of bits in units of 1 / 1024, times 2^20.
  MILLRACE_FUNCTION std::uint64_t joint_cost(std::uint64_t squared_error,
                                             std::uint64_t rate) const {
    return (squared_error << 20) + mode_lambda * rate;
  }

  MILLRACE_FUNCTION SampleRows source_rows(int plane, int column, int row) const {
    return {source[plane] + view.offset(plane, column, row), view.stride(plane)};
  }

  // Returns the macroblocks around one that are of its slice.
  MILLRACE_FUNCTION Neighbours neighbours(int column, int row) const {
    return neighbours_of(macroblocks, view.columns, view.index(column, row));
  }
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_PICTURE_CODING_H_
