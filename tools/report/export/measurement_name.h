// SPDX-License-Identifier: Apache-2.0

// A measurement's name of one word, for programs that find figures by name.
#ifndef MILLRACE_TOOLS_REPORT_EXPORT_MEASUREMENT_NAME_H_
#define MILLRACE_TOOLS_REPORT_EXPORT_MEASUREMENT_NAME_H_

#include <millrace/tools/report/analysis/merged_results.h>

#include <cstddef>
#include <string>

namespace millrace::tools {

// Returns "[MACHINE/]DEVICE/WORKLOAD/INPUT/SIZE/CONTENDER", with the machine where there are
// several. Spaces, control characters and '/' within a segment are '_', and an empty segment is
// "-".
std::string measurement_name(const MergedResults& merged, std::size_t machine,
                             const Measurement& measurement);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_EXPORT_MEASUREMENT_NAME_H_
