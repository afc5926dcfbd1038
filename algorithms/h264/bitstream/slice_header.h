// SPDX-License-Identifier: Apache-2.0

// Parses slice headers (ITU-T H.264 clause 7.3.3) and finds the first slice of a picture (clause
// 7.4.1.2.4).
#ifndef MILLRACE_ALGORITHMS_H264_BITSTREAM_SLICE_HEADER_H_
#define MILLRACE_ALGORITHMS_H264_BITSTREAM_SLICE_HEADER_H_

#include <millrace/algorithms/h264/bitstream/bit_reader.h>
#include <millrace/algorithms/h264/bitstream/syntax_fault.h>
#include <millrace/algorithms/h264/parameter_sets.h>
#include <millrace/algorithms/h264/slice.h>

namespace millrace::h264 {

// Returns the id of the picture parameters that the slice's header names, without consuming it; -1
// if it cannot be read.
int picture_parameters_of_slice(BitReader reader);

// Parses a header up to slice_data(). `nal_unit_type` is 1 or 5. Operands of list and marking
// operations are as they are coded.
SyntaxCheck parse_slice_header(BitReader& reader, int nal_reference, int nal_unit_type,
                               const SequenceParameters& sequence, const PictureParameters& picture,
                               SliceHeader& header);

// Returns true if `next`, which follows `previous`, is the first slice of another picture.
bool begins_picture(const SliceHeader& previous, const SliceHeader& next);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_BITSTREAM_SLICE_HEADER_H_
