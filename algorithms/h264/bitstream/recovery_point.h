// SPDX-License-Identifier: Apache-2.0

// Finds the recovery point among SEI messages (ITU-T H.264 clauses 7.3.2.3 and D.1.8).
#ifndef MILLRACE_ALGORITHMS_H264_BITSTREAM_RECOVERY_POINT_H_
#define MILLRACE_ALGORITHMS_H264_BITSTREAM_RECOVERY_POINT_H_

#include <millrace/algorithms/h264/bitstream/syntax_fault.h>

#include <cstdint>
#include <optional>
#include <span>

namespace millrace::h264 {

struct RecoveryPoint {
  int frames = 0;  // recovery_frame_cnt: frames from here to the first correct output.
  bool is_exact = false;
  bool has_broken_link = false;
};

// Passes over all messages of an SEI payload, and sets `point` where one is a recovery point.
SyntaxCheck find_recovery_point(std::span<const std::uint8_t> payload,
                                std::optional<RecoveryPoint>& point);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_BITSTREAM_RECOVERY_POINT_H_
