// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/auto/policy_store.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/ranks/world.h>
#include <millrace/tools/benchmarks/tune/tune.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/exit_status.h>
#include <millrace/tools/command/common/interrupt_stop.h>
#include <millrace/tools/command/common/number_option.h>
#include <millrace/tools/command/common/ranks.h>
#include <millrace/tools/command/devices/stored_costs.h>
#include <millrace/tools/command/devices/tune_command.h>
#include <millrace/tools/files/interrupt_guard.h>

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

struct TuneCommandOptions {
  CommonOptions common;  // Only the devices are used.
  double seconds = 20;
  bool shows = false;
  bool forgets = false;
};

constexpr const char* kTermNames[kCostTerms] = {"run",  "wave", "spread", "root", "item",
                                                "byte", "type", "mix",    "work"};

void print_costs(const DeviceCosts& costs) {
  std::printf("%-15s", "us");
  for (const char* const name : kTermNames) std::printf("  %10s", name);
  std::printf("\n");
  for (const Policy policy : kConcretePolicies) {
    std::printf("%-15s", to_string(policy));
    for (int term = 0; term < kCostTerms; ++term) {
      const double unit = term == kCostOfWork ? 1 : 1e6;  // The last term is a factor.
      std::printf("  %10.4f", costs.of(policy)[term] * unit);
    }
    std::printf("\n");
  }
  std::printf("%.0f items at a time", costs.workers);
  if (costs.link.up > 0) {
    std::printf("; link: %.2f GB/s up, %.2f down, %.1f us a chunk", costs.link.up / 1e9,
                costs.link.down / 1e9, costs.link.chunk_seconds * 1e6);
  }
  std::printf("\n");
}

void print_runs(const TuneResult& result) {
  std::printf("%-44s  %-15s  %12s  %12s\n", "workload", "policy", "measured us", "fitted us");
  for (const TunedRun& tuned : result.runs) {
    std::printf("%-44s  %-15s  %12.1f  %12.1f\n", tuned.workload.c_str(),
                to_string(tuned.run.policy), tuned.run.seconds * 1e6,
                tuned.predicted_seconds * 1e6);
  }
}

void show(const DeviceInfo& device) {
  std::printf("%s: %s; %s\n", device.name.c_str(), device.description.c_str(),
              describe_costs(device).c_str());
  print_costs(*costs_of(device));
}

void forget(const DeviceInfo& device) {
  std::printf("%s: %s\n", device.name.c_str(),
              forget_costs(device) ? "forgotten" : "nothing was stored");
}

void measure(const std::shared_ptr<Device>& device, double seconds,
             const InterruptGuard& interrupt) {
  const InterruptStop stop(interrupt);
  const DeviceInfo& info = device->info();
  std::printf("%s: %s\n", info.name.c_str(), info.description.c_str());
  std::fflush(stdout);
  TuneResult result;
  try {
    result = tune(device, seconds, stop.token());
  } catch (const Error& error) {
    if (!interrupt.caused(error)) throw;
    std::cerr << "millrace: " << interruption(interrupt.signal()) << "; nothing was stored\n";
    throw ExitStatus(128 + interrupt.signal());
  }
  print_runs(result);
  print_costs(result.costs);
  std::printf("the fit is off by %.1f %% in the mean\n", 100 * result.costs.residual);
  store_costs(info, result.costs);
  std::printf("stored in %s\n", policy_store_path(info).c_str());
}

void run(const TuneCommandOptions& options) {
  if (options.shows && options.forgets) {
    reject("--show and --forget are both given; give one of them");
  }
  const auto devices = options.common.open_devices();
  const bool measures = !options.shows && !options.forgets;
  for (const auto& device : devices) {
    if (measures) check_costs_can_be_stored(device->info());
  }
  const InterruptGuard interrupt;
  for (const auto& device : devices) {
    if (options.forgets) {
      forget(device->info());
    } else if (options.shows) {
      show(device->info());
    } else {
      measure(device, options.seconds, interrupt);
    }
  }
}

}  // namespace

void add_tune_command(Command& root) {
  Command& command = root.add_subcommand(
      "tune", "Measure the cost of scheduling on this machine, and store it for --policy auto");
  const auto options = std::make_shared<TuneCommandOptions>();
  add_devices_option(
      command, options->common.device_names,
      "Measure this device (`millrace devices` lists them). May be repeated (default: "
      "every device that is not simulated)");
  command.add_option({.names = "--seconds",
                      .value_name = "S",
                      .help = "Measure each device for about S seconds (default: 20)",
                      .store = number_in("--seconds", 0, 3600, options->seconds)});
  command.add_flag("--show", options->shows, "Print the stored costs, and measure nothing");
  command.add_flag("--forget", options->forgets, "Remove the stored costs, and measure nothing");
  command.on_run([options] {
    run_on_each_machine(world_communicator(), "tune", [&](const std::string&) { run(*options); });
  });
}

}  // namespace millrace::tools
