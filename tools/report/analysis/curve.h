// SPDX-License-Identifier: Apache-2.0

// The results of a contender over the sizes of its input.
#ifndef MILLRACE_TOOLS_REPORT_ANALYSIS_CURVE_H_
#define MILLRACE_TOOLS_REPORT_ANALYSIS_CURVE_H_

#include <millrace/tools/report/analysis/merged_results.h>

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tools {

// `low` and `high` are the ends of its interval at 95 %.
struct Rate {
  double value = 0;
  double low = 0;
  double high = 0;
};

struct Curve {
  Platform platform;
  std::string contender;
  std::vector<const Measurement*> points;  // Sorted by ascending size; their status is ok.

  // Null where that size was not measured.
  const Measurement* at(std::uint64_t size) const;
};

// Returns the curves of a group's entries on one device, in the order in which contenders first
// appear.
std::vector<Curve> curves_of(const Group& group, const Platform& platform);

// Returns the devices on which something of the group, or of the groups, was timed.
std::vector<Platform> platforms_of(const Group& group);
std::vector<Platform> platforms_of(const std::vector<Group>& groups);

// At each size the fastest of Millrace's own among curves of one device, which may have none.
Curve best_of(const std::vector<Curve>& curves);

// At each size the fastest of the peers among curves of one device, which may have none.
Curve best_peer_of(const std::vector<Curve>& curves);

// Returns the unit that rates count: "keys", or "B" or "runs" if items are not known.
std::string item_of(const Measurement& measurement);

// Returns the measurement's value of that name; 0 if it has none.
double value_of(const Measurement& measurement, const char* name);

Rate rate_of(const Measurement& measurement);

// "keys/s"
std::string rate_unit(const Measurement& measurement);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_ANALYSIS_CURVE_H_
