// SPDX-License-Identifier: Apache-2.0

// What section IV.C of Lee, Lo, Chen, Chung and Chung finds in figures 9 to 11, tested on tables of
// their form.
#ifndef MILLRACE_TOOLS_REPRODUCE_THREE_STAR_THREE_STAR_FINDINGS_H_
#define MILLRACE_TOOLS_REPRODUCE_THREE_STAR_THREE_STAR_FINDINGS_H_

#include <cstddef>
#include <vector>

#include <millrace/tools/reproduce/tables/data_table.h>
#include <millrace/tools/reproduce/tables/finding.h>

namespace millrace::tools {

// Of figure 9: how 3-stars grow from the last number of points but one to the last.
std::vector<Finding> growth_findings(const DataTable& paper, const DataTable& here);

// Of figure 10, at the largest number of points.
std::vector<Finding> sequential_findings(const DataTable& paper, const DataTable& here);

// Of figure 11, which is of `points` here.
std::vector<Finding> technique_findings(const DataTable& paper, const DataTable& here,
                                        std::size_t points);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_THREE_STAR_THREE_STAR_FINDINGS_H_
