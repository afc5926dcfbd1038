// SPDX-License-Identifier: Apache-2.0

// The measurement of one contender on one configuration: its times, figures and conditions.
#ifndef MILLRACE_TOOLS_REPORT_RESULTS_MEASUREMENT_H_
#define MILLRACE_TOOLS_REPORT_RESULTS_MEASUREMENT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace millrace::tools {

// The state of a device. Values that cannot be read are empty.
struct ConditionRecord {
  std::optional<double> clock_hz;
  std::optional<double> temperature_c;
  std::optional<bool> is_throttled;
};

enum class MeasurementStatus { kOk, kWrong, kUnsupported, kFailed };

// One contender on one configuration. Those with equal workload, input and size were timed in
// turns, round by round.
struct Measurement {
  std::string workload;    // "idct", "tasks-tree", "sort-pairs", "three-star-count", ...
  std::string input;       // "uniform", "clustered", a file's base name, ...
  std::string input_hash;  // Of the input's bytes, "xxh64:..." or "fnv1a64:...".
  std::uint64_t size = 0;  // Size of the input, in the workload's items.
  std::string device;      // See DeviceRecord.
  std::string policy;      // "persistent", ..., "auto"; empty where none is chosen.
  std::string strategy;    // "shared+texture", "streamed", ...; empty where there is one.
  std::string peer;        // "CUB", "tbb::parallel_sort", ...; empty: Millrace itself.
  MeasurementStatus status = MeasurementStatus::kOk;
  std::string message;  // Why it is not kOk.
  // The result was compared with what is right, before it was timed.
  std::optional<bool> is_checked;
  std::vector<double> seconds;  // Duration of each timed run, in order; empty unless kOk.
  double median_seconds = 0;
  double low_seconds = 0;  // The median's confidence interval at 95 %.
  double high_seconds = 0;
  double items = 0;                      // A run does; what an item is follows from the workload.
  std::string item_name;                 // "macroblocks", "tasks", "keys", "triples", "frames", ...
  double bytes = 0;                      // A run has to move; 0 where that is not known.
  double operations = 0;                 // Arithmetic that a run does; 0 where not declared.
  std::string operation_limit;           // The LimitRecord that bounds them; empty: none.
  std::string limit;                     // The LimitRecord that bounds it; empty: none.
  std::optional<double> limit_fraction;  // Fraction of the limit that was reached.
  std::optional<double> joules;          // Energy of a run, from the vendor's counter.
  std::map<std::string, double> values;  // Figures besides time, such as "bits per item".
  ConditionRecord before, after;
  std::string trace;  // A Chrome trace of one run beside the file; empty: none.
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_RESULTS_MEASUREMENT_H_
