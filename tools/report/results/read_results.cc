// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/results/figure_range.h>
#include <millrace/tools/report/results/json_file.h>
#include <millrace/tools/report/results/json_format.h>
#include <millrace/tools/report/results/json_object.h>
#include <millrace/tools/report/results/result_words.h>
#include <millrace/tools/report/results/results.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace millrace::tools {
namespace {

void check_figure(const JsonObject& json, const char* name, double figure) {
  if (figure == 0 || (figure >= kLeastFigure && figure <= kMostFigure)) return;
  json.reject(name, "is " + figure_text(figure) +
                        ", which is no figure; figures are 0 or from 1e-18 to 1e30");
}

void check_above_zero(const JsonObject& json, const char* name, double figure) {
  if (figure <= 0) {
    json.reject(name, "is " + figure_text(figure) + "; it must be above 0");
  }
  check_figure(json, name, figure);
}

MachineRecord machine_of(const JsonObject& json) {
  MachineRecord machine;
  json.require("label", machine.label);
  json.take("cpu", machine.cpu);
  json.take("cores", machine.cores);
  json.take("memory_bytes", machine.memory_bytes);
  json.take("system", machine.system);
  return machine;
}

BuildRecord build_of(const JsonObject& json) {
  BuildRecord build;
  json.take("version", build.version);
  json.take("commit", build.commit);
  json.take("compiler", build.compiler);
  json.take("flags", build.flags);
  json.take("toolkits", build.toolkits);
  return build;
}

DeviceRecord device_of(const JsonObject& json) {
  DeviceRecord device;
  json.require("name", device.name);
  json.take("backend", device.backend);
  json.take("description", device.description);
  json.take("driver", device.driver);
  json.take("compute_units", device.compute_units);
  json.take("warp_width", device.warp_width);
  json.take("memory_bytes", device.memory_bytes);
  json.take("is_simulated", device.is_simulated);
  json.take("members", device.members);
  json.take("is_tuned", device.is_tuned);
  return device;
}

InputFileRecord input_file_of(const JsonObject& json) {
  InputFileRecord file;
  json.require("name", file.name);
  json.take("bytes", file.bytes);
  json.take("head_hash", file.head_hash);
  return file;
}

LimitRecord limit_of(const JsonObject& json) {
  LimitRecord limit;
  json.require("device", limit.device);
  json.require("name", limit.name);
  json.require("value", limit.value);
  json.require("unit", limit.unit);
  check_above_zero(json, "value", limit.value);
  return limit;
}

ConditionRecord condition_of(const JsonObject& json) {
  ConditionRecord condition;
  json.take("clock_hz", condition.clock_hz);
  json.take("temperature_c", condition.temperature_c);
  json.take("is_throttled", condition.is_throttled);
  check_figure(json, "clock_hz", condition.clock_hz.value_or(0));
  const double temperature = condition.temperature_c.value_or(0);
  if (std::abs(temperature) > kMostFigure) {
    json.reject("temperature_c",
                "is " + figure_text(temperature) + "; a temperature must be from -1e30 to 1e30");
  }
  return condition;
}

void read_times(const JsonObject& json, Measurement& result) {
  json.require("seconds", result.seconds);
  json.require("median_seconds", result.median_seconds);
  json.require("low_seconds", result.low_seconds);
  json.require("high_seconds", result.high_seconds);
  if (result.seconds.empty())
    json.reject("seconds", "has no time, and the status is ok; give the time of each run");
  const auto [least, greatest] = std::ranges::minmax(result.seconds);
  if (least < 0 || greatest > kMostFigure) {
    json.reject("seconds", "has " + figure_text(least < 0 ? least : greatest) +
                               "; a time must be from 0 to 1e30");
  }
  check_above_zero(json, "low_seconds", result.low_seconds);
  check_figure(json, "high_seconds", result.high_seconds);
  if (result.median_seconds < result.low_seconds || result.high_seconds < result.median_seconds) {
    json.reject("median_seconds", "is " + figure_text(result.median_seconds) +
                                      ", not between low_seconds (" +
                                      figure_text(result.low_seconds) + ") and high_seconds (" +
                                      figure_text(result.high_seconds) + ")");
  }
}

Measurement measurement_of(const JsonObject& json) {
  Measurement result;
  json.require("workload", result.workload);
  json.take("input", result.input);
  json.take("input_hash", result.input_hash);
  json.require("size", result.size);
  json.require("device", result.device);
  json.take("policy", result.policy);
  json.take("strategy", result.strategy);
  json.take("peer", result.peer);
  std::string status;
  json.require("status", status);
  if (!parse_status(status, result.status)) {
    json.reject("status", "is '" + status + "'; it is ok, wrong, unsupported or failed");
  }
  json.take("message", result.message);
  json.take("is_checked", result.is_checked);
  if (result.status == MeasurementStatus::kOk) read_times(json, result);
  json.take("items", result.items);
  json.take("item_name", result.item_name);
  json.take("bytes", result.bytes);
  json.take("operations", result.operations);
  json.take("operation_limit", result.operation_limit);
  check_figure(json, "items", result.items);
  check_figure(json, "bytes", result.bytes);
  check_figure(json, "operations", result.operations);
  json.take("limit", result.limit);
  json.take("limit_fraction", result.limit_fraction);
  json.take("joules", result.joules);
  check_figure(json, "limit_fraction", result.limit_fraction.value_or(0));
  check_figure(json, "joules", result.joules.value_or(0));
  json.take("values", result.values);
  for (const auto& [name, value] : result.values) {
    if (std::abs(value) > kMostFigure) {
      json.reject("values", "has " + figure_text(value) + " for '" + name +
                                "'; a figure must be from -1e30 to 1e30");
    }
  }
  if (json.has("before")) result.before = condition_of(json.object("before"));
  if (json.has("after")) result.after = condition_of(json.object("after"));
  json.take("trace", result.trace);
  return result;
}

// Returns the fields that identify a measurement within its file.
auto key_of(const Measurement& each) {
  return std::tie(each.workload, each.input, each.size, each.device, each.policy, each.strategy,
                  each.peer);
}

// Rejects two records of the same: neither could be shown to be the right one.
template <class Record, class KeyOf>
void check_different(const JsonObject& json, const char* array, const std::vector<Record>& records,
                     const char* what, const KeyOf& key_of_record) {
  using Key = std::decay_t<decltype(key_of_record(records.front()))>;
  std::map<Key, std::size_t> indices;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto [first, is_new] = indices.emplace(key_of_record(records[i]), i);
    if (is_new) continue;
    json.reject(array, "has " + std::string(what) + " twice, at [" + std::to_string(first->second) +
                           "] and [" + std::to_string(i) + "]; leave one out");
  }
}

void check_different(const JsonObject& json, const Results& results) {
  check_different(json, "devices", results.devices, "a device",
                  [](const DeviceRecord& device) { return std::tie(device.name); });
  check_different(json, "limits", results.limits, "a limit",
                  [](const LimitRecord& limit) { return std::tie(limit.device, limit.name); });
  check_different(json, "measurements", results.measurements, "one contender on one configuration",
                  key_of);
}

bool has_device(const Results& results, const std::string& name) {
  return std::ranges::find(results.devices, name, &DeviceRecord::name) != results.devices.end();
}

// Rejects a group that has a member which is not in the file.
void check_members(const JsonObject& json, const Results& results) {
  for (const DeviceRecord& group : results.devices) {
    for (const std::string& member : group.members) {
      if (has_device(results, member)) continue;
      json.reject("devices", "has the group '" + group.name + "', whose member '" + member +
                                 "' is not among the devices; add it there");
    }
  }
}

template <class Record>
std::vector<Record> records_of(const JsonObject& json, const char* array,
                               Record (*read)(const JsonObject&)) {
  std::vector<Record> records;
  for (const JsonObject& each : json.objects(array)) records.push_back(read(each));
  return records;
}

}  // namespace

Results read_results(const std::string& path) {
  const nlohmann::json document = read_json(path, "give a file that `millrace bench -o` wrote");
  const JsonObject json(document, path, "");
  Results results;
  results.schema = read_schema(json, path, {kResultsFormat, "benchmark results", kResultsSchema});
  json.take("started", results.started);
  json.take("command", results.command);
  json.take("is_complete", results.is_complete);
  results.machine = machine_of(json.object("machine"));
  if (json.has("build")) results.build = build_of(json.object("build"));
  results.devices = records_of(json, "devices", device_of);
  if (json.has("input_files")) {
    results.input_files = records_of(json, "input_files", input_file_of);
  }
  if (json.has("limits")) results.limits = records_of(json, "limits", limit_of);
  for (const JsonObject& measurement : json.objects("measurements")) {
    results.measurements.push_back(measurement_of(measurement));
    const std::string& device = results.measurements.back().device;
    if (!has_device(results, device)) {
      measurement.reject("device",
                         "is '" + device + "', which is not among the devices; add it there");
    }
  }
  check_members(json, results);
  check_different(json, results);
  return results;
}

}  // namespace millrace::tools
