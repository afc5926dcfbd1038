// SPDX-License-Identifier: Apache-2.0

// Findings of section IV.C of Lee, Lo, Chen, Chung and Chung on figures 9 to 11, tested on tables
// of their form.
#ifndef MILLRACE_TOOLS_REPRODUCE_THREE_STAR_THREE_STAR_FINDINGS_H_
#define MILLRACE_TOOLS_REPRODUCE_THREE_STAR_THREE_STAR_FINDINGS_H_

#include <millrace/tools/reproduce/tables/data_table.h>
#include <millrace/tools/reproduce/tables/finding.h>

#include <cstddef>
#include <vector>

namespace millrace::tools {

// Returns the finding on figure 9: the growth of 3-stars from the last number of points but one to
// the last.
std::vector<Finding> growth_findings(const DataTable& paper, const DataTable& here);

// Returns the findings on figure 10, at the largest number of points.
std::vector<Finding> sequential_findings(const DataTable& paper, const DataTable& here);

// Returns the findings on figure 11, which has `points` points here.
std::vector<Finding> technique_findings(const DataTable& paper, const DataTable& here,
                                        std::size_t points);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_THREE_STAR_THREE_STAR_FINDINGS_H_
