// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/all/workloads.h>
#include <millrace/tools/command/bench/bench_options.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/number_option.h>

#include <filesystem>

namespace millrace::tools {
namespace {

std::vector<std::string> workload_choices() {
  std::vector<std::string> names;
  for (const Workload& workload : all_workloads()) names.push_back(workload.name);
  return names;
}

void add_choices(Command& command, BenchOptions& options) {
  command.add_option({.names = "WORKLOAD",
                      .help = "Workloads to run: a name such as sort-keys, or the beginning of "
                              "several such as sort (default: all; --list prints them)",
                      .store = into(options.workloads),
                      .is_repeatable = true,
                      .choices = workload_choices});
  add_devices_option(command, options.devices,
                     "Run on this device (`millrace devices` lists them), or run group workloads "
                     "on several that share them, with commas between their names. May be "
                     "repeated, as may the next four options (default: every device that is not "
                     "simulated)");
  command.add_option({.names = "--policy",
                      .value_name = "NAME",
                      .help = "Run under this policy: persistent, uberkernel, kernel-per-type or "
                              "auto (default: all)",
                      .store =
                          [&options](const std::string& name) {
                            parse_policy(name);
                            options.policies.push_back(name);
                          },
                      .is_repeatable = true,
                      .choices = policy_choices});
  command.add_option({.names = "--strategy",
                      .value_name = "NAME",
                      .help = "Run this strategy of workloads that have several (default: all)",
                      .store = into(options.strategies),
                      .is_repeatable = true});
  command.add_option({.names = "--input",
                      .value_name = "NAME",
                      .help = "Run on this input of a workload, or on a video file (default: all "
                              "inputs)",
                      .store = into(options.inputs),
                      .is_repeatable = true,
                      .files = OfferedFiles::kFiles});
  command.add_option({.names = "--size",
                      .value_name = "N",
                      .help = "Run on inputs of N items (default: the workload's sizes)",
                      .store =
                          [&options](const std::string& text) {
                            options.sizes.push_back(
                                static_cast<std::uint64_t>(parse_whole_number("--size", text, 1)));
                          },
                      .is_repeatable = true});
}

}  // namespace

void add_bench_options(Command& command, BenchOptions& options) {
  add_choices(command, options);
  constexpr double kMostSeconds = 86'400;
  command.add_option({.names = "--seconds",
                      .value_name = "S",
                      .help = "Measure each configuration for S seconds; one that is too slow for "
                              "six runs takes up to four times as long (default: 5)",
                      .store = number_in("--seconds", 1e-3, kMostSeconds, options.seconds)});
  command.add_option({.names = "--precision",
                      .value_name = "P",
                      .help =
                          "Stop measuring a configuration once its medians are known this well: "
                          "the width of the 95 % interval, as a fraction of the median "
                          "(default: 0.02)",
                      .store = number_in("--precision", 1e-4, 1, options.precision)});
  command.add_flag(
      "--quick", options.is_quick,
      "Measure one input and size of each workload for a short time: under three minutes "
      "on two cores");
  command.add_option({.names = "--label",
                      .value_name = "TEXT",
                      .help = "Call this machine TEXT in reports",
                      .store = into(options.label)});
  command.add_option({.names = "-o,--output",
                      .value_name = "FILE.json",
                      .help = "Write the results to this file, after each configuration (default: "
                              "millrace-bench.json)",
                      .store = into(options.out),
                      .files = OfferedFiles::kFiles});
  command.add_option({.names = "--traces",
                      .value_name = "FOLDER",
                      .help = "Write a timeline of one run of each streaming configuration to this "
                              "folder",
                      .store = into(options.traces),
                      .files = OfferedFiles::kFolders});
  command.add_option({.names = "--targets",
                      .value_name = "FILE.json",
                      .help = "After the run compare the results with the targets in this file, if "
                              "they are this machine's. May be repeated",
                      .store = into(options.targets),
                      .is_repeatable = true,
                      .files = OfferedFiles::kFiles});
  command.add_flag("--resume", options.resume,
                   "Continue a results file of the same machine, build and command");
  command.add_flag("--list", options.list, "List the workloads, and run nothing");
  command.add_flag("--force", options.force, "Replace a results file that exists");
}

std::string command_text(const BenchOptions& options) {
  std::string text = "millrace bench";
  for (const std::string& word : options.workloads) text += ' ' + word;
  const auto add = [&](const char* name, const auto& values) {
    for (const auto& value : values) (text += name) += ' ' + std::string(value);
  };
  add(" --device", options.devices);
  add(" --policy", options.policies);
  add(" --strategy", options.strategies);
  for (const std::uint64_t size : options.sizes) text += " --size " + std::to_string(size);
  for (const std::string& input : options.inputs) {
    text += " --input " + std::filesystem::path(input).filename().string();
  }
  if (options.seconds > 0) text += " --seconds " + shortest_text(options.seconds);
  if (options.precision > 0) text += " --precision " + shortest_text(options.precision);
  if (options.is_quick) text += " --quick";
  if (!options.label.empty()) text += " --label '" + options.label + '\'';
  return text;
}

}  // namespace millrace::tools
