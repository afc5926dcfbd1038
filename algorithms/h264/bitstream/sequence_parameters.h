// SPDX-License-Identifier: Apache-2.0

// Parses sequence parameter sets (ITU-T H.264 clauses 7.3.2.1, E.1.1 and E.1.2).
#ifndef MILLRACE_ALGORITHMS_H264_BITSTREAM_SEQUENCE_PARAMETERS_H_
#define MILLRACE_ALGORITHMS_H264_BITSTREAM_SEQUENCE_PARAMETERS_H_

#include <millrace/algorithms/h264/bitstream/bit_reader.h>
#include <millrace/algorithms/h264/bitstream/syntax_fault.h>
#include <millrace/algorithms/h264/parameter_sets.h>

namespace millrace::h264 {

// Parses a set up to its trailing bits. `parameters.id` is set for an unsupported set, too; it is
// -1 if the id could not be read.
SyntaxCheck parse_sequence_parameters(BitReader& reader, SequenceParameters& parameters);

// Returns MaxDpbFrames of the set's level (clause A.3.1 item h, Table A-1), 1 to 16; 16 for a level
// that the standard does not have.
int max_decoded_frames_of_level(const SequenceParameters& parameters);

// Returns the capacity in frames of the decoded picture buffer: from VUI where it is coded, else
// that of the level (clause E.2.1, max_dec_frame_buffering); at least max_num_ref_frames.
int decoded_frame_capacity(const SequenceParameters& parameters);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_BITSTREAM_SEQUENCE_PARAMETERS_H_
