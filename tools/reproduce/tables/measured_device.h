// SPDX-License-Identifier: Apache-2.0

// Finds the measurements of one device in results of `millrace bench`, for tables.
//
//   const MeasuredDevice measured(results, "cuda:0");
//   const auto seconds = measured.seconds({.workload = "sort-paper", .input = "uniform",
//                                          .size = 10'000, .strategy = "original"});
#ifndef MILLRACE_TOOLS_REPRODUCE_TABLES_MEASURED_DEVICE_H_
#define MILLRACE_TOOLS_REPRODUCE_TABLES_MEASURED_DEVICE_H_

#include <millrace/tools/report/results/results.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace millrace::tools {

// Names one contender on one configuration.
struct RunKey {
  std::string workload;
  std::string input;
  std::uint64_t size = 0;
  std::string strategy = {};
  std::string policy = {};
  std::string peer = {};  // Empty: Millrace itself.
};

class MeasuredDevice {
 public:
  // Takes the measurements of the device of that name. Throws kNotFound, with the names there are,
  // for another.
  MeasuredDevice(const Results& results, const std::string& device);

  const DeviceRecord& device() const { return device_; }

  // The inputs of a workload, in the order of their measurements.
  std::vector<std::string> inputs(const std::string& workload) const;

  // The sizes of which a workload has times, ascending.
  std::vector<std::uint64_t> sizes(const std::string& workload, const std::string& input) const;

  // Returns the median of times, the amount of work, and a figure besides time. Each is empty where
  // this was not measured, or without success.
  std::optional<double> seconds(const RunKey& key) const;
  std::optional<double> items(const RunKey& key) const;
  std::optional<double> value(const RunKey& key, const std::string& name) const;

  // Returns the messages of peers that were not measured on an input, each once.
  std::vector<std::string> why_peers_are_missing(const std::string& workload,
                                                 const std::string& input) const;

  // Returns the reason for which a workload has no time by a strategy; empty where it has one.
  std::string why_missing(const std::string& workload, const std::string& strategy) const;

 private:
  const Measurement* find(const RunKey& key) const;

  DeviceRecord device_;
  std::vector<Measurement> measurements_;
};

// Returns the device that tables are of where none is chosen: the first GPU that is not simulated,
// else the first device. Throws kInvalidArgument where there is none.
std::string device_to_show(const Results& results);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_TABLES_MEASURED_DEVICE_H_
