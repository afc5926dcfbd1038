// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/auto/policy_store.h>
#include <millrace/runtime/core/check.h>
#include <millrace/tools/benchmarks/harness/input_hash.h>
#include <millrace/tools/benchmarks/harness/probes/device_probe.h>
#include <millrace/tools/benchmarks/harness/provenance.h>
#include <millrace/tools/command/bench/bench_results.h>
#include <millrace/tools/files/output/output_file.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

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
  for (const auto& [name, version] : build.toolkits)
    text.append(", ").append(name).append(" ").append(version);
  return text;
}

std::string text_of(const std::vector<InputFileRecord>& files) {
  std::string text;
  for (const InputFileRecord& file : files) {
    text += (text.empty() ? "" : ", ") + file.name + " (" + std::to_string(file.bytes) +
            " bytes, " + file.head_hash + ')';
  }
  return text.empty() ? "none" : text;
}

InputFileRecord input_file(const std::filesystem::path& path) {
  constexpr std::size_t kHeadBytes = 1 << 20;
  std::vector<char> head(kHeadBytes);
  std::ifstream in(path, std::ios::binary);
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  return {path.filename().string(), std::filesystem::file_size(path), InputHash().add(head).text()};
}

// Adds a record of each device that has none, and one of a group.
void add_records(const DeviceSet& devices, std::vector<DeviceRecord>& records) {
  std::vector<DeviceRecord> members;
  for (const DeviceInfo& info : devices.infos()) {
    members.push_back(device_record(info, probe_of(info)->driver()));
    members.back().is_tuned = load_costs(info).costs != nullptr;
    if (std::ranges::find(records, info.name, &DeviceRecord::name) == records.end()) {
      records.push_back(members.back());
    }
  }
  if (devices.is_group()) records.push_back(group_record(members));
}

void require_same(const std::string& path, const char* what, const std::string& old,
                  const std::string& now) {
  if (old == now) return;
  reject(path + ": cannot be resumed, it is of another " + what + ": " + old + "; now: " + now +
         "; name another file");
}

}  // namespace

Results new_results(const BenchOptions& options, const std::vector<DeviceSet>& devices) {
  Results results;
  results.started = utc_time();
  results.command = command_text(options);
  results.machine = machine_record(options.label);
  results.build = build_record();
  for (const DeviceSet& each : devices) add_records(each, results.devices);
  for (const std::string& input : options.inputs) {
    if (std::filesystem::is_regular_file(input)) results.input_files.push_back(input_file(input));
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
  require_same(path, "set of input files", text_of(old.input_files), text_of(now.input_files));
  require_same(path, "set of devices", text_of(old.devices), text_of(now.devices));
}

BenchResults::BenchResults(const BenchOptions& options, Results now)
    : path_(options.out), results_(std::move(now)) {
  if (path_.empty()) return;
  if (options.resume) {
    Results old = read_results(path_);
    check_resumable(path_, old, results_);
    results_ = std::move(old);
    return;
  }
  { const OutputFile throws_where_it_cannot(path_, options.force); }
  write_results(path_, results_);
}

bool BenchResults::has(const Configuration& configuration) const {
  return std::ranges::any_of(results_.measurements, [&](const Measurement& measurement) {
    return configuration.has(measurement);
  });
}

std::vector<LimitRecord> BenchResults::limits_of(const std::string& device) const {
  std::vector<LimitRecord> limits;
  std::ranges::copy_if(results_.limits, std::back_inserter(limits),
                       [&](const LimitRecord& limit) { return limit.device == device; });
  return limits;
}

void BenchResults::write() const {
  if (!path_.empty()) write_results(path_, results_);
}

void BenchResults::add_limits(const std::vector<LimitRecord>& limits) {
  std::ranges::copy(limits, std::back_inserter(results_.limits));
  write();
}

void BenchResults::add(const std::vector<Measurement>& measurements) {
  std::ranges::copy(measurements, std::back_inserter(results_.measurements));
  write();
}

void BenchResults::complete() {
  results_.is_complete = true;
  write();
}

}  // namespace millrace::tools
