// SPDX-License-Identifier: Apache-2.0

// The readings of a device's sensors: its clock, its temperature, and the energy it has used.
#ifndef MILLRACE_TOOLS_BENCHMARKS_HARNESS_PROBES_DEVICE_PROBE_H_
#define MILLRACE_TOOLS_BENCHMARKS_HARNESS_PROBES_DEVICE_PROBE_H_

#include <millrace/runtime/core/device.h>
#include <millrace/tools/report/results/results.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace millrace::tools {

// Used by one thread at a time. What cannot be read here is left out.
class DeviceProbe {
 public:
  virtual ~DeviceProbe() = default;

  // As they are now; a CPU is throttled if it was since the last call.
  virtual ConditionRecord conditions() = 0;

  // Used since some moment before, by the whole device; does not go back.
  virtual std::optional<double> joules() = 0;

  // The driver's version; empty where there is none, or it is not known.
  virtual std::string driver() = 0;
};

// Makes the probe of a device. It reads the system's files for CPUs and simulated GPUs, and the
// vendor's management library for others, where it is installed. Never null.
std::unique_ptr<DeviceProbe> probe_of(const DeviceInfo& device);

// Makes the probe of several devices that work together: the lowest clock, the highest temperature,
// and the sum of their energy where all have a counter. CPUs and simulated GPUs, which have the
// same sensors, count once.
std::unique_ptr<DeviceProbe> probe_of(const std::vector<DeviceInfo>& devices);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_HARNESS_PROBES_DEVICE_PROBE_H_
