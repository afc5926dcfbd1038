#include <millrace/tools/command/bench_command.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <millrace/runtime/error.h>
#include <millrace/runtime/world.h>
#include <millrace/tools/command/bench_measure.h>
#include <millrace/tools/command/bench_options.h>
#include <millrace/tools/command/bench_plan.h>
#include <millrace/tools/command/bench_results.h>
#include <millrace/tools/command/bench_table.h>
#include <millrace/tools/command/common_options.h>
#include <millrace/tools/command/progress.h>
#include <millrace/tools/command/ranks.h>
#include <millrace/tools/files/interrupt.h>
#include <millrace/tools/measure/device_probe.h>
#include <millrace/tools/workloads/limits.h>
#include <millrace/tools/workloads/workloads.h>

namespace millrace::tools {
namespace {

std::vector<std::shared_ptr<Device>> open_devices(const BenchOptions& options) {
  CommonOptions common;
  common.device_names = options.devices;
  std::vector<std::shared_ptr<Device>> devices = common.open_devices();
  if (devices.empty()) throw Error(ErrorCode::kNotFound, "there is no device to measure");
  return devices;
}

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw Error(ErrorCode::kIo, path + ": cannot be made: " + error.message());
}

// Throws kIo where a trace of what is planned is there already.
void require_no_traces(const BenchOptions& options, const std::vector<BenchConfiguration>& plan) {
  for (const auto& entry : std::filesystem::directory_iterator(options.traces)) {
    const std::string name = entry.path().filename().string();
    const bool is_taken = std::ranges::any_of(plan, [&](const BenchConfiguration& each) {
      const std::string stem = trace_stem(each, options.out);
      return name.starts_with(stem + '-') || name == stem + ".json";
    });
    if (!is_taken) continue;
    throw Error(ErrorCode::kIo, entry.path().string() + ": exists already (--force replaces it)");
  }
}

BenchMeasureOptions measure_options(const BenchOptions& options, const InterruptGuard& interrupt) {
  const auto chosen = [&](double given, double usual, double quick) {
    return given > 0 ? given : options.is_quick ? quick : usual;
  };
  BenchMeasureOptions result;
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

// Goes through a plan, device by device.
class BenchRun {
 public:
  BenchRun(const BenchOptions& options, std::vector<BenchConfiguration> plan, BenchResults& results,
           const InterruptGuard& interrupt)
      : plan_(std::move(plan)),
        results_(results),
        choice_{options.policies, options.strategies},
        options_(measure_options(options, interrupt)) {}

  // Throws kCancelled when it is interrupted.
  void run() {
    // Where a table is on the terminal, it shows the progress.
    Progress progress(isatty(STDOUT_FILENO) != 0 ? 0 : static_cast<std::int64_t>(plan_.size()));
    for (done_ = 0; done_ < plan_.size(); ++done_) {
      const BenchConfiguration& configuration = plan_[done_];
      if (!results_.has(configuration)) measure(configuration);
      progress.advance();
    }
    results_.complete();
  }

  std::size_t done() const { return done_; }
  std::size_t count() const { return plan_.size(); }

 private:
  void measure(const BenchConfiguration& configuration) {
    use(*configuration.device);
    const std::vector<Measurement> measurements =
        measure_configuration(configuration, choice_, limits_, *probe_, options_);
    results_.add(measurements);
    print_measurements(measurements, done_ + 1, plan_.size());
  }

  // Limits are measured before what they bound, once for a file.
  void use(Device& device) {
    if (device_ == &device) return;
    device_ = &device;
    probe_ = probe_of(device.info());
    limits_ = results_.limits_of(device);
    if (limits_.empty()) {
      limits_ = measure_limits(device.shared_from_this(), options_.seconds, options_.is_stopped);
      results_.add_limits(limits_);
    }
    print_limits(limits_);
  }

  const std::vector<BenchConfiguration> plan_;
  BenchResults& results_;
  const RunChoice choice_;
  const BenchMeasureOptions options_;
  std::size_t done_ = 0;

  Device* device_ = nullptr;  // The one at hand, and what goes with it.
  std::unique_ptr<DeviceProbe> probe_;
  std::vector<LimitRecord> limits_;
};

void print_end(const Results& results, const std::string& path) {
  const auto count = [&](MeasurementStatus status) {
    return std::ranges::count(results.measurements, status, &Measurement::status);
  };
  std::printf("%s: %td measured, %td wrong, %td not supported, %td failed\n", path.c_str(),
              count(MeasurementStatus::kOk), count(MeasurementStatus::kWrong),
              count(MeasurementStatus::kUnsupported), count(MeasurementStatus::kFailed));
}

void run(const BenchOptions& options) {
  const std::vector<Workload> workloads = choose_workloads(all_workloads(), options.workloads);
  if (options.list) return print_workloads(workloads);
  if (options.resume && options.force) {
    throw Error(ErrorCode::kInvalidArgument, "--resume and --force are both given");
  }
  const auto devices = open_devices(options);
  std::vector<BenchConfiguration> plan = plan_bench(options, workloads, devices);
  if (!options.traces.empty()) {
    make_folder(options.traces);
    if (!options.force && !options.resume) require_no_traces(options, plan);
  }
  const InterruptGuard interrupt;
  BenchResults results(options, new_results(options, devices));
  BenchRun bench(options, std::move(plan), results, interrupt);
  try {
    bench.run();
  } catch (const Error&) {
    if (!interrupt.interrupted()) throw;
    std::cerr << "millrace: interrupted; " << options.out << " has " << bench.done() << " of "
              << bench.count() << " configurations, --resume goes on\n";
    throw CLI::RuntimeError(128 + interrupt.signal());
  }
  print_end(results.results(), options.out);
}

}  // namespace

void add_bench_command(CLI::App& app) {
  CLI::App* const command = app.add_subcommand(
      "bench",
      "Measure workloads on this machine's devices, beside the sorts and coders of others");
  const auto options = std::make_shared<BenchOptions>();
  add_bench_options(*command, *options);
  command->callback(
      [options] { run_on_rank_0(world_communicator(), "bench", [&] { run(*options); }); });
}

}  // namespace millrace::tools
