#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include <millrace/runtime/error.h>
#include <millrace/tools/results/json_file.h>
#include <millrace/tools/results/json_object.h>
#include <millrace/tools/results/result_words.h>
#include <millrace/tools/results/results.h>

namespace millrace::tools {
namespace {

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
  if (limit.value <= 0) json.refuse("value", "is not above 0");
  return limit;
}

ConditionRecord condition_of(const JsonObject& json) {
  ConditionRecord condition;
  json.take("clock_hz", condition.clock_hz);
  json.take("temperature_c", condition.temperature_c);
  json.take("is_throttled", condition.is_throttled);
  return condition;
}

void read_times(const JsonObject& json, Measurement& result) {
  json.require("seconds", result.seconds);
  json.require("median_seconds", result.median_seconds);
  json.require("low_seconds", result.low_seconds);
  json.require("high_seconds", result.high_seconds);
  if (result.seconds.empty()) json.refuse("seconds", "has no time, and the status is ok");
  if (result.low_seconds <= 0) json.refuse("low_seconds", "is not above 0");
  if (result.median_seconds < result.low_seconds || result.high_seconds < result.median_seconds) {
    json.refuse("median_seconds", "is not between low_seconds and high_seconds");
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
    json.refuse("status", "is '" + status + "'; it is ok, wrong, unsupported or failed");
  }
  json.take("message", result.message);
  if (result.status == MeasurementStatus::kOk) read_times(json, result);
  json.take("items", result.items);
  json.take("item_name", result.item_name);
  json.take("bytes", result.bytes);
  if (result.items < 0) json.refuse("items", "is below 0");
  if (result.bytes < 0) json.refuse("bytes", "is below 0");
  json.take("limit", result.limit);
  json.take("limit_fraction", result.limit_fraction);
  json.take("joules", result.joules);
  if (result.limit_fraction.value_or(0) < 0) json.refuse("limit_fraction", "is below 0");
  if (result.joules.value_or(0) < 0) json.refuse("joules", "is below 0");
  if (json.has("before")) result.before = condition_of(json.object("before"));
  if (json.has("after")) result.after = condition_of(json.object("after"));
  json.take("trace", result.trace);
  return result;
}

// First, whether it is such a file at all, and one that this version knows.
int schema_of(const JsonObject& json, const std::string& path) {
  std::string format;
  if (json.has("format")) json.require("format", format);
  if (format != kResultsFormat) {
    throw Error(ErrorCode::kInvalidArgument,
                path + ": is no file of benchmark results; such a file has \"format\": \"" +
                    kResultsFormat + "\"");
  }
  int schema = 0;
  json.require("schema", schema);
  if (schema < 1) json.refuse("schema", "is " + std::to_string(schema) + "; the first is 1");
  if (schema > kResultsSchema) {
    json.refuse("schema", "is " + std::to_string(schema) +
                              "; this version of Millrace reads up to " +
                              std::to_string(kResultsSchema));
  }
  return schema;
}

}  // namespace

Results read_results(const std::string& path) {
  const nlohmann::json document = read_json(path);
  const JsonObject json(document, path, "");
  Results results;
  results.schema = schema_of(json, path);
  json.take("started", results.started);
  json.take("command", results.command);
  json.take("is_complete", results.is_complete);
  results.machine = machine_of(json.object("machine"));
  if (json.has("build")) results.build = build_of(json.object("build"));
  for (const JsonObject& device : json.objects("devices")) {
    results.devices.push_back(device_of(device));
  }
  if (json.has("input_files")) {
    for (const JsonObject& file : json.objects("input_files")) {
      results.input_files.push_back(input_file_of(file));
    }
  }
  if (json.has("limits")) {
    for (const JsonObject& limit : json.objects("limits")) {
      results.limits.push_back(limit_of(limit));
    }
  }
  for (const JsonObject& measurement : json.objects("measurements")) {
    results.measurements.push_back(measurement_of(measurement));
    const std::string& device = results.measurements.back().device;
    if (std::ranges::find(results.devices, device, &DeviceRecord::name) == results.devices.end()) {
      measurement.refuse("device", "is '" + device + "', which is not among the devices");
    }
  }
  return results;
}

}  // namespace millrace::tools
