// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/efficiency/figure_of_merit.h>
#include <millrace/tools/report/export/csv_row.h>
#include <millrace/tools/report/export/device_vendor.h>
#include <millrace/tools/report/export/measurement_csv.h>
#include <millrace/tools/report/results/result_words.h>

#include <algorithm>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

const std::vector<std::string> kMeasurementColumns = {
    "machine",   "device", "vendor",   "backend",  "workload", "input",  "size",
    "contender", "policy", "strategy", "peer",     "status",   "runs",   "median",
    "low",       "high",   "unit",     "seconds",  "items",    "bytes",  "limit",
    "fraction",  "joules", "commit",   "compiler", "flags",    "driver", "started"};

DeviceRecord device_of(const Results& results, const std::string& name) {
  const auto device = std::ranges::find(results.devices, name, &DeviceRecord::name);
  return device == results.devices.end() ? DeviceRecord{} : *device;
}

std::string word_of(MeasurementStatus status) {
  return std::ranges::find(kStatusWords, status, [](const auto& each) { return each.first; })
      ->second;
}

// Returns nothing for 0, which says that the number is not known.
std::string known_text(double number) { return number == 0 ? "" : exact_text(number); }

std::vector<std::string> row_of(const Machine& machine, const Measurement& each) {
  const Results& results = machine.results;
  const DeviceRecord device = device_of(results, each.device);
  const bool is_timed = each.status == MeasurementStatus::kOk;
  const FigureOfMerit merit = is_timed ? figure_of_merit(each) : FigureOfMerit{};
  const auto timed = [&](double figure) { return is_timed ? exact_text(figure) : ""; };
  return {machine.label,
          each.device,
          vendor_of(device, results),
          device.backend,
          each.workload,
          each.input,
          std::to_string(each.size),
          contender_of(each),
          each.policy,
          each.strategy,
          each.peer,
          word_of(each.status),
          std::to_string(each.seconds.size()),
          timed(merit.value),
          timed(merit.low),
          timed(merit.high),
          merit.unit,
          timed(each.median_seconds),
          known_text(each.items),
          known_text(each.bytes),
          each.limit,
          exact_text(each.limit_fraction),
          exact_text(each.joules),
          results.build.commit,
          results.build.compiler,
          results.build.flags,
          device.driver,
          results.started};
}

}  // namespace

void write_measurement_csv(std::ostream& out, const MergedResults& merged) {
  out << csv_row(kMeasurementColumns);
  for (const Machine& machine : merged.machines) {
    for (const Measurement& each : machine.results.measurements) {
      out << csv_row(row_of(machine, each));
    }
  }
}

}  // namespace millrace::tools
