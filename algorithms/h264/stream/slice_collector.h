// SPDX-License-Identifier: Apache-2.0

// Slices whose headers are parsed and whose data somebody parses later.
#ifndef MILLRACE_ALGORITHMS_H264_STREAM_SLICE_COLLECTOR_H_
#define MILLRACE_ALGORITHMS_H264_STREAM_SLICE_COLLECTOR_H_

#include <millrace/algorithms/h264/parsed_picture.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::h264 {

// The bits of a slice, and where in its stream they are. Not owned.
struct SliceBits {
  std::span<const std::uint8_t> payload;              // Has no emulation prevention bytes.
  std::size_t first_bit = 0;                          // The first one of slice_data().
  std::span<const std::size_t> emulation_prevention;  // See NalPayload.
  std::int64_t nal_unit = 0;                          // See StreamFault.
  std::int64_t byte = 0;                              // The first one of the NAL unit.
};

// Takes slices in the order of the stream.
class SliceCollector {
 public:
  virtual ~SliceCollector() = default;
  // Takes slice `slice` of the current picture, whose header, reference lists and parameter sets
  // are filled in. `bits` are valid during the call.
  virtual void collect(ParsedPicture& picture, int slice, const SliceBits& bits) = 0;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_STREAM_SLICE_COLLECTOR_H_
