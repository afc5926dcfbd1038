// SPDX-License-Identifier: Apache-2.0

// The report of a pipeline's run as figures of a measurement.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_PIPELINE_VALUES_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_PIPELINE_VALUES_H_

#include <millrace/runtime/stream/pipeline_report.h>

#include <map>
#include <string>

namespace millrace::tools {

// Returns the bytes each of `items` sends over the link, the fraction of chunks that crossed it
// coded, and the fraction of the run that each stage worked. `items` and the report's chunks and
// seconds are not 0.
inline std::map<std::string, double> pipeline_values(const PipelineReport& report, double items) {
  const auto each = [&](std::uint64_t bytes) { return static_cast<double>(bytes) / items; };
  const auto busy = [&](double seconds) { return seconds / report.seconds; };
  return {
      {"bytes up each", each(report.bytes_up)},
      {"bytes down each", each(report.bytes_down)},
      {"coded chunks", static_cast<double>(report.coded_up) / static_cast<double>(report.chunks)},
      {"producing", busy(report.produce_seconds)},
      {"uploading", busy(report.upload_seconds)},
      {"computing", busy(report.compute_seconds)},
      {"downloading", busy(report.download_seconds)}};
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_PIPELINE_VALUES_H_
