// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/host/host_cores.h>
#include <millrace/runtime/ranks/world.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/devices/devices_command.h>
#include <millrace/tools/command/devices/stored_costs.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

nlohmann::json to_json(const HostCores& cores) {
  nlohmann::json json = {{"processors", cores.processors},
                         {"affinity", cores.affinity},
                         {"cpu_quota", nullptr},
                         {"usable", cores.usable}};
  if (cores.quota > 0) json["cpu_quota"] = cores.quota;
  return json;
}

nlohmann::json to_json(const DeviceInfo& device) {
  return {{"name", device.name},
          {"description", device.description},
          {"compute_units", device.compute_units},
          {"warp_width", device.warp_width},
          {"memory_bytes", device.memory_bytes},
          {"shares_host_memory", device.shares_host_memory},
          {"is_simulated", device.is_simulated},
          {"policy_costs", describe_costs(device)}};
}

void print_row(const std::string& backend, const DeviceInfo& device) {
  std::printf("%-8s  %-8s  %6d  %5d  %10.1f  %s (%s)\n", backend.c_str(), device.name.c_str(),
              device.compute_units, device.warp_width,
              static_cast<double>(device.memory_bytes) / (1 << 30), device.description.c_str(),
              describe_costs(device).c_str());
}

// Without --device all devices are listed, and none is opened for it.
std::vector<std::string> names_of_chosen(const CommonOptions& options) {
  std::vector<std::string> names;
  if (options.device_names.empty()) {
    for (const DeviceInfo& device : list_devices()) names.push_back(device.name);
  } else {
    for (const DeviceGroup& group : options.open_groups()) {
      for (std::size_t i = 0; i < group.size(); ++i) names.push_back(group.device(i)->info().name);
    }
  }
  return names;
}

void run(const CommonOptions& options) {
  check_json_path(options);
  const std::vector<std::string> chosen = names_of_chosen(options);

  nlohmann::json backends = nlohmann::json::array();
  if (!options.json_to_stdout()) {
    std::printf("backend   device     units   warp  GiB memory  description\n");
  }
  for (const Backend* backend : linked_backends()) {
    const std::string name(backend->name());
    nlohmann::json devices = nlohmann::json::array();
    for (const DeviceInfo& device : backend->list_devices()) {
      if (std::find(chosen.begin(), chosen.end(), device.name) == chosen.end()) continue;
      devices.push_back(to_json(device));
      if (!options.json_to_stdout()) print_row(name, device);
    }
    if (devices.empty() && options.device_names.empty() && !options.json_to_stdout()) {
      const std::string why = backend->why_empty();
      std::printf("%-8s  (no device present%s)\n", name.c_str(),
                  why.empty() ? "" : (": " + why).c_str());
    }
    backends.push_back({{"name", name}, {"devices", devices}, {"why_empty", backend->why_empty()}});
  }
  if (!options.json_to_stdout()) {
    std::printf("threads by default: %s\n", describe(host_cores()).c_str());
  }
  write_json(options, {{"backends", backends}, {"host", to_json(host_cores())}});
}

}  // namespace

void add_devices_command(Command& root) {
  Command& command = root.add_subcommand("devices", "List the devices that Millrace can run on");
  auto options = std::make_shared<CommonOptions>();
  add_devices_option(command, options->device_names,
                     "List this device only, or several with commas between their names. May be "
                     "repeated (default: all devices)");
  add_output_options(command, *options);
  command.on_run([options] {
    if (world_communicator().rank() == 0) run(*options);
  });
}

}  // namespace millrace::tools
