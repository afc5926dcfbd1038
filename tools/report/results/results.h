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

#include <millrace/tools/report/results/measurement.h>

#include <cstdint>
#include <map>
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
