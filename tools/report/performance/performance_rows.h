// SPDX-License-Identifier: Apache-2.0

// Rows of the results on a performance page.
#ifndef MILLRACE_TOOLS_REPORT_PERFORMANCE_PERFORMANCE_ROWS_H_
#define MILLRACE_TOOLS_REPORT_PERFORMANCE_PERFORMANCE_ROWS_H_

#include <millrace/tools/report/analysis/curve.h>
#include <millrace/tools/report/analysis/merged_results.h>

#include <string>
#include <vector>

namespace millrace::tools {

// The fastest of Millrace's own contenders that do the same work on a device, at the largest size,
// and the best peer there.
struct PerformanceRow {
  Platform platform;
  std::string strategy;  // Not empty: the row is of this one alone, of Millrace and of peers.
  bool is_slowest_input = false;
  const Measurement* best = nullptr;
  const Measurement* peer = nullptr;  // Null: none was measured.
};

// Contenders on a device, by the work they do: those under a strategy that a peer has, or that does
// less than the peers, are separate from others.
struct Contest {
  std::string strategy;
  std::vector<Curve> curves;  // Curves of Millrace and of peers.
};

std::vector<Contest> contests_of(const Group& group, const Platform& platform);

// Returns true for workloads of the algorithms, of task queues and of copies.
bool is_on_page(const std::string& workload);

// Rows of the first input of each workload, each followed by the input on which Millrace is slowest
// if that is another one. `groups` are of one machine; the rows point into their measurements.
std::vector<PerformanceRow> performance_rows(const std::vector<Group>& groups);

// The rate of the best over that of the peer, with the interval that theirs allow.
Rate ratio_to_peer(const PerformanceRow& row);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_PERFORMANCE_PERFORMANCE_ROWS_H_
