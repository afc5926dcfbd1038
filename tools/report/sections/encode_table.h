// SPDX-License-Identifier: Apache-2.0

// Bit rate and quality of encodes, which rates alone do not show.
#ifndef MILLRACE_TOOLS_REPORT_SECTIONS_ENCODE_TABLE_H_
#define MILLRACE_TOOLS_REPORT_SECTIONS_ENCODE_TABLE_H_

#include <millrace/tools/report/analysis/merged_results.h>
#include <millrace/tools/report/page/document.h>
#include <millrace/tools/report/sections/run_column.h>

namespace millrace::tools {

// Returns a row for each encoder of the workload `rd` on each device: pictures a second, bit rate
// and PSNR at one QP, and the Bjontegaard delta rate to the first encoder. Peers stand below
// Millrace's own. Without rows where the group has no encodes.
Table encode_table(const MergedResults& merged, const Group& group,
                   const RunColumn& run_column = {});

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_SECTIONS_ENCODE_TABLE_H_
