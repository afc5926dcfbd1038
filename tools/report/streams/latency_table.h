// SPDX-License-Identifier: Apache-2.0

// Latencies of H.264 streams, which rates do not show.
#ifndef MILLRACE_TOOLS_REPORT_STREAMS_LATENCY_TABLE_H_
#define MILLRACE_TOOLS_REPORT_STREAMS_LATENCY_TABLE_H_

#include <millrace/tools/report/analysis/merged_results.h>
#include <millrace/tools/report/page/document.h>
#include <millrace/tools/report/sections/run_column.h>

#include <vector>

namespace millrace::tools {

// Returns a row for each measurement that has the value "worst ms", such as those of the workload
// `h264-latency`: the median of the time from the last bits of a picture to its features, with its
// interval, and the worst one, in milliseconds. Without rows where there are none.
Table latency_table(const MergedResults& merged, const std::vector<Group>& groups,
                    const RunColumn& run_column = {});

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_STREAMS_LATENCY_TABLE_H_
