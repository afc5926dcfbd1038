// SPDX-License-Identifier: Apache-2.0

// Texts of the faults of slices that have been parsed.
#ifndef MILLRACE_ALGORITHMS_H264_STREAM_SLICE_FAULTS_H_
#define MILLRACE_ALGORITHMS_H264_STREAM_SLICE_FAULTS_H_

#include <millrace/algorithms/h264/entropy/slice_data.h>

#include <cstddef>
#include <string>

namespace millrace::h264 {

// Returns the text for slice `slice` of a picture. `end.damage` must not be null.
std::string text_of_damaged_slice(std::size_t slice, const SliceEnd& end);

// Returns the text for a picture without damaged slices of whose `macroblocks` `lost` are missing.
std::string text_of_lost_slices(int lost, int macroblocks);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_STREAM_SLICE_FAULTS_H_
