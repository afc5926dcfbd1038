// SPDX-License-Identifier: Apache-2.0

// Options of the choice of QPs.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_RATE_RATE_OPTIONS_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_RATE_RATE_OPTIONS_H_

#include <cstdint>

namespace millrace::h264 {

// Ways to choose the QPs of pictures; GroupRate defines them. kQp: all pictures have the same QP.
// kQuality: by content, for about equal quality. kBitrate: each group has the bits of its duration.
enum class EncoderRate : std::uint8_t { kQp, kQuality, kBitrate };

struct RateOptions {
  EncoderRate rate = EncoderRate::kQp;
  int qp = 28;                // 0 to 51, of kQp and kQuality.
  double bits_a_picture = 0;  // Above 0; kBitrate alone.
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_RATE_RATE_OPTIONS_H_
