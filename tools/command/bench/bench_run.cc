// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/bench/bench_run.h>
#include <millrace/tools/command/bench/bench_table.h>
#include <millrace/tools/command/common/progress.h>

#include <unistd.h>

#include <cstdint>
#include <exception>
#include <iostream>
#include <utility>

namespace millrace::tools {

BenchRun::BenchRun(std::vector<Configuration> plan, RunSelection choice, MeasureOptions options,
                   BenchResults& results, MeasureLimits measure_limits)
    : plan_(std::move(plan)),
      choice_(std::move(choice)),
      options_(std::move(options)),
      results_(results),
      measure_limits_(std::move(measure_limits)) {}

void BenchRun::run() {
  // A table on the terminal shows the progress.
  const bool has_progress = options_.prints && isatty(STDOUT_FILENO) == 0;
  Progress progress(has_progress ? static_cast<std::int64_t>(plan_.size()) : 0);
  for (done_ = 0; done_ < plan_.size(); ++done_) {
    const Configuration& configuration = plan_[done_];
    if (!options_.decided(results_.has(configuration))) measure(configuration);
    progress.advance();
  }
  results_.complete();
}

void BenchRun::measure(const Configuration& configuration) {
  use(configuration.devices);
  const std::vector<Measurement> measurements =
      measure_configuration(configuration, choice_, limits_, *probe_, options_);
  results_.add(measurements);
  if (options_.prints) print_measurements(measurements, done_ + 1, plan_.size());
}

// Measures the limits before the work that they bound, once for each results file.
void BenchRun::use(const DeviceSet& devices) {
  if (device_ == devices.name()) return;
  device_ = devices.name();
  probe_ = probe_of(devices.infos());
  limits_ = results_.limits_of(device_);
  if (limits_.empty()) {
    limits_ = measured_limits(devices);
    results_.add_limits(limits_);
  }
  if (!options_.prints) return;
  print_limits(limits_);
  if (options_.energy_seconds > 0 && !probe_->joules()) {
    std::cout << "energy on " << device_ << " is not known: no counter of it can be read\n";
  }
}

std::vector<LimitRecord> BenchRun::measured_limits(const DeviceSet& devices) const {
  if (devices.is_group() || !measure_limits_) return {};
  try {
    return measure_limits_(devices.first(), options_.seconds, options_.is_stopped);
  } catch (const std::exception& error) {
    const auto* const own = dynamic_cast<const Error*>(&error);
    if (own != nullptr && own->code() == ErrorCode::kCancelled) throw;
    std::cerr << "millrace: " << devices.name() << ": its limits are not known: " << error.what()
              << '\n';
  }
  return {};
}

}  // namespace millrace::tools
