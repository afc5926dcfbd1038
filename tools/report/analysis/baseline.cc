// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/report/analysis/baseline.h>

#include <algorithm>
#include <cstddef>
#include <set>

namespace millrace::tools {
namespace {

// Labels and devices may have colons in them, so they are matched, not split.
std::string device_text(const MergedResults& merged, const Platform& platform) {
  return merged.machines[platform.machine].label + ":" + platform.device;
}

std::vector<Platform> all_platforms(const MergedResults& merged) {
  std::vector<Platform> platforms;
  for (std::size_t i = 0; i < merged.machines.size(); ++i) {
    for (const DeviceRecord& device : merged.machines[i].results.devices) {
      platforms.push_back({i, device.name});
    }
  }
  return platforms;
}

std::set<std::string> contenders_on(const MergedResults& merged, const Platform& platform) {
  std::set<std::string> names;
  for (const Measurement& each : merged.machines[platform.machine].results.measurements) {
    if (each.device == platform.device) names.insert(contender_of(each));
  }
  return names;
}

template <class Names>
std::string listed(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : "; ") + name;
  return text.empty() ? "none" : text;
}

[[noreturn]] void reject_baseline(const std::string& text, const std::string& sentence) {
  throw Error(ErrorCode::kInvalidArgument, "--baseline is '" + text + "'; " + sentence);
}

}  // namespace

Baseline parse_baseline(const MergedResults& merged, const std::string& text) {
  std::vector<std::string> known;
  for (const Platform& platform : all_platforms(merged)) {
    const std::string device = device_text(merged, platform);
    known.push_back(device);
    if (text == device) return {platform, ""};
    if (!text.starts_with(device + ":")) continue;
    const std::string contender = text.substr(device.size() + 1);
    const std::set<std::string> contenders = contenders_on(merged, platform);
    if (contenders.contains(contender)) return {platform, contender};
    reject_baseline(text, "of " + device + " there are: " + listed(contenders));
  }
  reject_baseline(text,
                  "it is LABEL:DEVICE or LABEL:DEVICE:CONTENDER, and there are: " + listed(known));
}

Baseline default_baseline(const MergedResults& merged) {
  const std::vector<Platform> platforms = all_platforms(merged);
  const auto is_cpu = [&](const Platform& platform) {
    const auto& devices = merged.machines[platform.machine].results.devices;
    const auto device = std::ranges::find(devices, platform.device, &DeviceRecord::name);
    return platform.machine == 0 && device->warp_width == 1 && !device->is_simulated;
  };
  const auto cpu = std::ranges::find_if(platforms, is_cpu);
  if (cpu != platforms.end()) return {*cpu, ""};
  return {platforms.empty() ? Platform{} : platforms.front(), ""};
}

std::string baseline_name(const MergedResults& merged, const Baseline& baseline) {
  return name_of(merged, baseline.platform) +
         (baseline.contender.empty() ? "" : ", " + baseline.contender);
}

Curve curve_of(const Group& group, const Baseline& baseline) {
  const std::vector<Curve> curves = curves_of(group, baseline.platform);
  if (baseline.contender.empty()) return best_of(curves);
  const auto found = std::ranges::find(curves, baseline.contender, &Curve::contender);
  return found == curves.end() ? Curve{} : *found;
}

}  // namespace millrace::tools
