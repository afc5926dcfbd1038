// SPDX-License-Identifier: Apache-2.0

// Results of several machines as one.
#ifndef MILLRACE_TOOLS_REPORT_ANALYSIS_MERGED_RESULTS_H_
#define MILLRACE_TOOLS_REPORT_ANALYSIS_MERGED_RESULTS_H_

#include <millrace/tools/report/results/results.h>

#include <cstddef>
#include <string>
#include <vector>

namespace millrace::tools {

struct Machine {
  std::string label;  // No other has it: a second one of a name is "NAME (2)".
  std::string file;
  Results results;
};

struct MergedResults {
  std::vector<Machine> machines;
};

// Reads the files. Throws as read_results does, and kInvalidArgument where one is given twice.
MergedResults merge_results(const std::vector<std::string>& paths);

// A device of one of the machines.
struct Platform {
  std::size_t machine = 0;
  std::string device;

  bool operator==(const Platform&) const = default;
};

// "cuda:0", with its machine's label where there are several machines: "cuda:0 (lab)".
std::string name_of(const MergedResults& merged, const Platform& platform);

// Returns the name of what was timed: "persistent", "persistent, shared+texture", "CUB"; "Millrace"
// if the measurement names nothing else.
std::string contender_of(const Measurement& measurement);

// True if low_seconds to high_seconds covers the median with 95 % confidence. The interval of fewer
// than six runs does not: chance alone may make two of them disjoint.
bool has_interval(const Measurement& measurement);

struct Entry {
  Platform platform;
  const Measurement* measurement = nullptr;
};

// All that was measured of one workload on one input, on all machines, in the files' order.
struct Group {
  std::string workload;
  std::string input;
  std::vector<Entry> entries;

  std::string name() const { return input.empty() ? workload : workload + ", " + input; }
};

// By workload, in the order in which they come first. The entries point into `merged`.
std::vector<Group> groups_of(const MergedResults& merged);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_ANALYSIS_MERGED_RESULTS_H_
