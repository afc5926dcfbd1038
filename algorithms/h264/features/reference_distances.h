// SPDX-License-Identifier: Apache-2.0

// Distances from a picture to the pictures that it refers to.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_REFERENCE_DISTANCES_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_REFERENCE_DISTANCES_H_

#include <millrace/algorithms/h264/features/picture_sums.h>

#include <array>
#include <cstdint>

namespace millrace::h264 {

// Each 8x8 block of an inter macroblock, skipped and direct ones included, counts once for each
// list that it refers by.
struct ReferenceDistances {
  static constexpr int kDistances = kReferenceDistances;

  // References by distance in decoding order: element d - 1 counts distance d, 1 to 16; the last
  // one longer distances.
  std::array<std::int64_t, kDistances> counts = {};
  std::int64_t references = 0;        // All of them.
  std::int64_t missing = 0;           // References to pictures that are not there.
  double mean_decoding_distance = 0;  // Pictures of decoding order; 0 without references.
  double mean_output_distance = 0;    // Pictures of output order; 0 without references.
};

ReferenceDistances measure_references(const PictureSums& sums);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_REFERENCE_DISTANCES_H_
