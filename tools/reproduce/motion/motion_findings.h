// SPDX-License-Identifier: Apache-2.0

// Findings of section 4.3 of Rodriguez-Sanchez, Martinez, Fernandez-Escribano, Sanchez and Claver
// on tables 2 to 10, tested on the mean rows of tables of their form.
#ifndef MILLRACE_TOOLS_REPRODUCE_MOTION_MOTION_FINDINGS_H_
#define MILLRACE_TOOLS_REPRODUCE_MOTION_MOTION_FINDINGS_H_

#include <millrace/tools/reproduce/tables/data_table.h>
#include <millrace/tools/reproduce/tables/finding.h>

#include <string>
#include <vector>

namespace millrace::tools {

// Returns the findings on tables 2 to 4, by the bit rates of encodes here, or else by costs J.
// `limit` says why the costs here do not test them; it is empty if they do.
std::vector<Finding> quality_findings(const DataTable& paper, const DataTable& here,
                                      const std::string& limit);

// Returns the findings on tables 5 to 10. `whole` is the table of all of motion estimation if
// `here` is that of its parallel part, else null.
std::vector<Finding> speed_findings(const DataTable& paper, const DataTable& here,
                                    const DataTable* whole);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_MOTION_MOTION_FINDINGS_H_
