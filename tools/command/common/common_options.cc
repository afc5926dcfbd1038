// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/nearest_name.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/number_option.h>
#include <millrace/tools/files/names/file_name.h>
#include <millrace/tools/files/output/output_file.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

// Adds to an error about names of devices the nearest name for the first that does not exist.
Error with_nearest_device(const Error& error, const std::string& names) {
  if (error.code() != ErrorCode::kNotFound) return error;
  const std::vector<std::string> known = device_choices();
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    const std::string nearest = suggestion(names.substr(begin, end - begin), known);
    const bool is_known = std::ranges::find(known, names.substr(begin, end - begin)) != known.end();
    if (!is_known && !nearest.empty()) return Error(error.code(), error.what() + nearest);
    begin = end + 1;
  }
  return error;
}

// Rejects the output of `option`, whose file is in use: by the option `user`, or by no option.
[[noreturn]] void reject_shared_output(const std::string& option, const std::string& path,
                                       const std::string& user) {
  if (is_standard_output(path) && !user.empty()) {
    reject(user + " and " + option +
           " are both standard output, which takes one; give the other a file");
  }
  reject(option + " is " + path + ", which the run needs for something else; give another file");
}

}  // namespace

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
    DeviceGroup group = open_named_group(name);
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
      reject("--device " + group.name() +
             " is a group; this command takes one device at a time: repeat --device for "
             "each");
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
  if (names.empty())
    throw Error(ErrorCode::kNotFound, "there is no device to run on; `millrace devices` says why");
  return names.front();
}

std::vector<std::string> device_choices() {
  std::vector<std::string> names;
  for (const DeviceInfo& device : list_devices()) names.push_back(device.name);
  return names;
}

std::vector<std::string> policy_choices() {
  std::vector<std::string> names = {to_string(Policy::kAuto)};
  for (const Policy policy : kConcretePolicies) names.emplace_back(to_string(policy));
  return names;
}

DeviceGroup open_named_group(const std::string& names) {
  try {
    return open_device_group(names);
  } catch (const Error& error) {
    throw with_nearest_device(error, names);
  }
}

std::shared_ptr<Device> open_named_device(const std::string& name) {
  try {
    return open_device(name);
  } catch (const Error& error) {
    throw with_nearest_device(error, name);
  }
}

void add_devices_option(Command& command, std::vector<std::string>& names,
                        const std::string& help) {
  command.add_option({.names = "--device",
                      .value_name = "NAME",
                      .help = help,
                      .store = into(names),
                      .is_repeatable = true,
                      .choices = device_choices});
}

void add_device_option(Command& command, std::string& name, const std::string& help) {
  command.add_option({.names = "--device",
                      .value_name = "NAME",
                      .help = help,
                      .store = into(name),
                      .choices = device_choices});
}

void add_policy_option(Command& command, StoreValue store, const std::string& help) {
  command.add_option({.names = "--policy",
                      .value_name = "NAME",
                      .help = help,
                      .store = std::move(store),
                      .choices = policy_choices});
}

void add_common_options(Command& command, CommonOptions& options) {
  add_devices_option(
      command, options.device_names,
      "Run on this device (`millrace devices` lists them), or on several that share the work, with "
      "commas between their names. Repeat the option to compare devices (default: every device "
      "that is not simulated)");
  add_policy_option(
      command, [&options](const std::string& name) { options.policies = {parse_policy(name)}; },
      "Schedule tasks by this policy: persistent, uberkernel, kernel-per-type, or auto, which "
      "lets the device choose (default: run each of the first three)");
  add_frames_option(command, options.frames, "Stop after N frames (default: all frames)");
  add_output_options(command, options);
}

void add_frames_option(Command& command, std::int64_t& frames, const std::string& help) {
  command.add_option({.names = "--frames",
                      .value_name = "N",
                      .help = help,
                      .store = whole_number_from("--frames", 1, frames)});
}

void add_output_options(Command& command, CommonOptions& options) {
  command.add_option({.names = "--json",
                      .value_name = "FILE",
                      .help = "Write the result to FILE as JSON; - is standard output",
                      .store = into(options.json_path),
                      .files = OfferedFiles::kFiles});
  command.add_flag("--force", options.force, "Replace output files that exist");
}

void add_trace_option(Command& command, CommonOptions& options) {
  command.add_option({.names = "--trace",
                      .value_name = "FILE",
                      .help = "Write a timeline of the run to FILE, which chrome://tracing and "
                              "ui.perfetto.dev open",
                      .store = into(options.trace_path),
                      .files = OfferedFiles::kFiles});
}

void check_json_path(const CommonOptions& options) {
  if (!options.json_path.empty()) OutputFile::check(options.json_path, options.force);
}

bool names_folder(const std::string& name) {
  std::error_code ignored;
  return name.ends_with('/') || std::filesystem::is_directory(name, ignored);
}

void check_outputs_differ(const std::vector<std::pair<std::string, std::string>>& outputs,
                          const std::vector<std::string>& taken) {
  std::map<std::string, std::string> users;  // Options, or empty, by the identities of files.
  for (const std::string& path : taken) users.emplace(identity_of(path, NameUse::kInput), "");
  for (const auto& [option, path] : outputs) {
    const std::string identity = path.empty() ? "" : identity_of(path, NameUse::kOutput);
    if (identity.empty()) continue;
    const auto [user, is_new] = users.emplace(identity, option);
    if (is_new) continue;
    reject_shared_output(option, path, user->second);
  }
}

void check_reports_differ(const CommonOptions& options, const std::vector<std::string>& taken) {
  check_outputs_differ({{"--json", options.json_path}, {"--trace", options.trace_path}}, taken);
}

void require_regular_output(const std::string& option, const std::string& path,
                            const std::string& why) {
  if (path.empty() || !is_written_directly(path)) return;
  reject(option + " is " + path + "; " + why);
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
