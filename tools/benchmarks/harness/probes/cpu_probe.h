// SPDX-License-Identifier: Apache-2.0

// The sensors of CPUs, from Linux's files.
#ifndef MILLRACE_TOOLS_BENCHMARKS_HARNESS_PROBES_CPU_PROBE_H_
#define MILLRACE_TOOLS_BENCHMARKS_HARNESS_PROBES_CPU_PROBE_H_

#include <millrace/tools/benchmarks/harness/probes/device_probe.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace millrace::tools {

// The clock is the mean of all cores', the temperature that of the warmest package, and energy the
// sum over packages, by RAPL, whose counters are often readable by root alone.
class CpuProbe : public DeviceProbe {
 public:
  // `root` has the folders sys and proc.
  explicit CpuProbe(const std::filesystem::path& root = "/");

  ConditionRecord conditions() override;
  std::optional<double> joules() override;
  std::string driver() override { return ""; }

 private:
  // In microjoules; starts again from 0 where it has reached `range`.
  struct EnergyCounter {
    std::filesystem::path file;
    std::uint64_t range = 0;
    std::uint64_t last = 0;
    std::uint64_t total = 0;
  };

  std::optional<double> clock_hz() const;
  std::optional<double> temperature_c() const;
  std::optional<bool> was_throttled();

  const std::filesystem::path root_;
  std::vector<std::filesystem::path> temperatures_;  // Files of millidegrees.
  std::vector<EnergyCounter> energy_;
  std::optional<std::uint64_t> throttles_;  // Number of throttles at the last call.
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_HARNESS_PROBES_CPU_PROBE_H_
