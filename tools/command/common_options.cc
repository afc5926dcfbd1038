#include <millrace/tools/command/common_options.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <limits>

#include <millrace/runtime/backend.h>
#include <millrace/tools/files/output_file.h>

namespace millrace::tools {

std::vector<std::shared_ptr<Device>> CommonOptions::open_devices() const {
  std::vector<std::string> names = device_names;
  if (names.empty()) {
    for (const DeviceInfo& device : list_devices()) names.push_back(device.name);
  }
  std::vector<std::shared_ptr<Device>> devices;
  for (const std::string& name : names) {
    std::shared_ptr<Device> device = open_device(name);
    if (std::find(devices.begin(), devices.end(), device) == devices.end()) {
      devices.push_back(std::move(device));
    }
  }
  return devices;
}

std::vector<Policy> CommonOptions::policies() const {
  if (!policy_name.empty()) return {parse_policy(policy_name)};
  return {std::begin(kConcretePolicies), std::end(kConcretePolicies)};
}

void add_common_options(CLI::App& command, CommonOptions& options) {
  command
      .add_option("--device", options.device_names,
                  "A device by name (see `millrace devices`); may be repeated (default: all)")
      ->allow_extra_args(false);
  command.add_option("--policy", options.policy_name,
                     "persistent, uberkernel, kernel-per-type or auto (default: the first three)");
  command.add_option("--frames", options.frames, "Stop after this many frames (default: all)")
      ->check(CLI::Range(std::int64_t{1}, std::numeric_limits<std::int64_t>::max()));
  command.add_option("--json", options.json_path,
                     "Write the result as JSON to this file; - for standard output");
  command.add_flag("--force", options.force, "Replace output files that exist");
}

void write_json(const CommonOptions& options, const nlohmann::json& json) {
  if (options.json_to_stdout()) {
    std::cout << json.dump(2) << std::endl;
  } else if (!options.json_path.empty()) {
    OutputFile file(options.json_path, options.force);
    file.stream() << json.dump(2) << '\n';
    file.commit();
  }
}

}  // namespace millrace::tools
