// SPDX-License-Identifier: Apache-2.0

// A picture as its slices code it, before any sample is reconstructed.
#ifndef MILLRACE_ALGORITHMS_H264_PARSED_PICTURE_H_
#define MILLRACE_ALGORITHMS_H264_PARSED_PICTURE_H_

#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/parameter_sets.h>
#include <millrace/algorithms/h264/picture_coefficients.h>
#include <millrace/algorithms/h264/slice.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace millrace::h264 {

struct ParsedPicture {
  std::int64_t id = 0;  // Counts the pictures of a stream in decoding order, frame number gaps
                        // included.
  std::shared_ptr<const SequenceParameters> sequence;
  std::vector<std::shared_ptr<const PictureParameters>> picture_parameters;  // Indexed by slice.
  std::vector<Slice> slices;
  std::vector<Macroblock> macroblocks;  // Stored in raster order.
  PictureCoefficients coefficients;     // Indexed by macroblock; empty where not requested.
  int picture_order = 0;                // PicOrderCnt, of this coded video sequence.
  int frame_number = 0;
  bool is_idr = false;
  bool is_reference = false;
  bool is_inferred = false;  // Stands for a gap in frame_num (clause 8.2.5.2); has no slices.
  bool has_recovery_point = false;  // An SEI message says so.
  std::uint32_t bytes = 0;          // The access unit's: parameter sets, SEI and slices.
  int lost_macroblocks = 0;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_PARSED_PICTURE_H_
