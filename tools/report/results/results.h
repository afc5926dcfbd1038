// SPDX-License-Identifier: Apache-2.0

// The benchmark results of one machine, which are stored as a JSON file. docs/guide/results_file.md
// documents it, and docs/benchmark_results.schema.json validates it.
//
//   Results results;
//   results.machine.label = "lab server 2";
//   results.measurements.push_back({.workload = "idct", .size = 1 << 20, .device = "tbb", ...});
//   write_results("server-2.json", results);
#ifndef MILLRACE_TOOLS_REPORT_RESULTS_RESULTS_H_
#define MILLRACE_TOOLS_REPORT_RESULTS_RESULTS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace millrace::tools {

// Raised when a reader of the version before could no longer make sense of a file; members that are
// added do not raise it. Readers reject newer versions and take all older ones.
inline constexpr int kResultsSchema = 1;

struct MachineRecord {
  std::string label;  // Name in reports: --label, or processor and devices.
  std::string cpu;
  int cores = 0;
  std::uint64_t memory_bytes = 0;
  std::string system;  // Distribution and kernel.
};

struct BuildRecord {
  std::string version;   // Millrace's.
  std::string commit;    // Empty where it is not known.
  std::string compiler;  // The host's, with its version.
  std::string flags;     // Flags of the host's compiler; those of the devices' beside it.
  std::map<std::string, std::string> toolkits;  // "cuda" -> "13.0", ...
};

struct DeviceRecord {
  std::string name;  // "cuda:0"; of a group "cuda:0,cuda:1".
  std::string backend;
  std::string description;
  std::string driver;  // Empty where it has none.
  int compute_units = 0;
  int warp_width = 1;
  std::uint64_t memory_bytes = 0;
  bool is_simulated = false;
  std::vector<std::string> members = {};  // Names of a group's devices; empty: one device.
  bool is_tuned = false;                  // `auto` used costs that `millrace tune` had stored.
};

// A file that was an input.
struct InputFileRecord {
  std::string name;  // Has no folder, as Measurement::input.
  std::uint64_t bytes = 0;
  std::string head_hash;  // Hash of its first MiB, as Measurement::input_hash.
};

// A rate or time that bounds others, measured in the same run.
struct LimitRecord {
  std::string device;
  std::string name;  // "copy", "upload", "download", "launch", "read", ...
  double value = 0;
  std::string unit;  // "B/s", "s" or "op/s"
};

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

struct Results {
  int schema = kResultsSchema;  // Schema of the file that was read; writing uses kResultsSchema.
  std::string started;          // ISO 8601, UTC.
  std::string command;          // Its words, paths shortened to their last name.
  bool is_complete = false;
  MachineRecord machine;
  BuildRecord build;
  std::vector<DeviceRecord> devices;
  std::vector<InputFileRecord> input_files;
  std::vector<LimitRecord> limits;
  std::vector<Measurement> measurements;
};

// Takes every schema up to kResultsSchema; members that it does not know are left aside. Throws
// kInvalidArgument with the file's name and the location of what is wrong in it, be it cut off,
// foreign, or of a newer schema; kIo where it cannot be read.
Results read_results(const std::string& path);

// Returns the text of a file of these results. Throws kInvalidArgument for a number that is not
// finite.
std::string results_text(const Results& results);

// Replaces the file in one step. Throws kIo, and kInvalidArgument for a number that is not finite.
void write_results(const std::string& path, const Results& results);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_RESULTS_RESULTS_H_
