#include <millrace/tools/command/devices_command.h>

#include <cstdio>
#include <memory>

#include <millrace/runtime/backend.h>
#include <millrace/tools/command/common_options.h>

namespace millrace::tools {
namespace {

nlohmann::json to_json(const DeviceInfo& device) {
  return {{"name", device.name},
          {"description", device.description},
          {"compute_units", device.compute_units},
          {"warp_width", device.warp_width},
          {"memory_bytes", device.memory_bytes},
          {"shares_host_memory", device.shares_host_memory}};
}

void print_row(const std::string& backend, const DeviceInfo& device) {
  std::printf("%-8s  %-8s  %6d  %5d  %10.1f  %s\n", backend.c_str(), device.name.c_str(),
              device.compute_units, device.warp_width,
              static_cast<double>(device.memory_bytes) / (1 << 30), device.description.c_str());
}

void run(const CommonOptions& options) {
  check_json_path(options);
  const auto chosen = options.open_devices();
  const auto is_chosen = [&](const DeviceInfo& info) {
    for (const auto& device : chosen) {
      if (device->info().name == info.name) return true;
    }
    return false;
  };

  nlohmann::json backends = nlohmann::json::array();
  if (!options.json_to_stdout()) {
    std::printf("backend   device     units   warp  GiB memory  description\n");
  }
  for (const Backend* backend : linked_backends()) {
    const std::string name(backend->name());
    nlohmann::json devices = nlohmann::json::array();
    for (const DeviceInfo& device : backend->list_devices()) {
      if (!is_chosen(device)) continue;
      devices.push_back(to_json(device));
      if (!options.json_to_stdout()) print_row(name, device);
    }
    if (devices.empty() && options.device_names.empty() && !options.json_to_stdout()) {
      std::printf("%-8s  (no device present)\n", name.c_str());
    }
    backends.push_back({{"name", name}, {"devices", devices}});
  }
  write_json(options, {{"backends", backends}});
}

}  // namespace

void add_devices_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("devices", "List the linked backends and their devices");
  auto options = std::make_shared<CommonOptions>();
  add_common_options(*command, *options);
  command->callback([options] { run(*options); });
}

}  // namespace millrace::tools
