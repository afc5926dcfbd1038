// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/provenance.h>
#include <millrace/tools/benchmarks/run/configuration.h>
#include <millrace/tools/benchmarks/workloads/all/workloads.h>
#include <millrace/tools/reproduce/measure/reproduction_results.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace millrace::tools {
namespace {

void require_success(const Measurement& measurement) {
  if (measurement.status == MeasurementStatus::kOk ||
      measurement.status == MeasurementStatus::kUnsupported) {
    return;
  }
  throw Error(ErrorCode::kInternal,
              measurement.workload + ' ' + measurement.strategy + ' ' + measurement.policy +
                  " of size " + std::to_string(measurement.size) + ": " + measurement.message);
}

}  // namespace

ReproductionResults::ReproductionResults(std::shared_ptr<Device> device, MeasureOptions options)
    : device_(std::move(device)),
      options_(std::move(options)),
      workloads_(all_workloads()),
      probe_(probe_of(device_->info())) {
  results_.started = utc_time();
  results_.command = "millrace reproduce";
  results_.machine = machine_record("");
  results_.build = build_record();
  results_.devices = {device_record(device_->info(), probe_->driver())};
  results_.machine.label = machine_label(results_.machine, results_.devices);
  results_.is_complete = true;
}

void ReproductionResults::measure(const std::vector<PlannedRuns>& planned) {
  for (const PlannedRuns& each : planned) measure(each);
}

void ReproductionResults::measure(const PlannedRuns& planned) {
  const std::vector<Workload> chosen = choose_workloads(workloads_, {planned.workload});
  const Configuration configuration{&chosen.front(), device_, planned.input, planned.size};
  const bool is_there = std::ranges::any_of(
      results_.measurements, [&](const Measurement& each) { return configuration.has(each); });
  if (is_there) return;
  const auto measurements =
      measure_configuration(configuration, planned.choice, {}, *probe_, options_);
  std::ranges::for_each(measurements, require_success);
  std::ranges::copy(measurements, std::back_inserter(results_.measurements));
}

}  // namespace millrace::tools
