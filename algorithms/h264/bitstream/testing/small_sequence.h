// SPDX-License-Identifier: Apache-2.0

// Parameters of a small sequence, for tests.
#ifndef MILLRACE_ALGORITHMS_H264_BITSTREAM_TESTING_SMALL_SEQUENCE_H_
#define MILLRACE_ALGORITHMS_H264_BITSTREAM_TESTING_SMALL_SEQUENCE_H_

#include <millrace/algorithms/h264/parameter_sets.h>

namespace millrace::h264 {

// Returns parameters of a small baseline sequence: 2 x 2 macroblocks, four references.
inline SequenceParameters small_sequence() {
  SequenceParameters sequence;
  sequence.profile = 66;
  sequence.level = 30;
  sequence.max_reference_frames = 4;
  sequence.width_in_macroblocks = 2;
  sequence.height_in_macroblocks = 2;
  sequence.direct_8x8_inference = true;
  return sequence;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_BITSTREAM_TESTING_SMALL_SEQUENCE_H_
