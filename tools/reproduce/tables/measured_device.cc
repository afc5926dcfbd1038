// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/reproduce/tables/measured_device.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace millrace::tools {
namespace {

bool is_ok(const Measurement& measurement) { return measurement.status == MeasurementStatus::kOk; }

const DeviceRecord& device_named(const Results& results, const std::string& name) {
  std::string known;
  for (const DeviceRecord& device : results.devices) {
    if (device.name == name) return device;
    known += (known.empty() ? "" : ", ") + device.name;
  }
  throw Error(ErrorCode::kNotFound,
              "the results have no device '" + name + "'; there are: " + known);
}

}  // namespace

MeasuredDevice::MeasuredDevice(const Results& results, const std::string& device)
    : device_(device_named(results, device)) {
  std::ranges::copy_if(results.measurements, std::back_inserter(measurements_),
                       [&](const Measurement& each) { return each.device == device; });
}

std::vector<std::string> MeasuredDevice::inputs(const std::string& workload) const {
  std::vector<std::string> inputs;
  for (const Measurement& each : measurements_) {
    if (each.workload != workload || std::ranges::count(inputs, each.input) > 0) continue;
    inputs.push_back(each.input);
  }
  return inputs;
}

std::vector<std::uint64_t> MeasuredDevice::sizes(const std::string& workload,
                                                 const std::string& input) const {
  std::set<std::uint64_t> sizes;
  for (const Measurement& each : measurements_) {
    if (each.workload == workload && each.input == input && is_ok(each)) sizes.insert(each.size);
  }
  return {sizes.begin(), sizes.end()};
}

std::optional<double> MeasuredDevice::seconds(const RunKey& key) const {
  const Measurement* const found = find(key);
  return found == nullptr ? std::nullopt : std::optional(found->median_seconds);
}

std::optional<double> MeasuredDevice::items(const RunKey& key) const {
  const Measurement* const found = find(key);
  return found == nullptr ? std::nullopt : std::optional(found->items);
}

std::optional<double> MeasuredDevice::value(const RunKey& key, const std::string& name) const {
  const Measurement* const found = find(key);
  if (found == nullptr) return std::nullopt;
  const auto value = found->values.find(name);
  return value == found->values.end() ? std::nullopt : std::optional(value->second);
}

std::vector<std::string> MeasuredDevice::why_peers_are_missing(const std::string& workload,
                                                               const std::string& input) const {
  std::vector<std::string> reasons;
  for (const Measurement& each : measurements_) {
    if (each.workload != workload || each.input != input || each.peer.empty()) continue;
    if (is_ok(each) || std::ranges::count(reasons, each.message) > 0) continue;
    reasons.push_back(each.message);
  }
  return reasons;
}

std::string MeasuredDevice::why_missing(const std::string& workload,
                                        const std::string& strategy) const {
  std::string reason;
  for (const Measurement& each : measurements_) {
    if (each.workload != workload || each.strategy != strategy) continue;
    if (is_ok(each)) return "";
    if (reason.empty()) reason = each.message;
  }
  return reason.empty() ? workload + " was not measured" : reason;
}

const Measurement* MeasuredDevice::find(const RunKey& key) const {
  const auto found = std::ranges::find_if(measurements_, [&](const Measurement& each) {
    return each.workload == key.workload && each.input == key.input && each.size == key.size &&
           each.strategy == key.strategy && each.policy == key.policy && each.peer == key.peer;
  });
  return found == measurements_.end() || !is_ok(*found) ? nullptr : &*found;
}

std::string device_to_show(const Results& results) {
  if (results.devices.empty()) {
    reject("the results are of no device; give a file in which one was measured");
  }
  const auto gpu = std::ranges::find_if(results.devices, [](const DeviceRecord& device) {
    return device.warp_width > 1 && !device.is_simulated;
  });
  return gpu == results.devices.end() ? results.devices.front().name : gpu->name;
}

}  // namespace millrace::tools
