// SPDX-License-Identifier: Apache-2.0

// Parsing and decoding of H.264 streams on one core beside FFmpeg's decoder, by input.
#ifndef MILLRACE_TOOLS_REPORT_PERFORMANCE_STREAM_TABLE_H_
#define MILLRACE_TOOLS_REPORT_PERFORMANCE_STREAM_TABLE_H_

#include <millrace/tools/report/analysis/merged_results.h>
#include <millrace/tools/report/page/document.h>
#include <millrace/tools/report/sections/run_column.h>

#include <vector>

namespace millrace::tools {

// Returns a row for each input of the workload `h264`, at its largest size: bits a second that are
// parsed and that FFmpeg decodes, pictures a second that are decoded, both over FFmpeg's, and the
// live streams that a core sustains. `groups` are of one machine. Without rows where none of them
// is of that workload; a cell is empty where its figure was not measured.
Table stream_table(const std::vector<Group>& groups, const RunColumn& run_column = {});

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_PERFORMANCE_STREAM_TABLE_H_
