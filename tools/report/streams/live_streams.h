// SPDX-License-Identifier: Apache-2.0

// Live H.264 streams that a device sustains, by profile and bit rate: each gives pictures at its
// own rate, and all of them are measured in time.
#ifndef MILLRACE_TOOLS_REPORT_STREAMS_LIVE_STREAMS_H_
#define MILLRACE_TOOLS_REPORT_STREAMS_LIVE_STREAMS_H_

#include <millrace/tools/report/analysis/curve.h>
#include <millrace/tools/report/analysis/merged_results.h>
#include <millrace/tools/report/page/document.h>
#include <millrace/tools/report/sections/run_column.h>

#include <vector>

namespace millrace::tools {

// Returns the number of live streams that a measurement of many streams sustains, such as one of
// the workload `h264-streams`, by its median time; zeros if it is none.
Rate live_streams_of(const Measurement& measurement);

// Returns a row for each input and device with what sustains most streams, and one for each peer:
// streams that were open at a time, live streams, their bits a second, and bytes over the link a
// macroblock. Without rows where the groups have no such measurements.
Table live_table(const MergedResults& merged, const std::vector<Group>& groups,
                 const RunColumn& run_column = {});

// Returns a figure for each device of a workload: live streams that are sustained over the number
// of streams at a time, whose slices are in flight together, with a line for each input. Bars if
// there is one number.
std::vector<Figure> live_figures(const MergedResults& merged, const std::vector<Group>& groups);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_STREAMS_LIVE_STREAMS_H_
