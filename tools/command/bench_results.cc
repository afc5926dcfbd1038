#include <millrace/tools/command/bench_results.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include <millrace/runtime/error.h>
#include <millrace/tools/files/output_file.h>
#include <millrace/tools/measure/device_probe.h>
#include <millrace/tools/measure/provenance.h>

namespace millrace::tools {
namespace {

std::string text_of(const MachineRecord& machine) {
  return machine.cpu + ", " + std::to_string(machine.cores) + " cores, " + machine.system;
}

std::string text_of(const std::vector<DeviceRecord>& devices) {
  std::string text;
  for (const DeviceRecord& device : devices) {
    text += (text.empty() ? "" : ", ") + device.name + " (" + device.description +
            (device.driver.empty() ? "" : ", driver " + device.driver) + ')';
  }
  return text;
}

std::string text_of(const BuildRecord& build) {
  std::string text =
      build.version + ' ' + build.commit + ", " + build.compiler + ", " + build.flags;
  for (const auto& [name, version] : build.toolkits) (text += ", ") += name + ' ' + version;
  return text;
}

void require_same(const std::string& path, const char* what, const std::string& old,
                  const std::string& now) {
  if (old == now) return;
  throw Error(ErrorCode::kInvalidArgument, path + ": cannot be resumed, it is of another " + what +
                                               ": " + old + "; now: " + now);
}

}  // namespace

Results new_results(const BenchOptions& options,
                    const std::vector<std::shared_ptr<Device>>& devices) {
  Results results;
  results.started = utc_time();
  results.command = command_text(options);
  results.machine = machine_record(options.label);
  results.build = build_record();
  for (const std::shared_ptr<Device>& device : devices) {
    results.devices.push_back(device_record(device->info(), probe_of(device->info())->driver()));
  }
  if (options.label.empty()) {
    results.machine.label = machine_label(results.machine, results.devices);
  }
  return results;
}

void check_resumable(const std::string& path, const Results& old, const Results& now) {
  require_same(path, "machine", text_of(old.machine), text_of(now.machine));
  require_same(path, "build", text_of(old.build), text_of(now.build));
  require_same(path, "command", old.command, now.command);
  require_same(path, "set of devices", text_of(old.devices), text_of(now.devices));
}

BenchResults::BenchResults(const BenchOptions& options, Results now)
    : path_(options.out), results_(std::move(now)) {
  if (options.resume) {
    Results old = read_results(path_);
    check_resumable(path_, old, results_);
    results_ = std::move(old);
    return;
  }
  { const OutputFile throws_where_it_cannot(path_, options.force); }
  write_results(path_, results_);
}

bool BenchResults::has(const BenchConfiguration& configuration) const {
  return std::ranges::any_of(results_.measurements, [&](const Measurement& measurement) {
    return configuration.has(measurement);
  });
}

std::vector<LimitRecord> BenchResults::limits_of(const Device& device) const {
  std::vector<LimitRecord> limits;
  std::ranges::copy_if(results_.limits, std::back_inserter(limits), [&](const LimitRecord& limit) {
    return limit.device == device.info().name;
  });
  return limits;
}

void BenchResults::add_limits(const std::vector<LimitRecord>& limits) {
  std::ranges::copy(limits, std::back_inserter(results_.limits));
  write_results(path_, results_);
}

void BenchResults::add(const std::vector<Measurement>& measurements) {
  std::ranges::copy(measurements, std::back_inserter(results_.measurements));
  write_results(path_, results_);
}

void BenchResults::complete() {
  results_.is_complete = true;
  write_results(path_, results_);
}

}  // namespace millrace::tools
