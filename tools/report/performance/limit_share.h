// SPDX-License-Identifier: Apache-2.0

// Shares of limits, and what a share above 100 % means.
#ifndef MILLRACE_TOOLS_REPORT_PERFORMANCE_LIMIT_SHARE_H_
#define MILLRACE_TOOLS_REPORT_PERFORMANCE_LIMIT_SHARE_H_

#include <millrace/tools/report/results/results.h>

#include <optional>
#include <set>
#include <string>

namespace millrace::tools {

struct LimitShare {
  std::string limit;  // A name of LimitRecord.
  double fraction = 0;
  bool is_of_bytes = false;  // The limit is a rate of memory or of a link.
};

// Returns the share that `measurement` of `run` reached. Small arrays are compared with the faster
// of the small and the large copy of the run. Empty if no limit is known.
std::optional<LimitShare> limit_share(const Measurement& measurement, const Results& run);

// Returns the limit in plain words: "a large copy" for "copy".
std::string limit_text(const std::string& limit);

// "92.5 % of a large copy"
std::string share_text(const LimitShare& share);

// Collects the limits that shares of a table or figure exceed.
class ExceededLimits {
 public:
  void add(const LimitShare& share);

  // Returns why a share is above 100 %, for each of the limits. Empty if no share is.
  std::string text() const;

 private:
  std::set<std::string> limits_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_PERFORMANCE_LIMIT_SHARE_H_
