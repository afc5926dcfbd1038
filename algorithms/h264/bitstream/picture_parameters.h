// SPDX-License-Identifier: Apache-2.0

// Parses picture parameter sets (ITU-T H.264 clause 7.3.2.2).
#ifndef MILLRACE_ALGORITHMS_H264_BITSTREAM_PICTURE_PARAMETERS_H_
#define MILLRACE_ALGORITHMS_H264_BITSTREAM_PICTURE_PARAMETERS_H_

#include <millrace/algorithms/h264/bitstream/bit_reader.h>
#include <millrace/algorithms/h264/bitstream/scaling_matrix.h>
#include <millrace/algorithms/h264/bitstream/syntax_fault.h>
#include <millrace/algorithms/h264/parameter_sets.h>

namespace millrace::h264 {

// A set as it is coded. Its scaling lists depend on the sequence parameters, which may come later.
struct CodedPictureParameters {
  PictureParameters parameters;  // `scaling` is not filled in.
  ScalingMatrix matrix;
};

// Parses a set of a 4:2:0 sequence up to its trailing bits. `coded.parameters.id` is set for an
// unsupported set, too; it is -1 if the id could not be read.
SyntaxCheck parse_picture_parameters(BitReader& reader, CodedPictureParameters& coded);

// Returns the set with its scaling lists.
PictureParameters resolve(const CodedPictureParameters& coded, const SequenceParameters& sequence);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_BITSTREAM_PICTURE_PARAMETERS_H_
