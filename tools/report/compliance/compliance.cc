// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/merged_results.h>
#include <millrace/tools/report/compliance/compliance.h>

#include <algorithm>

namespace millrace::tools {
namespace {

std::string name_of(const Measurement& each) {
  return each.workload + (each.input.empty() ? "" : ", " + each.input) + ", size " +
         std::to_string(each.size) + ", " + each.device + ", " + contender_of(each);
}

void check_build(const BuildRecord& build, std::vector<std::string>& violations) {
  if (build.commit.empty()) {
    violations.emplace_back("the commit is not known; build with -c opt from a Git checkout");
  } else if (build.commit.ends_with("-changed") || build.commit.ends_with("-dirty")) {
    violations.push_back("the commit is " + build.commit +
                         ", of sources that were changed; commit them and measure again");
  }
}

void check_result(const Measurement& each, std::vector<std::string>& violations) {
  const std::string why = each.message.empty() ? "" : ": " + each.message;
  switch (each.status) {
    case MeasurementStatus::kOk:
      if (each.peer.empty() && !each.is_checked.value_or(true)) {
        violations.push_back(name_of(each) + ": the result was not checked");
      }
      break;
    case MeasurementStatus::kWrong:
      violations.push_back(name_of(each) + ": the result is wrong" + why);
      break;
    case MeasurementStatus::kFailed:
      violations.push_back(name_of(each) + ": the run failed" + why);
      break;
    case MeasurementStatus::kUnsupported: break;
  }
}

bool was_throttled(const Measurement& each) {
  return each.before.is_throttled.value_or(false) || each.after.is_throttled.value_or(false);
}

// Adds a note for each device, in the file's order, that has a measurement `is_meant` is true for.
template <class IsMeant>
void note_devices(const Results& results, const std::string& sentence, const IsMeant& is_meant,
                  std::vector<std::string>& notes) {
  for (const DeviceRecord& device : results.devices) {
    const bool is_any = std::ranges::any_of(results.measurements, [&](const Measurement& each) {
      return each.device == device.name && each.status == MeasurementStatus::kOk && is_meant(each);
    });
    if (is_any) notes.push_back(device.name + sentence);
  }
}

void note_unknowns(const Results& results, std::vector<std::string>& notes) {
  for (const DeviceRecord& device : results.devices) {
    if (device.is_simulated) {
      notes.push_back(device.name + " is simulated: its times are no figures of a machine");
    }
    if (device.is_tuned) {
      notes.push_back(device.name + " used costs that `millrace tune` stored; disclose that");
    }
  }
  note_devices(
      results, ": it is not known if clocks were throttled; disclose how they were set",
      [](const Measurement& each) { return !each.before.is_throttled && !each.after.is_throttled; },
      notes);
  for (const Measurement& each : results.measurements) {
    if (each.peer.empty() || each.is_checked.value_or(true)) continue;
    notes.push_back(name_of(each) + ": the result of this peer was not checked; disclose that");
  }
  note_devices(
      results, " has intervals of fewer than six runs, which cover less than 95 %",
      [](const Measurement& each) { return !has_interval(each); }, notes);
}

}  // namespace

Compliance compliance_of(const Results& results) {
  Compliance compliance;
  check_build(results.build, compliance.violations);
  if (!results.is_complete) {
    compliance.violations.emplace_back("the run was not finished; --resume finishes it");
  }
  for (const Measurement& each : results.measurements) {
    check_result(each, compliance.violations);
    if (was_throttled(each)) {
      compliance.violations.push_back(name_of(each) + ": the clock was throttled");
    }
  }
  note_unknowns(results, compliance.notes);
  compliance.is_peak = std::ranges::any_of(results.devices, &DeviceRecord::is_tuned);
  return compliance;
}

void print_compliance(std::ostream& out, const std::string& file, const Compliance& compliance) {
  const char* const rules = compliance.is_peak ? "peak" : "base";
  if (compliance.is_compliant()) {
    out << file << ": keeps the " << rules << " rules\n";
  } else {
    out << file << ": breaks the " << rules << " rules\n";
  }
  for (const std::string& each : compliance.violations) out << "  breaks: " << each << '\n';
  for (const std::string& each : compliance.notes) out << "  note: " << each << '\n';
}

}  // namespace millrace::tools
