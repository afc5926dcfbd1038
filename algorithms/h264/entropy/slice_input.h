// SPDX-License-Identifier: Apache-2.0

// Checks a slice before it is parsed, and gathers what its parser reads.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_SLICE_INPUT_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_SLICE_INPUT_H_

#include <millrace/algorithms/h264/entropy/coded_slice.h>
#include <millrace/algorithms/h264/entropy/level_scales.h>
#include <millrace/algorithms/h264/entropy/scan_order.h>
#include <millrace/algorithms/h264/entropy/slice_parameters.h>
#include <millrace/algorithms/h264/parsed_picture.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::h264 {

inline constexpr ScanOffsets kScanOffsets = scan_offsets();

// Makes slice inputs, whose memory it owns until the next one is made.
class SliceInputMaker {
 public:
  // Returns slice `slice` of `picture` with pointers to memory of the host: to the picture's
  // macroblocks, to this maker's memory, and to no coefficients. `damage` says why it cannot be
  // parsed, or is null; it lives forever.
  struct Input {
    CodedSlice slice;
    const char* damage = nullptr;
  };
  Input make(ParsedPicture& picture, int slice, std::span<const std::uint8_t> payload,
             std::size_t first_bit);

 private:
  const LevelScales* scales_of(const ScalingLists& lists);
  void set_direct(const ParsedPicture& picture, const Slice& slice, SliceParameters& parameters);

  std::vector<CodedEdge> edges_;
  std::vector<ColocatedReferences> colocated_references_;
  ScalingLists lists_ = {};  // That scales_ are made from; the standard has no weight of 0.
  LevelScales scales_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_SLICE_INPUT_H_
