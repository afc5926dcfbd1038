// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/common/common_options.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/names/file_name.h>
#include <millrace/tools/files/output/output_file.h>

namespace millrace::tools {

bool CommonOptions::json_to_stdout() const { return is_standard_output(json_path); }

std::vector<DeviceGroup> CommonOptions::open_groups() const {
  std::vector<std::string> names = device_names;
  if (names.empty()) {
    for (const DeviceInfo& device : list_devices()) {
      if (!device.is_simulated) names.push_back(device.name);
    }
  }
  std::vector<DeviceGroup> groups;
  for (const std::string& name : names) {
    DeviceGroup group = open_device_group(name);
    const bool is_new = std::ranges::none_of(
        groups, [&](const DeviceGroup& other) { return other.name() == group.name(); });
    if (is_new) groups.push_back(std::move(group));
  }
  return groups;
}

std::vector<std::shared_ptr<Device>> CommonOptions::open_devices() const {
  std::vector<std::shared_ptr<Device>> devices;
  for (const DeviceGroup& group : open_groups()) {
    if (group.size() > 1) {
      throw Error(ErrorCode::kInvalidArgument,
                  "--device " + group.name() +
                      " is a group; this command takes one device at a time, and more of them by "
                      "more --device");
    }
    devices.push_back(group.device(0));
  }
  return devices;
}

std::vector<std::string> devices_by_preference() {
  std::vector<DeviceInfo> devices = list_devices();
  std::erase_if(devices, [](const DeviceInfo& device) { return device.is_simulated; });
  std::ranges::stable_sort(devices, {}, [](const DeviceInfo& device) {
    return std::pair(device.shares_host_memory, device.name != device.backend);
  });
  std::vector<std::string> names;
  for (const DeviceInfo& device : devices) names.push_back(device.name);
  return names;
}

std::string default_device() {
  const std::vector<std::string> names = devices_by_preference();
  if (names.empty()) throw Error(ErrorCode::kNotFound, "there is no device to run on");
  return names.front();
}

CLI::Validator whole_number(std::int64_t low, std::int64_t high) {
  const auto check = [low, high](std::string& text) -> std::string {
    std::int64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (rest == end && error == std::errc() && value >= low && value <= high) {
      text = std::to_string(value);  // CLI11 would take 010 for octal.
      return "";
    }
    const bool is_open = high == std::numeric_limits<std::int64_t>::max();
    return "'" + text + "' is not a whole number " +
           (is_open ? "from " + std::to_string(low) + " on"
                    : "in " + std::to_string(low) + ".." + std::to_string(high));
  };
  return {check, ""};
}

void add_common_options(CLI::App& command, CommonOptions& options) {
  command
      .add_option("--device", options.device_names,
                  "A device by name (see `millrace devices`), or several with commas between them, "
                  "which share the work; may be repeated, to compare (default: all that are not "
                  "simulated)")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command
      .add_option_function<std::string>(
          "--policy",
          [&options](const std::string& name) { options.policies = {parse_policy(name)}; },
          "persistent, uberkernel, kernel-per-type, or auto: the device chooses "
          "(default: each of the first three)")
      ->type_name("NAME");
  command.add_option("--frames", options.frames, "Stop after this many frames (default: all)")
      ->type_name("N")
      ->transform(whole_number(1));
  add_output_options(command, options);
}

void add_output_options(CLI::App& command, CommonOptions& options) {
  command
      .add_option("--json", options.json_path,
                  "Write the result as JSON to this file; - for standard output")
      ->type_name("FILE");
  command.add_flag("--force", options.force, "Replace output files that exist");
}

void add_trace_option(CLI::App& command, CommonOptions& options) {
  command
      .add_option("--trace", options.trace_path,
                  "Write what ran when to this file, for chrome://tracing or ui.perfetto.dev")
      ->type_name("FILE");
}

void check_json_path(const CommonOptions& options) {
  if (!options.json_path.empty()) OutputFile::check(options.json_path, options.force);
}

void check_outputs_are_apart(const std::vector<std::pair<std::string, std::string>>& outputs,
                             const std::vector<std::string>& taken) {
  std::map<std::string, std::string> users;  // Of files, by their identities; options or empty.
  for (const std::string& path : taken) users.emplace(identity_of(path, NameUse::kInput), "");
  for (const auto& [option, path] : outputs) {
    const std::string identity = path.empty() ? "" : identity_of(path, NameUse::kOutput);
    if (identity.empty()) continue;
    const auto [user, is_new] = users.emplace(identity, option);
    if (is_new) continue;
    if (is_standard_output(path) && !user->second.empty()) {
      throw Error(ErrorCode::kInvalidArgument,
                  user->second + " and " + option + " are both standard output, which takes one");
    }
    throw Error(ErrorCode::kInvalidArgument,
                option + " is " + path + ", which the run needs for something else");
  }
}

void check_reports_are_apart(const CommonOptions& options, const std::vector<std::string>& taken) {
  check_outputs_are_apart({{"--json", options.json_path}, {"--trace", options.trace_path}}, taken);
}

void require_regular_output(const std::string& option, const std::string& path,
                            const std::string& why) {
  if (path.empty() || !is_written_directly(path)) return;
  throw Error(ErrorCode::kInvalidArgument, option + " is " + path + "; " + why);
}

std::string json_text(const nlohmann::json& json) {
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

void write_json(const CommonOptions& options, const nlohmann::json& json) {
  if (options.json_path.empty()) return;
  std::fflush(stdout);
  OutputFile file(options.json_path, options.force);
  file.stream() << json_text(json);
  file.commit();
}

}  // namespace millrace::tools
