// SPDX-License-Identifier: Apache-2.0

// The sections of a report.
#ifndef MILLRACE_TOOLS_REPORT_SECTIONS_SECTIONS_H_
#define MILLRACE_TOOLS_REPORT_SECTIONS_SECTIONS_H_

#include <millrace/tools/report/analysis/baseline.h>
#include <millrace/tools/report/analysis/merged_results.h>
#include <millrace/tools/report/page/document.h>
#include <millrace/tools/report/sections/run_column.h>
#include <millrace/tools/report/targets/targets.h>

#include <vector>

namespace millrace::tools {

// Pictures of all: fractions of limits, rates over sizes, and the cascade of performance
// portability. Empty if there is none.
Section overview_section(const MergedResults& merged, const std::vector<Group>& groups);

// The best of Millrace on each device in each group, at the largest size.
Section summary_section(const MergedResults& merged, const std::vector<Group>& groups);

// Figures and crossovers of groups of one workload.
Section workload_section(const MergedResults& merged, const std::vector<Group>& groups,
                         const Baseline& baseline);

// Efficiencies and performance portability of each problem with two platforms or more. Empty if
// there is none.
Section portability_section(const MergedResults& merged, const std::vector<Group>& groups);

// Rooflines of devices, and what work reached of them. Empty if no bytes and operations are
// declared.
Section roofline_section(const MergedResults& merged, const std::vector<Group>& groups);

// METG(50 %) of each pattern, device and contender. Empty if none was measured.
Section metg_section(const MergedResults& merged, const std::vector<Group>& groups,
                     const RunColumn& run_column = {});

// Energy of items where counters gave it, and the devices on which they did not.
Section energy_section(const MergedResults& merged, const std::vector<Group>& groups);

// Times under `auto` beside those of the best fixed policy: by device, and each. Empty where `auto`
// ran beside none.
Section auto_section(const MergedResults& merged, const std::vector<Group>& groups);

// Timelines of the runs that have one beside their file. Each workload and device shows the run
// with the largest input. Throws as read_trace_lanes does.
Section timeline_section(const MergedResults& merged, const std::vector<Group>& groups);

// The targets of each set on each of its machines. Empty if there are no sets.
Section target_section(const MergedResults& merged, const std::vector<TargetSet>& sets);

// Measurements that were wrong, failed or are not supported.
Section problem_section(const MergedResults& merged, const std::vector<Group>& groups);

// Machines, builds, devices, their limits, and their state while they were measured.
Section machine_section(const MergedResults& merged);

// Explains how the figures were measured and computed.
Section method_section();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_SECTIONS_SECTIONS_H_
