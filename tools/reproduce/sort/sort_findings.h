// SPDX-License-Identifier: Apache-2.0

// What section IV.B of Lee, Lo, Chen, Chung and Chung finds in figures 3 and 4 and tables I to III,
// tested on tables of their form. `limit` says why there are no figures here.
#ifndef MILLRACE_TOOLS_REPRODUCE_SORT_SORT_FINDINGS_H_
#define MILLRACE_TOOLS_REPRODUCE_SORT_SORT_FINDINGS_H_

#include <cstddef>
#include <string>
#include <vector>

#include <millrace/tools/reproduce/tables/data_table.h>
#include <millrace/tools/reproduce/tables/finding.h>

namespace millrace::tools {

// Of figure 3: where the time a key levels off, and whether copies take longer than sorting.
std::vector<Finding> sort_time_findings(const DataTable& paper, const DataTable& here,
                                        const std::string& limit);

// Of figure 4.
std::vector<Finding> sort_share_findings(const DataTable& paper, const DataTable& here,
                                         const std::string& limit);

// Of table I.
std::vector<Finding> streaming_findings(const DataTable& paper, const DataTable& here,
                                        const std::string& limit);

// Of tables II and III, which are profiles of `count` keys here.
std::vector<Finding> sort_profile_findings(const DataTable& paper, const DataTable& here,
                                           std::size_t count, const std::string& limit);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_SORT_SORT_FINDINGS_H_
