// SPDX-License-Identifier: Apache-2.0

// Compared targets as people read them.
#ifndef MILLRACE_TOOLS_REPORT_TARGETS_TARGET_TABLE_H_
#define MILLRACE_TOOLS_REPORT_TARGETS_TARGET_TABLE_H_

#include <millrace/tools/report/page/document.h>
#include <millrace/tools/report/targets/judged_targets.h>

#include <string>

namespace millrace::tools {

// A row for each target at each configuration; no rows where nothing was compared.
Table target_table(const TargetSet& set, const JudgedTargets& judged);

// "10 met, 2 missed, 1 not known, 0 without a figure; 3 not measured (sort-keys, tasks-flat)", or
// that the targets are another machine's, with the names of the two.
std::string target_summary(const TargetSet& set, const JudgedTargets& judged,
                           const Results& results);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_TARGETS_TARGET_TABLE_H_
