// SPDX-License-Identifier: Apache-2.0

// The probe of several devices that work together.
#ifndef MILLRACE_TOOLS_BENCHMARKS_HARNESS_PROBES_GROUP_PROBE_H_
#define MILLRACE_TOOLS_BENCHMARKS_HARNESS_PROBES_GROUP_PROBE_H_

#include <millrace/tools/benchmarks/harness/probes/device_probe.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {

class GroupProbe : public DeviceProbe {
 public:
  // Takes one probe or more, each of sensors of its own.
  explicit GroupProbe(std::vector<std::unique_ptr<DeviceProbe>> members)
      : members_(std::move(members)) {}

  // Returns the lowest clock and the highest temperature that are known; throttled if one is.
  ConditionRecord conditions() override;

  // Returns the sum, or nothing if one member's is not known.
  std::optional<double> joules() override;

  // Returns the first that is known.
  std::string driver() override;

 private:
  const std::vector<std::unique_ptr<DeviceProbe>> members_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_HARNESS_PROBES_GROUP_PROBE_H_
