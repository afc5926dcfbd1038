// SPDX-License-Identifier: Apache-2.0

// What a pipeline did.
#ifndef MILLRACE_RUNTIME_STREAM_PIPELINE_REPORT_H_
#define MILLRACE_RUNTIME_STREAM_PIPELINE_REPORT_H_

#include <cstdint>

namespace millrace {

struct PipelineReport {
  std::uint64_t chunks = 0;

  // Of inputs and of outputs. A device that shares the host's memory copies none of them.
  std::uint64_t bytes_up = 0;
  std::uint64_t bytes_down = 0;

  // Chunks that went over the link as a codec had made them; the others went raw.
  std::uint64_t coded_up = 0;
  std::uint64_t coded_down = 0;

  double seconds = 0;

  // How long each stage was at work. Their sum is larger than `seconds` where they overlapped.
  double produce_seconds = 0;
  double upload_seconds = 0;
  double compute_seconds = 0;
  double download_seconds = 0;
  double consume_seconds = 0;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_STREAM_PIPELINE_REPORT_H_
