// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/bench/bench_command.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <millrace/runtime/core/error.h>
#include <millrace/runtime/ranks/world.h>
#include <millrace/tools/benchmarks/run/measure_configuration.h>
#include <millrace/tools/benchmarks/workloads/all/workloads.h>
#include <millrace/tools/benchmarks/workloads/limits.h>
#include <millrace/tools/command/bench/bench_options.h>
#include <millrace/tools/command/bench/bench_plan.h>
#include <millrace/tools/command/bench/bench_results.h>
#include <millrace/tools/command/bench/bench_run.h>
#include <millrace/tools/command/bench/bench_table.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/nearest_name.h>
#include <millrace/tools/command/common/ranks.h>
#include <millrace/tools/files/interrupt.h>

namespace millrace::tools {
namespace {

std::vector<std::shared_ptr<Device>> open_devices(const BenchOptions& options) {
  CommonOptions common;
  common.device_names = options.devices;
  std::vector<std::shared_ptr<Device>> devices = common.open_devices();
  if (devices.empty())
    throw Error(ErrorCode::kNotFound, "there is no device to measure; `millrace devices` says why");
  return devices;
}

// Returns the chosen workloads. The message for one that does not exist has the nearest name.
std::vector<Workload> chosen_workloads(const std::vector<std::string>& words) {
  const std::vector<Workload> all = all_workloads();
  for (const std::string& word : words) {
    try {
      choose_workloads(all, {word});
    } catch (const Error& error) {
      std::vector<std::string> names;
      for (const Workload& workload : all) names.push_back(workload.name);
      throw Error(error.code(), error.what() + suggestion(word, names));
    }
  }
  return choose_workloads(all, words);
}

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw Error(ErrorCode::kIo, path + ": cannot be made: " + error.message());
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

// Throws if a result was wrong, a run failed, or nothing ran at all.
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

void run(const BenchOptions& options) {
  const std::vector<Workload> workloads = chosen_workloads(options.workloads);
  if (options.list) return print_workloads(workloads);
  if (options.resume && options.force) {
    throw Error(ErrorCode::kInvalidArgument,
                "--resume and --force are both given; give one of them");
  }
  require_regular_output(
      "-o", options.out,
      "results are written again after each measurement, so give a file in a folder");
  const auto devices = open_devices(options);
  std::vector<Configuration> plan = plan_bench(options, workloads, devices);
  if (!options.traces.empty()) {
    make_folder(options.traces);
    if (!options.force && !options.resume) require_no_traces(options, plan);
  }
  const InterruptGuard interrupt;
  BenchResults results(options, new_results(options, devices));
  BenchRun bench(std::move(plan), {options.policies, options.strategies},
                 measure_options(options, interrupt), results, measure_limits);
  try {
    bench.run();
  } catch (const Error& error) {
    if (!interrupt.caused(error)) throw;
    std::cerr << "millrace: " << interruption(interrupt.signal()) << "; " << options.out << " has "
              << bench.done() << " of " << bench.count() << " configurations; --resume continues\n";
    throw ExitStatus(128 + interrupt.signal());
  }
  end(results.results(), options.out);
}

}  // namespace

void add_bench_command(Command& root) {
  Command& command = root.add_subcommand(
      "bench", "Measure workloads on the devices of this machine, beside other libraries");
  const auto options = std::make_shared<BenchOptions>();
  add_bench_options(command, *options);
  command.on_run([options] {
    run_on_each_machine(world_communicator(), "bench", [&](const std::string& machine) {
      options->out = path_of_machine(options->out, machine);
      run(*options);
    });
  });
}

}  // namespace millrace::tools
