// What every subcommand of `millrace` takes.
#ifndef MILLRACE_TOOLS_COMMAND_COMMON_OPTIONS_H_
#define MILLRACE_TOOLS_COMMAND_COMMON_OPTIONS_H_

#include <CLI/CLI.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <millrace/runtime/device.h>
#include <millrace/runtime/policy.h>

namespace millrace::tools {

struct CommonOptions {
  std::vector<std::string> device_names;  // Empty: every device of every linked backend.
  std::string policy_name;                // Empty: every policy.
  std::int64_t frames = 0;                // 0: all of them.
  std::string json_path;                  // Empty: no JSON; "-": standard output, and no table.
  bool force = false;                     // Existing output files are replaced.

  bool json_to_stdout() const { return json_path == "-"; }

  // Opens the devices, each once. Throws Error (kNotFound) with the names there are.
  std::vector<std::shared_ptr<Device>> open_devices() const;

  // Throws Error (kInvalidArgument) with the names there are.
  std::vector<Policy> policies() const;
};

// Adds --device, --policy, --frames, --json and --force to a subcommand. `options` must outlive it.
void add_common_options(CLI::App& command, CommonOptions& options);

// Writes `json` where --json says. Throws Error (kIo).
void write_json(const CommonOptions& options, const nlohmann::json& json);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_COMMON_OPTIONS_H_
