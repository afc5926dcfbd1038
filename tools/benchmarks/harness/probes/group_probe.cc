// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/harness/probes/group_probe.h>

#include <algorithm>

namespace millrace::tools {
namespace {

// Combines two values of which each may be unknown.
template <class T, class Combine>
std::optional<T> combined(const std::optional<T>& a, const std::optional<T>& b,
                          const Combine& combine) {
  if (!a) return b;
  return b ? std::optional<T>(combine(*a, *b)) : a;
}

}  // namespace

ConditionRecord GroupProbe::conditions() {
  ConditionRecord all;
  for (const auto& member : members_) {
    const ConditionRecord one = member->conditions();
    all.clock_hz =
        combined(all.clock_hz, one.clock_hz, [](double a, double b) { return std::min(a, b); });
    all.temperature_c = combined(all.temperature_c, one.temperature_c,
                                 [](double a, double b) { return std::max(a, b); });
    all.is_throttled =
        combined(all.is_throttled, one.is_throttled, [](bool a, bool b) { return a || b; });
  }
  return all;
}

std::optional<double> GroupProbe::joules() {
  double sum = 0;
  for (const auto& member : members_) {
    const std::optional<double> one = member->joules();
    if (!one) return std::nullopt;
    sum += *one;
  }
  return sum;
}

std::string GroupProbe::driver() {
  for (const auto& member : members_) {
    std::string driver = member->driver();
    if (!driver.empty()) return driver;
  }
  return "";
}

std::unique_ptr<DeviceProbe> probe_of(const std::vector<DeviceInfo>& devices) {
  std::vector<std::unique_ptr<DeviceProbe>> members;
  bool has_host = false;
  for (const DeviceInfo& device : devices) {
    const bool is_host = device.is_simulated || device.shares_host_memory;
    if (!is_host || !has_host) members.push_back(probe_of(device));
    has_host = has_host || is_host;
  }
  if (members.size() == 1) return std::move(members.front());
  return std::make_unique<GroupProbe>(std::move(members));
}

}  // namespace millrace::tools
