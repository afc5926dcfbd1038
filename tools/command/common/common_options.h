// SPDX-License-Identifier: Apache-2.0

// Options that subcommands of `millrace` have in common.
#ifndef MILLRACE_TOOLS_COMMAND_COMMON_COMMON_OPTIONS_H_
#define MILLRACE_TOOLS_COMMAND_COMMON_COMMON_OPTIONS_H_

#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/tasks/policy.h>
#include <millrace/tools/command/common/command_line.h>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {

struct CommonOptions {
  std::vector<std::string> device_names;  // Devices or groups. Empty: all that are not simulated.
  std::vector<Policy> policies{std::begin(kConcretePolicies), std::end(kConcretePolicies)};
  std::int64_t frames = 0;  // 0: all frames.
  std::string json_path;    // Empty: no JSON; "-" or /dev/stdout: standard output, and no table.
  std::string trace_path;   // Empty: no timeline.
  bool force = false;       // Existing output files are replaced.

  bool json_to_stdout() const;

  // Opens the devices, each once; names with commas between them are a group. Throws what
  // open_device_group() throws.
  std::vector<DeviceGroup> open_groups() const;

  // The same for commands that take one device at a time. Throws kInvalidArgument for a group.
  std::vector<std::shared_ptr<Device>> open_devices() const;
};

// Returns the devices that a command of one device tries in turn: those with memory of their own,
// then backends of one device, such as tbb, then others; none that is simulated.
std::vector<std::string> devices_by_preference();

// Returns the first of them. Throws Error (kNotFound) where there is none.
std::string default_device();

// Returns the names of all devices, simulated ones too, and of all policies.
std::vector<std::string> device_choices();
std::vector<std::string> policy_choices();

// Opens a device, or the group of several with commas between their names. Throws what
// open_device_group() throws; the message has the nearest name.
DeviceGroup open_named_group(const std::string& names);

// Opens one device, likewise. Throws what open_device() throws.
std::shared_ptr<Device> open_named_device(const std::string& name);

// Adds --device, --policy, --frames, --json and --force to a subcommand. `options` must outlive it.
void add_common_options(Command& command, CommonOptions& options);

// Adds --device of a subcommand that compares devices, or of one that runs on one device or group.
void add_devices_option(Command& command, std::vector<std::string>& names, const std::string& help);
void add_device_option(Command& command, std::string& name, const std::string& help);

// Adds --policy; `store` takes the name.
void add_policy_option(Command& command, StoreValue store, const std::string& help);

// Adds --frames, of one frame at least.
void add_frames_option(Command& command, std::int64_t& frames, const std::string& help);

// Adds --json and --force.
void add_output_options(Command& command, CommonOptions& options);

// Adds --trace to a subcommand that has a TraceFile.
void add_trace_option(Command& command, CommonOptions& options);

// Throws Error (kIo) if write_json could not write the file of --json; called at the start of a
// long run. Opens no pipe.
void check_json_path(const CommonOptions& options);

// Returns true if `name` ends in / or is the name of a folder that exists.
bool names_folder(const std::string& name);

// Throws Error (kInvalidArgument) if two of `outputs`, each an option and the path it names, are
// the same file, pipe or descriptor, or one of `taken`, which the run reads or writes otherwise.
// Empty paths are none, and devices such as /dev/null take any number.
void check_outputs_differ(const std::vector<std::pair<std::string, std::string>>& outputs,
                          const std::vector<std::string>& taken);

// The same for --json and --trace.
void check_reports_differ(const CommonOptions& options, const std::vector<std::string>& taken);

// Throws Error (kInvalidArgument) with `why` if an output is a pipe, a device or an open
// descriptor: for outputs that are written several times or have files beside them.
void require_regular_output(const std::string& option, const std::string& path,
                            const std::string& why);

// Returns the indented text of `json`; bytes of names that are not UTF-8 become U+FFFD.
std::string json_text(const nlohmann::json& json);

// Writes `json` to the file of --json. Throws Error (kIo).
void write_json(const CommonOptions& options, const nlohmann::json& json);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_COMMON_COMMON_OPTIONS_H_
