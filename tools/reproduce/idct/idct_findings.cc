// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/reproduce/idct/idct_findings.h>
#include <millrace/tools/reproduce/tables/table_charts.h>

namespace millrace::tools {
std::vector<Finding> access_findings(const DataTable& paper, const DataTable& here,
                                     const std::string& limit) {
  std::vector<Finding> findings;
  for (const std::string slower : {"SM", "GM"}) {
    const std::string column = "SM+Tex to " + slower;
    const std::string largest = here.last_with({column});
    findings.push_back(speed_up_finding({.claim = "SM+Tex outperforms " + slower,
                                         .faster = "SM+Tex",
                                         .slower = slower,
                                         .where = "for " + largest + " macroblocks",
                                         .paper = paper.at("stated", column),
                                         .why_untested = limit},
                                        here.at(largest, column)));
  }
  return findings;
}

std::vector<Finding> algorithm_findings(const DataTable& here, const std::string& limit) {
  const auto compare = [&](const std::string& of, const std::string& prefix) {
    return crossover_finding(
        {.claim = "Of the " + of +
                  ", uberkernel is the faster one for medium-sized tasks and persistent for large "
                  "ones",
         .small = "uberkernel",
         .large = "persistent",
         .paper = "the algorithms cross at 25000 macroblocks",
         .why_untested = limit},
        series_of(here, prefix + "uberkernel"), series_of(here, prefix + "persistent"));
  };
  return {compare("paper's algorithms", ""), compare("policies here", "policy ")};
}

}  // namespace millrace::tools
