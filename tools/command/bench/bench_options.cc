// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/bench/bench_options.h>

#include <CLI/CLI.hpp>

#include <filesystem>

#include <millrace/runtime/tasks/policy.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/number_option.h>

namespace millrace::tools {
namespace {

void add_choices(CLI::App& command, BenchOptions& options) {
  command
      .add_option("WORKLOAD", options.workloads,
                  "What to run, such as sort-keys, or sort for all whose names begin so (default: "
                  "all; --list shows them)")
      ->type_name("");
  const auto add_names = [&](const char* name, std::vector<std::string>& names, const char* what) {
    return command.add_option(name, names, what)->type_name("NAME")->allow_extra_args(false);
  };
  add_names("--device", options.devices,
            "A device by name (see `millrace devices`); may be repeated, as the next four "
            "(default: all that are not simulated)");
  add_names("--policy", options.policies, "persistent, uberkernel, kernel-per-type or auto")
      ->each([](const std::string& name) { parse_policy(name); });
  add_names("--strategy", options.strategies, "A way to do the work, where there are several");
  add_names("--input", options.inputs, "An input by name, or a video file");
  command.add_option("--size", options.sizes, "A size of the input")
      ->type_name("N")
      ->allow_extra_args(false)
      ->transform(whole_number(1));
}

}  // namespace

void add_bench_options(CLI::App& command, BenchOptions& options) {
  add_choices(command, options);
  constexpr double kMostSeconds = 86'400;
  command
      .add_option_function<std::string>(
          "--seconds", number_in("--seconds", 1e-3, kMostSeconds, options.seconds),
          "Time for a configuration; what is so slow that it has fewer than six runs by then "
          "takes up to four times as long (default: 5)")
      ->type_name("S");
  command
      .add_option_function<std::string>(
          "--precision", number_in("--precision", 1e-4, 1, options.precision),
          "Done is a configuration whose medians are known so well: width of the interval at 95 % "
          "to the median (default: 0.02)")
      ->type_name("P");
  command.add_flag("--quick", options.is_quick,
                   "One input and size each, little time: under two minutes on two cores");
  command.add_option("--label", options.label, "What reports call this machine")->type_name("TEXT");
  command
      .add_option("-o,--output", options.out,
                  "Where results go, after each configuration (default: millrace-bench.json)")
      ->type_name("FILE.json");
  command
      .add_option("--traces", options.traces,
                  "Write to this folder what ran when in one run of all that streams")
      ->type_name("DIR");
  command.add_flag("--resume", options.resume,
                   "Go on with a file of the same machine, build and command");
  command.add_flag("--list", options.list, "List workloads, and run nothing");
  command.add_flag("--force", options.force, "Replace a file that exists");
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
