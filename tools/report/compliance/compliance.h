// SPDX-License-Identifier: Apache-2.0

// The run rules that a file of results keeps or breaks; docs/guide/run_rules.md documents them.
#ifndef MILLRACE_TOOLS_REPORT_COMPLIANCE_COMPLIANCE_H_
#define MILLRACE_TOOLS_REPORT_COMPLIANCE_COMPLIANCE_H_

#include <millrace/tools/report/results/results.h>

#include <ostream>
#include <string>
#include <vector>

namespace millrace::tools {

struct Compliance {
  std::vector<std::string> violations;  // Each names what breaks a rule.
  std::vector<std::string> notes;  // Facts that are not known, or must be disclosed beside figures.
  bool is_peak = false;            // Checked by peak rules; false: by base rules.

  bool is_compliant() const { return violations.empty(); }
};

Compliance compliance_of(const Results& results);

// Writes a line for the file and one for each violation and note.
void print_compliance(std::ostream& out, const std::string& file, const Compliance& compliance);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_COMPLIANCE_COMPLIANCE_H_
