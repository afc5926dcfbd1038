// SPDX-License-Identifier: Apache-2.0

// The report of a pipeline's run.
#ifndef MILLRACE_RUNTIME_STREAM_PIPELINE_REPORT_H_
#define MILLRACE_RUNTIME_STREAM_PIPELINE_REPORT_H_

#include <cstdint>

namespace millrace {

struct PipelineReport {
  std::uint64_t chunks = 0;  // Number of chunks consumed.

  // Bytes of all inputs and outputs. A device that shares the host's memory copies none of them.
  std::uint64_t bytes_up = 0;
  std::uint64_t bytes_down = 0;

  // Number of chunks that crossed the link coded; the others crossed it raw.
  std::uint64_t coded_up = 0;
  std::uint64_t coded_down = 0;

  double seconds = 0;  // Duration of the run.

  // Time that each stage worked. The sum is larger than `seconds` if stages overlapped.
  double produce_seconds = 0;
  double upload_seconds = 0;
  double compute_seconds = 0;
  double download_seconds = 0;
  double consume_seconds = 0;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_STREAM_PIPELINE_REPORT_H_
