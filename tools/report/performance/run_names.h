// SPDX-License-Identifier: Apache-2.0

// The short names, "[2]", of the runs that a performance page shows figures of.
#ifndef MILLRACE_TOOLS_REPORT_PERFORMANCE_RUN_NAMES_H_
#define MILLRACE_TOOLS_REPORT_PERFORMANCE_RUN_NAMES_H_

#include <millrace/tools/report/page/document.h>
#include <millrace/tools/report/results/results.h>

#include <string>
#include <vector>

namespace millrace::tools {

class RunNames {
 public:
  // Returns "[2]" for the run that is named second. `run` must outlive this object.
  std::string name_of(const Results& run);

  // A row for each run that was named: machine, date, commit, compiler, driver and command.
  Table table() const;

 private:
  std::vector<const Results*> runs_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_PERFORMANCE_RUN_NAMES_H_
