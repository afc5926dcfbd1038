// SPDX-License-Identifier: Apache-2.0

// Findings of section IV.B of Lee, Lo, Chen, Chung and Chung on figures 3 and 4 and tables I to
// III, tested on tables of their form. `limit` says why there are no figures here.
#ifndef MILLRACE_TOOLS_REPRODUCE_SORT_SORT_FINDINGS_H_
#define MILLRACE_TOOLS_REPRODUCE_SORT_SORT_FINDINGS_H_

#include <millrace/tools/reproduce/tables/data_table.h>
#include <millrace/tools/reproduce/tables/finding.h>

#include <cstddef>
#include <string>
#include <vector>

namespace millrace::tools {

// Returns the findings on figure 3: the count at which the time per key levels off, and whether
// copies take longer than sorting.
std::vector<Finding> sort_time_findings(const DataTable& paper, const DataTable& here,
                                        const std::string& limit);

// Returns the findings on figure 4.
std::vector<Finding> sort_fraction_findings(const DataTable& paper, const DataTable& here,
                                            const std::string& limit);

// Returns the findings on table I.
std::vector<Finding> streaming_findings(const DataTable& paper, const DataTable& here,
                                        const std::string& limit);

// Returns the findings on tables II and III, which are profiles of `count` keys here.
std::vector<Finding> sort_profile_findings(const DataTable& paper, const DataTable& here,
                                           std::size_t count, const std::string& limit);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_SORT_SORT_FINDINGS_H_
