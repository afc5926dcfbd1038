// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/harness/probes/cpu_probe.h>
#include <millrace/tools/benchmarks/harness/system_file.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

// True if kernels give this name to sensors of whole packages, in thermal zones and in hwmon.
bool is_of_a_package(const std::string& name) {
  static constexpr const char* kNames[] = {"x86_pkg_temp", "cpu-thermal", "cpu_thermal",
                                           "coretemp",     "k10temp",     "zenpower"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

std::vector<fs::path> temperature_files(const fs::path& classes) {
  std::vector<fs::path> files;
  for (const fs::path& zone : entries_of_folder(classes / "thermal", "thermal_zone")) {
    if (is_of_a_package(text_of_file(zone / "type"))) files.push_back(zone / "temp");
  }
  for (const fs::path& monitor : entries_of_folder(classes / "hwmon", "hwmon")) {
    if (is_of_a_package(text_of_file(monitor / "name"))) files.push_back(monitor / "temp1_input");
  }
  return files;
}

}  // namespace

CpuProbe::CpuProbe(const fs::path& root)
    : root_(root), temperatures_(temperature_files(root / "sys/class")) {
  for (const fs::path& zone : entries_of_folder(root / "sys/class/powercap", "intel-rapl:")) {
    if (!text_of_file(zone / "name").starts_with("package")) continue;
    const auto now = number_of_file(zone / "energy_uj");
    const auto range = number_of_file(zone / "max_energy_range_uj");
    if (now && range) energy_.push_back({zone / "energy_uj", *range, *now});
  }
  was_throttled();
}

ConditionRecord CpuProbe::conditions() {
  return {
      .clock_hz = clock_hz(), .temperature_c = temperature_c(), .is_throttled = was_throttled()};
}

std::optional<double> CpuProbe::joules() {
  if (energy_.empty()) return {};
  double joules = 0;
  for (EnergyCounter& counter : energy_) {
    if (const auto now = number_of_file(counter.file)) {
      counter.total +=
          *now >= counter.last ? *now - counter.last : counter.range - counter.last + *now;
      counter.last = *now;
    }
    joules += static_cast<double>(counter.total) * 1e-6;
  }
  return joules;
}

std::optional<double> CpuProbe::clock_hz() const {
  constexpr double kKilo = 1e3;
  double sum = 0;
  int count = 0;
  for (const fs::path& cpu : entries_of_folder(root_ / "sys/devices/system/cpu", "cpu")) {
    if (const auto khz = number_of_file(cpu / "cpufreq/scaling_cur_freq")) {
      sum += kKilo * static_cast<double>(*khz);
      ++count;
    }
  }
  if (count > 0) return sum / count;
  // Virtual machines state what the processor is called for there.
  const double mhz = std::atof(value_in_file(root_ / "proc/cpuinfo", "cpu MHz").c_str());
  if (mhz > 0) return mhz * 1e6;
  return {};
}

std::optional<double> CpuProbe::temperature_c() const {
  std::optional<double> warmest;
  for (const fs::path& file : temperatures_) {
    if (const auto millidegrees = number_of_file(file)) {
      warmest = std::max(warmest.value_or(0), static_cast<double>(*millidegrees) / 1000);
    }
  }
  return warmest;
}

std::optional<bool> CpuProbe::was_throttled() {
  std::optional<std::uint64_t> now;
  for (const fs::path& cpu : entries_of_folder(root_ / "sys/devices/system/cpu", "cpu")) {
    for (const char* const level : {"core", "package"}) {
      const auto count =
          number_of_file(cpu / "thermal_throttle" / (std::string(level) + "_throttle_count"));
      if (count) now = now.value_or(0) + *count;
    }
  }
  const auto before = std::exchange(throttles_, now);
  if (!now || !before) return {};
  return *now > *before;
}

}  // namespace millrace::tools
