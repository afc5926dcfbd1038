// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/world.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/run/device_set.h>
#include <millrace/tools/benchmarks/run/measure_configuration.h>
#include <millrace/tools/benchmarks/workloads/all/workloads.h>
#include <millrace/tools/benchmarks/workloads/device_limits.h>
#include <millrace/tools/command/bench/bench_command.h>
#include <millrace/tools/command/bench/bench_options.h>
#include <millrace/tools/command/bench/bench_plan.h>
#include <millrace/tools/command/bench/bench_results.h>
#include <millrace/tools/command/bench/bench_run.h>
#include <millrace/tools/command/bench/bench_table.h>
#include <millrace/tools/command/bench/bench_targets.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/exit_status.h>
#include <millrace/tools/command/common/ranks.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/files/output/make_folder.h>
#include <millrace/tools/report/targets/targets.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

constexpr char kWhyRegular[] =
    "results are written again after each measurement, so give a file in a folder";

std::vector<DeviceSet> open_devices(const BenchOptions& options) {
  CommonOptions common;
  common.device_names = options.devices;
  std::vector<DeviceSet> devices;
  for (const DeviceGroup& group : common.open_groups()) devices.emplace_back(group.devices());
  if (devices.empty())
    throw Error(ErrorCode::kNotFound, "there is no device to measure; `millrace devices` says why");
  return devices;
}

// Throws kIo if a trace of a planned configuration exists already.
void require_no_traces(const BenchOptions& options, const std::vector<Configuration>& plan) {
  for (const auto& entry : std::filesystem::directory_iterator(options.traces)) {
    const std::string name = entry.path().filename().string();
    const bool is_taken = std::ranges::any_of(plan, [&](const Configuration& each) {
      const std::string stem = trace_stem(each, options.out);
      return name.starts_with(stem + '-') || name == stem + ".json";
    });
    if (!is_taken) continue;
    throw Error(ErrorCode::kIo, entry.path().string() + ": exists already (--force replaces it)");
  }
}

MeasureOptions measure_options(const BenchOptions& options, const InterruptGuard& interrupt) {
  const auto chosen = [&](double given, double usual, double quick) {
    return given > 0 ? given : options.is_quick ? quick : usual;
  };
  MeasureOptions result;
  result.seconds = chosen(options.seconds, BenchOptions::kSeconds, BenchOptions::kQuickSeconds);
  result.precision =
      chosen(options.precision, BenchOptions::kPrecision, BenchOptions::kQuickPrecision);
  if (options.is_quick) result.energy_seconds = 0;
  result.results_path = options.out;
  result.traces = options.traces;
  result.replaces_traces = options.force || options.resume;
  result.is_stopped = [&interrupt] { return interrupt.interrupted(); };
  return result;
}

// Prints how many results there are of each kind. Throws if a result was wrong, a run failed, or
// nothing ran at all.
void end(const Results& results, const std::string& path) {
  const auto count = [&](MeasurementStatus status) {
    return std::ranges::count(results.measurements, status, &Measurement::status);
  };
  const auto ok = count(MeasurementStatus::kOk);
  const auto wrong = count(MeasurementStatus::kWrong);
  const auto failed = count(MeasurementStatus::kFailed);
  std::printf("%s: %td measured, %td wrong, %td not supported, %td failed\n", path.c_str(), ok,
              wrong, count(MeasurementStatus::kUnsupported), failed);
  if (ok + wrong + failed == 0) {
    throw Error(ErrorCode::kUnsupported, "no chosen workload can run here; " + path + " says why");
  }
  if (wrong + failed == 0) return;
  std::cerr << "millrace: " << wrong << " of " << results.measurements.size()
            << " measurements gave a wrong result and " << failed << " failed; " << path
            << " says why\n";
  throw ExitStatus(1);
}

// Ends an interrupted run.
[[noreturn]] void end_by_signal(int signal, const BenchRun& bench, const std::string& path,
                                bool prints) {
  if (prints) {
    std::cerr << "millrace: " << interruption(signal) << "; " << path << " has " << bench.done()
              << " of " << bench.count() << " configurations; --resume continues\n";
  }
  throw ExitStatus(128 + signal);
}

void run(const BenchOptions& options) {
  const std::vector<Workload> workloads = choose_workloads(all_workloads(), options.workloads);
  if (options.list) return print_workloads(workloads);
  if (options.resume && options.force) {
    reject("--resume and --force are both given; give one of them");
  }
  require_regular_output("-o", options.out, kWhyRegular);
  check_outputs_differ({{"-o", options.out}}, options.targets);
  const std::vector<TargetSet> targets = read_target_files(options.targets);
  const auto devices = open_devices(options);
  std::vector<Configuration> plan = plan_bench(options, workloads, devices);
  if (!options.traces.empty()) {
    make_folder(options.traces);
    if (!options.force && !options.resume) require_no_traces(options, plan);
  }
  const InterruptGuard interrupt;
  BenchResults results(options, new_results(options, devices));
  BenchRun bench(std::move(plan), {options.policies, options.strategies},
                 measure_options(options, interrupt), results, measure_device_limits);
  try {
    bench.run();
  } catch (const Error& error) {
    if (!interrupt.caused(error)) throw;
    end_by_signal(interrupt.signal(), bench, options.out, true);
  }
  for (const TargetSet& set : targets) print_targets(set, results.results());
  end(results.results(), options.out);
}

// Returns true if workloads of ranks are chosen by name, and there are several ranks.
bool is_of_ranks(const Communicator& world, const BenchOptions& options) {
  if (world.size() == 1 || options.workloads.empty()) return false;
  const std::vector<Workload> all = all_workloads();
  return std::ranges::any_of(options.workloads, [&](const std::string& word) {
    return std::ranges::any_of(all, [&](const Workload& workload) {
      return workload.prepare_ranks != nullptr &&
             (workload.name == word || workload.name.starts_with(word + '-'));
    });
  });
}

void require_ranks_alone(const std::vector<Workload>& workloads) {
  for (const Workload& workload : workloads) {
    if (workload.prepare_ranks) continue;
    reject(workload.name +
           " runs on one rank of each machine, and other chosen workloads on all ranks "
           "together; choose them in two commands");
  }
}

// Returns the devices of all ranks as one option names them.
std::string devices_of_ranks(const BenchOptions& options) {
  if (options.devices.size() <= 1) return options.devices.empty() ? "" : options.devices.front();
  reject("--device is given " + std::to_string(options.devices.size()) +
         " times; ranks work together, so give it once, with commas between the devices of "
         "a machine's ranks");
}

// Makes all ranks take rank 0's decisions, and poll for the signals of all.
void decide_together(Communicator& world, const InterruptGuard& interrupt, int& signal,
                     MeasureOptions& options) {
  options.now = [&world] {
    double now = seconds_now();
    world.broadcast(&now, sizeof now, 0);
    return now;
  };
  options.decided = [&world](bool mine) {
    world.broadcast(&mine, sizeof mine, 0);
    return mine;
  };
  options.is_stopped = [&world, &interrupt, &signal] {
    signal = signal_of_any(world, interrupt);
    return signal != 0;
  };
  options.energy_seconds = 0;  // A rank knows that of its own machine alone.
  options.prints = world.rank() == 0;
}

// A run of all ranks, as each of them knows it.
struct RanksRun {
  RankWorld ranks;
  std::vector<Workload> workloads = {};
  std::vector<Configuration> plan = {};
  std::optional<BenchResults> results = {};  // Rank 0's are in the file.
};

// Plans this rank's portion. Not collective; throws what is wrong on this rank.
void plan_on_rank(BenchOptions& options, RanksRun& run) {
  run.workloads = choose_workloads(all_workloads(), options.workloads);
  require_ranks_alone(run.workloads);
  if (options.list) return;
  require_regular_output("-o", options.out, kWhyRegular);
  const std::vector<DeviceSet> device = {
      open_rank_device(run.ranks.all, devices_of_ranks(options))};
  run.plan = plan_bench(options, run.workloads, device);
  for (Configuration& configuration : run.plan) configuration.ranks = &run.ranks;
  options.traces.clear();  // No workload of ranks has one.
  if (run.ranks.all.rank() > 0) options.out.clear();
  run.results.emplace(options, new_results(options, device));
}

// Collective. Throws on all ranks if their devices are of kinds that have other sizes.
void compare_plans(Communicator& world, const std::vector<Configuration>& plan) {
  std::string sizes;
  for (const Configuration& each : plan) sizes += std::to_string(each.size) + ' ';
  ArgumentCheck(world, "bench").add("the sizes by its device", sizes).compare();
}

// Collective. Ends as end() does, on all ranks.
void end_on_ranks(Communicator& world, const Results& results, const std::string& path) {
  int status = 0;
  together(world, [&] {
    try {
      if (world.rank() == 0) end(results, path);
    } catch (const ExitStatus& end) {
      status = end.status();
    }
  });
  world.broadcast(&status, sizeof status, 0);
  if (status != 0) throw ExitStatus(status);
}

// Collective. Rank 0 alone prints, and writes the results.
void run_on_ranks(Communicator& world, BenchOptions options) {
  RanksRun run{.ranks = {world, &make_subcommunicator}};
  together(world, [&] { plan_on_rank(options, run); });
  if (options.list) {
    if (world.rank() == 0) print_workloads(run.workloads);
    return;
  }
  compare_plans(world, run.plan);
  const InterruptGuard interrupt;
  int signal = 0;
  MeasureOptions measure = measure_options(options, interrupt);
  decide_together(world, interrupt, signal, measure);
  BenchRun bench(run.plan, {options.policies, options.strategies}, measure, *run.results, {});
  try {
    bench.run();
  } catch (const Error&) {
    if (signal == 0) throw;
    end_by_signal(signal, bench, options.out, measure.prints);
  }
  end_on_ranks(world, run.results->results(), options.out);
}

// Runs on the ranks together, or on one rank of each machine.
void run_on_machines(BenchOptions& options) {
  Communicator& world = world_communicator();
  if (is_of_ranks(world, options)) {
    return run_on_rank(world, [&] { run_on_ranks(world, options); });
  }
  run_on_each_machine(world, "bench", [&](const std::string& machine) {
    options.out = path_of_machine(options.out, machine);
    run(options);
  });
}

}  // namespace

void add_bench_command(Command& root) {
  root.add_subcommand<BenchOptions>(
      "bench", "Measure workloads on the devices of this machine, beside other libraries",
      add_bench_options, run_on_machines);
}

}  // namespace millrace::tools
