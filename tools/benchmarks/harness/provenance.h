// SPDX-License-Identifier: Apache-2.0

// The provenance of figures for files of results: the machine, the build and its devices.
#ifndef MILLRACE_TOOLS_BENCHMARKS_HARNESS_PROVENANCE_H_
#define MILLRACE_TOOLS_BENCHMARKS_HARNESS_PROVENANCE_H_

#include <millrace/runtime/core/device.h>
#include <millrace/tools/report/results/results.h>

#include <filesystem>
#include <string>
#include <vector>

namespace millrace::tools {

// This machine, without its name; `label` may be empty. `root` has the folders proc and etc.
MachineRecord machine_record(const std::string& label, const std::filesystem::path& root = "/");

BuildRecord build_record();

DeviceRecord device_record(const DeviceInfo& device, const std::string& driver);

// Returns the record of a group of these devices: their names, separated by commas, and sums.
DeviceRecord group_record(const std::vector<DeviceRecord>& members);

// The processor and the devices with memory of their own, for a machine without a label.
std::string machine_label(const MachineRecord& machine, const std::vector<DeviceRecord>& devices);

// Now, as ISO 8601 in UTC.
std::string utc_time();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_HARNESS_PROVENANCE_H_
