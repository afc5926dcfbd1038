// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/report/analysis/baseline.h>

#include <algorithm>
#include <cstddef>
#include <set>

namespace millrace::tools {
namespace {

// Labels and devices may have colons in them, so they are matched, not split.
std::string device_text(const MergedResults& merged, const Place& place) {
  return merged.machines[place.machine].label + ":" + place.device;
}

std::vector<Place> all_places(const MergedResults& merged) {
  std::vector<Place> places;
  for (std::size_t i = 0; i < merged.machines.size(); ++i) {
    for (const DeviceRecord& device : merged.machines[i].results.devices) {
      places.push_back({i, device.name});
    }
  }
  return places;
}

std::set<std::string> contenders_on(const MergedResults& merged, const Place& place) {
  std::set<std::string> names;
  for (const Measurement& each : merged.machines[place.machine].results.measurements) {
    if (each.device == place.device) names.insert(contender_of(each));
  }
  return names;
}

template <class Names>
std::string listed(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : "; ") + name;
  return text.empty() ? "none" : text;
}

[[noreturn]] void reject(const std::string& text, const std::string& sentence) {
  throw Error(ErrorCode::kInvalidArgument, "--baseline is '" + text + "'; " + sentence);
}

}  // namespace

Baseline parse_baseline(const MergedResults& merged, const std::string& text) {
  std::vector<std::string> known;
  for (const Place& place : all_places(merged)) {
    const std::string device = device_text(merged, place);
    known.push_back(device);
    if (text == device) return {place, ""};
    if (!text.starts_with(device + ":")) continue;
    const std::string contender = text.substr(device.size() + 1);
    const std::set<std::string> contenders = contenders_on(merged, place);
    if (contenders.contains(contender)) return {place, contender};
    reject(text, "of " + device + " there are: " + listed(contenders));
  }
  reject(text, "it is LABEL:DEVICE or LABEL:DEVICE:CONTENDER, and there are: " + listed(known));
}

Baseline default_baseline(const MergedResults& merged) {
  const std::vector<Place> places = all_places(merged);
  const auto is_cpu = [&](const Place& place) {
    const auto& devices = merged.machines[place.machine].results.devices;
    const auto device = std::ranges::find(devices, place.device, &DeviceRecord::name);
    return place.machine == 0 && device->warp_width == 1 && !device->is_simulated;
  };
  const auto cpu = std::ranges::find_if(places, is_cpu);
  if (cpu != places.end()) return {*cpu, ""};
  return {places.empty() ? Place{} : places.front(), ""};
}

std::string baseline_name(const MergedResults& merged, const Baseline& baseline) {
  return name_of(merged, baseline.place) +
         (baseline.contender.empty() ? "" : ", " + baseline.contender);
}

Curve curve_of(const Group& group, const Baseline& baseline) {
  const std::vector<Curve> curves = curves_of(group, baseline.place);
  if (baseline.contender.empty()) return best_of(curves);
  const auto found = std::ranges::find(curves, baseline.contender, &Curve::contender);
  return found == curves.end() ? Curve{} : *found;
}

}  // namespace millrace::tools
