// SPDX-License-Identifier: Apache-2.0

// Checks a slice's numbers before it is parsed, and gathers what its parser reads.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_SLICE_INPUT_MAKER_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_SLICE_INPUT_MAKER_H_

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

// Damage of a slice whose picture has no memory for its macroblocks.
inline constexpr const char* kNoMacroblocks = "picture without memory for its macroblocks";

inline constexpr ScanOffsets kScanOffsets = scan_offsets();

// Makes the inputs of a slice parser. One thread at a time may use it.
class SliceInputMaker {
 public:
  struct Input {
    CodedSlice slice;
    const char* damage = nullptr;              // Why it cannot be parsed, a literal; null: it can.
    const ParsedPicture* colocated = nullptr;  // Picture that direct prediction reads, or null.
  };
  // Returns slice `slice` of `picture`. Its pointers are to host memory: to the payload, to the
  // picture's macroblocks, and to memory of this maker, which is valid until the next call.
  // Pointers to coefficients are null; the caller sets them. Pointers to macroblocks are null if
  // the pictures have none.
  Input make(ParsedPicture& picture, int slice, std::span<const std::uint8_t> payload,
             std::size_t first_bit);

 private:
  const LevelScales* scales_of(const ScalingLists& lists);
  void set_direct(const ParsedPicture& picture, const Slice& slice, Input& input);

  std::vector<CodedEdge> edges_;
  std::vector<ColocatedReferences> colocated_references_;
  ScalingLists lists_ = {};  // Source of scales_; all 0 before the first, as no weight is 0.
  LevelScales scales_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_SLICE_INPUT_MAKER_H_
