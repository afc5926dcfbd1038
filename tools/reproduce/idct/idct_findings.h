// SPDX-License-Identifier: Apache-2.0

// Findings of section IV.B of Chen, Wang, Zhuang and Liu on figure 5, tested on tables of its form.
#ifndef MILLRACE_TOOLS_REPRODUCE_IDCT_IDCT_FINDINGS_H_
#define MILLRACE_TOOLS_REPRODUCE_IDCT_IDCT_FINDINGS_H_

#include <millrace/tools/reproduce/tables/data_table.h>
#include <millrace/tools/reproduce/tables/finding.h>

#include <string>
#include <vector>

namespace millrace::tools {

// Returns the findings on figures 5(a) and 5(b), at the largest size. `limit` says why there are no
// figures here.
std::vector<Finding> access_findings(const DataTable& paper, const DataTable& here,
                                     const std::string& limit);

// Returns the findings on figure 5(c): the sizes at which the algorithms cross, and those at which
// the policies of the same names do.
std::vector<Finding> algorithm_findings(const DataTable& here, const std::string& limit);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_IDCT_IDCT_FINDINGS_H_
