// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/output/output_file.h>
#include <millrace/tools/report/results/result_words.h>
#include <millrace/tools/report/results/results.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

using Json = nlohmann::ordered_json;

double finite(double value, const char* name) {
  if (!std::isfinite(value)) {
    reject(std::string(name) + " of a result is not finite, which JSON cannot say");
  }
  return value;
}

void put_text(Json& json, const char* name, const std::string& text) {
  if (!text.empty()) json[name] = text;
}

void put_number(Json& json, const char* name, const std::optional<double>& number) {
  if (number) json[name] = finite(*number, name);
}

Json to_json(const MachineRecord& machine) {
  return {{"label", machine.label},
          {"cpu", machine.cpu},
          {"cores", machine.cores},
          {"memory_bytes", machine.memory_bytes},
          {"system", machine.system}};
}

Json to_json(const BuildRecord& build) {
  Json toolkits = Json::object();
  for (const auto& [name, version] : build.toolkits) toolkits[name] = version;
  return {{"version", build.version},
          {"commit", build.commit},
          {"compiler", build.compiler},
          {"flags", build.flags},
          {"toolkits", toolkits}};
}

Json to_json(const DeviceRecord& device) {
  Json json = {{"name", device.name},
               {"backend", device.backend},
               {"description", device.description},
               {"driver", device.driver},
               {"compute_units", device.compute_units},
               {"warp_width", device.warp_width},
               {"memory_bytes", device.memory_bytes},
               {"is_simulated", device.is_simulated}};
  if (!device.members.empty()) json["members"] = device.members;
  if (device.is_tuned) json["is_tuned"] = true;
  return json;
}

Json to_json(const InputFileRecord& file) {
  return {{"name", file.name}, {"bytes", file.bytes}, {"head_hash", file.head_hash}};
}

Json to_json(const LimitRecord& limit) {
  return {{"device", limit.device},
          {"name", limit.name},
          {"value", finite(limit.value, "value")},
          {"unit", limit.unit}};
}

void put_condition(Json& json, const char* name, const ConditionRecord& condition) {
  Json known = Json::object();
  put_number(known, "clock_hz", condition.clock_hz);
  put_number(known, "temperature_c", condition.temperature_c);
  if (condition.is_throttled) known["is_throttled"] = *condition.is_throttled;
  if (!known.empty()) json[name] = known;
}

std::string word_of(MeasurementStatus status) {
  for (const auto& [value, word] : kStatusWords) {
    if (value == status) return word;
  }
  throw Error(ErrorCode::kInternal, "a status without a word");
}

Json to_json(const Measurement& measurement) {
  Json json = {{"workload", measurement.workload}};
  put_text(json, "input", measurement.input);
  put_text(json, "input_hash", measurement.input_hash);
  json["size"] = measurement.size;
  json["device"] = measurement.device;
  put_text(json, "policy", measurement.policy);
  put_text(json, "strategy", measurement.strategy);
  put_text(json, "peer", measurement.peer);
  json["status"] = word_of(measurement.status);
  put_text(json, "message", measurement.message);
  if (measurement.is_checked) json["is_checked"] = *measurement.is_checked;
  if (measurement.status == MeasurementStatus::kOk) {
    json["seconds"] = Json::array();
    for (const double seconds : measurement.seconds) {
      json["seconds"].push_back(finite(seconds, "seconds"));
    }
    put_number(json, "median_seconds", measurement.median_seconds);
    put_number(json, "low_seconds", measurement.low_seconds);
    put_number(json, "high_seconds", measurement.high_seconds);
  }
  put_number(json, "items", measurement.items);
  put_text(json, "item_name", measurement.item_name);
  if (measurement.bytes != 0) put_number(json, "bytes", measurement.bytes);
  if (measurement.operations != 0) put_number(json, "operations", measurement.operations);
  put_text(json, "operation_limit", measurement.operation_limit);
  put_text(json, "limit", measurement.limit);
  put_number(json, "limit_fraction", measurement.limit_fraction);
  put_number(json, "joules", measurement.joules);
  for (const auto& [name, value] : measurement.values) {
    json["values"][name] = finite(value, name.c_str());
  }
  put_condition(json, "before", measurement.before);
  put_condition(json, "after", measurement.after);
  put_text(json, "trace", measurement.trace);
  return json;
}

// Bytes of names that are not UTF-8 become U+FFFD.
std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void write_member(std::ostream& out, const char* name, const Json& value) {
  out << ",\n  \"" << name << "\": " << line_of(value);
}

// A line for each element, so that the differences of two files are those of their lines.
template <class Record>
void write_lines(std::ostream& out, const char* name, const std::vector<Record>& records) {
  out << ",\n  \"" << name << "\": [";
  const char* separator = "\n";
  for (const Record& record : records) {
    out << separator << "    " << line_of(to_json(record));
    separator = ",\n";
  }
  out << (records.empty() ? "]" : "\n  ]");
}

}  // namespace

std::string results_text(const Results& results) {
  std::ostringstream out;
  out << "{\n  \"format\": " << line_of(kResultsFormat);
  write_member(out, "schema", kResultsSchema);
  write_member(out, "started", results.started);
  write_member(out, "command", results.command);
  write_member(out, "is_complete", results.is_complete);
  write_member(out, "machine", to_json(results.machine));
  write_member(out, "build", to_json(results.build));
  write_lines(out, "devices", results.devices);
  if (!results.input_files.empty()) write_lines(out, "input_files", results.input_files);
  write_lines(out, "limits", results.limits);
  write_lines(out, "measurements", results.measurements);
  out << "\n}\n";
  return std::move(out).str();
}

void write_results(const std::string& path, const Results& results) {
  OutputFile file(path, /*force=*/true);
  file.stream() << results_text(results);
  file.commit();
}

}  // namespace millrace::tools
