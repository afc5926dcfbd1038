// SPDX-License-Identifier: Apache-2.0

// The candidates of a motion search at whole samples.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_ENCODER_SEARCH_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_ENCODER_SEARCH_H_

#include <cstdint>

namespace millrace::h264 {

// kFull evaluates all vectors of a window for all 41 partitions, before the picture is encoded
// (motion_search.h). The others follow a pattern, for partitions of at least 8x8 samples, while the
// macroblock is decided.
enum class EncoderSearch : std::uint8_t { kFull, kHexagon, kDiamond };

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_ENCODER_SEARCH_H_
