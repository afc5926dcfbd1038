// SPDX-License-Identifier: Apache-2.0

// Counts the streams of a run of `millrace features` by how they ended, and their frames and bytes.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_STREAM_TOTALS_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_STREAM_TOTALS_H_

#include <cstdint>

namespace millrace::tools {

struct StreamTotals {
  std::int64_t streams = 0;  // Streams that ended well.
  std::int64_t failed = 0;
  std::int64_t passed_over = 0;  // Files of folders that are no video.
  std::int64_t done_before = 0;
  std::int64_t frames = 0;
  std::int64_t faults = 0;  // StreamEnd::faults
  std::int64_t macroblocks = 0;
  std::int64_t bytes = 0;
  // Macroblocks that devices have parsed, and bytes that went over their links.
  std::int64_t device_macroblocks = 0;
  std::int64_t uploaded_bytes = 0;
  std::int64_t downloaded_bytes = 0;

  StreamTotals& operator+=(const StreamTotals& other);
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_STREAM_TOTALS_H_
