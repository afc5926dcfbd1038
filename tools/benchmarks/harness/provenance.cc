// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/host/host_cores.h>
#include <millrace/runtime/version.h>
#include <millrace/tools/benchmarks/harness/build_facts.h>
#include <millrace/tools/benchmarks/harness/provenance.h>
#include <millrace/tools/benchmarks/harness/system_file.h>

#include <sys/utsname.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

namespace millrace::tools {
namespace {

utsname system_names() {
  utsname names = {};
  uname(&names);
  return names;
}

std::string kernel() {
  const utsname names = system_names();
  return std::string(names.sysname) + ' ' + names.release;
}

// Name of the processor; its kind where /proc/cpuinfo has no name, as on aarch64.
std::string processor(const std::filesystem::path& root) {
  const std::string name = value_in_file(root / "proc/cpuinfo", "model name");
  return name.empty() ? system_names().machine : name;
}

std::string compiler() {
#ifdef __clang__
  return "clang " __clang_version__;
#else
  return "gcc " __VERSION__;
#endif
}

std::string version() {
  constexpr int kMajor = MILLRACE_VERSION / 10000;
  constexpr int kMinor = MILLRACE_VERSION / 100 % 100;
  constexpr int kPatch = MILLRACE_VERSION % 100;
  return std::to_string(kMajor) + '.' + std::to_string(kMinor) + '.' + std::to_string(kPatch);
}

}  // namespace

MachineRecord machine_record(const std::string& label, const std::filesystem::path& root) {
  MachineRecord machine;
  machine.label = label;
  machine.cpu = processor(root);
  machine.cores = host_cores().usable;
  const std::string memory = value_in_file(root / "proc/meminfo", "MemTotal");  // Counted in kB.
  machine.memory_bytes = std::strtoull(memory.c_str(), nullptr, 10) * 1024;
  machine.system = value_in_file(root / "etc/os-release", "PRETTY_NAME") + ", " + kernel();
  return machine;
}

BuildRecord build_record() {
  BuildRecord build;
  build.version = version();
  build.commit = kBuildCommit;
  build.compiler = compiler();
  build.flags = kBuildFlags;
  const std::string cuda = kCudaVersion;
  const std::string hip = kHipVersion;
  if (!cuda.empty()) build.toolkits["cuda"] = cuda;
  if (!hip.empty()) build.toolkits["hip"] = hip;
  return build;
}

DeviceRecord device_record(const DeviceInfo& device, const std::string& driver) {
  DeviceRecord record;
  record.name = device.name;
  record.backend = device.backend;
  record.description = device.description;
  record.driver = driver;
  record.compute_units = device.compute_units;
  record.warp_width = device.warp_width;
  record.memory_bytes = device.memory_bytes;
  record.is_simulated = device.is_simulated;
  return record;
}

DeviceRecord group_record(const std::vector<DeviceRecord>& members) {
  DeviceRecord group;
  group.warp_width = 0;
  const auto join = [](std::string& all, const char* between, const std::string& one) {
    all += (all.empty() ? "" : between) + one;
  };
  for (const DeviceRecord& member : members) {
    join(group.name, ",", member.name);
    join(group.description, " + ", member.description);
    if (group.backend.find(member.backend) == group.backend.npos) {
      join(group.backend, ",", member.backend);
    }
    if (group.driver.empty()) group.driver = member.driver;
    group.compute_units += member.compute_units;
    group.warp_width = std::max(group.warp_width, member.warp_width);
    group.memory_bytes += member.memory_bytes;
    group.is_simulated = group.is_simulated || member.is_simulated;
    group.is_tuned = group.is_tuned || member.is_tuned;
    group.members.push_back(member.name);
  }
  return group;
}

std::string machine_label(const MachineRecord& machine, const std::vector<DeviceRecord>& devices) {
  std::string label = machine.cpu;
  for (const DeviceRecord& device : devices) {
    if (device.warp_width > 1 && device.members.empty()) label += " + " + device.description;
  }
  return label;
}

std::string utc_time() {
  const std::time_t now = std::time(nullptr);
  std::tm fields = {};
  gmtime_r(&now, &fields);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &fields);
  return text;
}

}  // namespace millrace::tools
