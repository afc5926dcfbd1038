// SPDX-License-Identifier: Apache-2.0

// Rooflines: how near work comes to what a device's memory and arithmetic allow (S. Williams,
// A. Waterman and D. Patterson, "Roofline: an insightful visual performance model for multicore
// architectures", CACM 52(4), 2009).
#ifndef MILLRACE_TOOLS_REPORT_EFFICIENCY_ROOFLINE_H_
#define MILLRACE_TOOLS_REPORT_EFFICIENCY_ROOFLINE_H_

#include <millrace/tools/report/analysis/merged_results.h>

#include <optional>
#include <string>
#include <vector>

namespace millrace::tools {

// Work on a device by the bytes and operations that its workload declares.
struct RooflinePoint {
  std::string name;  // "idct, mixed"
  Platform platform;
  const Measurement* measurement = nullptr;
  double item_bytes = 0;                    // 0: not declared.
  double item_operations = 0;               // 0: not declared, or there are none.
  double intensity = 0;                     // Operations a byte; 0 where one of them is 0.
  double operation_rate = 0;                // Operations a second.
  double byte_rate = 0;                     // Bytes a second.
  const LimitRecord* bandwidth = nullptr;   // Limit of the bytes; null: not measured.
  const LimitRecord* arithmetic = nullptr;  // Limit of the operations; null: not known.

  // The most that the limits allow to the intensity, in operations a second, or in bytes a second
  // without operations.
  std::optional<double> roof = {};
  std::optional<double> fraction = {};  // Fraction of the roof that was reached.
};

// Returns a point for each group and device: Millrace's best at the largest size, where bytes or
// operations are declared. Bytes are bounded by the measurement's own limit, or, where it has none,
// by copies in the device's memory; operations by the limit that the measurement names. Points into
// `merged` and the groups' measurements.
std::vector<RooflinePoint> roofline_of(const MergedResults& merged,
                                       const std::vector<Group>& groups);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_EFFICIENCY_ROOFLINE_H_
