// SPDX-License-Identifier: Apache-2.0

// What section IV.B of Chen, Wang, Zhuang and Liu finds in figure 5, tested on tables of its form.
#ifndef MILLRACE_TOOLS_REPRODUCE_IDCT_IDCT_FINDINGS_H_
#define MILLRACE_TOOLS_REPRODUCE_IDCT_IDCT_FINDINGS_H_

#include <string>
#include <vector>

#include <millrace/tools/reproduce/tables/data_table.h>
#include <millrace/tools/reproduce/tables/finding.h>

namespace millrace::tools {

// Of figures 5(a) and 5(b), at the largest size. `limit` says why there are no figures here.
std::vector<Finding> access_findings(const DataTable& paper, const DataTable& here,
                                     const std::string& limit);

// Of figure 5(c): where the algorithms cross, and the policies of the same names.
std::vector<Finding> algorithm_findings(const DataTable& here, const std::string& limit);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_IDCT_IDCT_FINDINGS_H_
