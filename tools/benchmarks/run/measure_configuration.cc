// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/timeline/internal/timeline_json.h>
#include <millrace/runtime/timeline/timeline.h>
#include <millrace/tools/benchmarks/harness/statistics.h>
#include <millrace/tools/benchmarks/run/measure_configuration.h>
#include <millrace/tools/files/output/output_file.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>

namespace millrace::tools {
namespace {

MeasurementStatus status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInternal: return MeasurementStatus::kWrong;
    case ErrorCode::kUnsupported: return MeasurementStatus::kUnsupported;
    default: return MeasurementStatus::kFailed;
  }
}

void set_failure(Measurement& measurement, const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    measurement.status = status_of(error.code());
    measurement.message = error.what();
  } catch (const std::exception& error) {
    measurement.status = MeasurementStatus::kFailed;
    measurement.message = error.what();
  }
}

bool is_ok(const Measurement& measurement) { return measurement.status == MeasurementStatus::kOk; }

// Returns the fraction of a limit that the run reaches.
double fraction_of(const LimitRecord& limit, const Measurement& run) {
  if (limit.unit == "s") return limit.value / run.median_seconds;
  return (limit.unit == "B/s" ? run.bytes : run.items) / run.median_seconds / limit.value;
}

// Returns the path without "..", so that two of them can be compared name by name.
std::filesystem::path whole(const std::filesystem::path& path) {
  return std::filesystem::absolute(path).lexically_normal();
}

// Replaces the letters that have a meaning in shells or paths.
std::string as_file_name(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return c == ':' || c == '/' || c == ' '; }, '_');
  return name;
}

std::string trace_name(const Configuration& configuration, const std::string& results_path,
                       const Measurement& measurement) {
  std::string contender;
  for (const std::string& word : {measurement.strategy, measurement.policy, measurement.peer}) {
    if (!word.empty()) contender += '-' + word;
  }
  return trace_stem(configuration, results_path) + as_file_name(contender) + ".json";
}

class ConfigurationRuns {
 public:
  ConfigurationRuns(const Configuration& configuration, const MeasureOptions& options)
      : configuration_(configuration), options_(options) {
    first_.workload = configuration.workload->name;
    first_.input = configuration.input_name();
    first_.size = configuration.size;
    first_.device = configuration.devices.name();
    first_.item_name = configuration.workload->item_name;
  }

  // Returns false if the input could not be made, or no chosen run exists.
  bool prepare(const RunSelection& choice) {
    require_going();
    try {
      prepared_ = configuration_.prepare();
    } catch (...) {
      set_failure(measurements_.emplace_back(first_), std::current_exception());
      return false;
    }
    const std::vector<Measurement> missing = missing_of(choice);
    std::erase_if(prepared_.runs, [&](const WorkRun& run) { return !choice.has(run); });
    for (const WorkRun& run : prepared_.runs) {
      Measurement& measurement = measurements_.emplace_back(first_);
      measurement.input_hash = prepared_.input_hash;
      measurement.policy = run.policy;
      measurement.strategy = run.strategy;
      measurement.peer = run.peer;
    }
    std::ranges::copy(missing, std::back_inserter(measurements_));
    if (measurements_.empty()) add_nothing_chosen(choice);
    return !prepared_.runs.empty();
  }

  void check() {
    for (std::size_t i = 0; i < prepared_.runs.size(); ++i) {
      require_going();
      Measurement& measurement = measurements_[i];
      try {
        const RunAmount amount = prepared_.runs[i].check();
        measurement.items = amount.items;
        measurement.bytes = amount.bytes;
        measurement.limit = amount.limit;
        measurement.values = amount.values;
        measurement.operations = amount.operations;
        measurement.operation_limit = amount.operation_limit;
        measurement.is_checked = prepared_.runs[i].is_checked;
      } catch (...) {
        require_going();  // It may have ended because of the stop.
        set_failure(measurement, std::current_exception());
      }
    }
  }

  // Waits until the clock is not throttled, kMostPauses pauses at most. Earlier work, or another
  // process, may have heated the device.
  ConditionRecord conditions_once_cool(DeviceProbe& probe) const {
    ConditionRecord found = probe.conditions();
    for (int i = 0; i < MeasureOptions::kMostPauses && found.is_throttled.value_or(false); ++i) {
      options_.pause();
      found = probe.conditions();
    }
    return found;
  }

  void time(DeviceProbe& probe, const std::vector<LimitRecord>& limits) {
    const std::vector<std::size_t> indices = ok_indices();
    std::vector<TimedRun> runs;
    for (const std::size_t i : indices) runs.push_back(prepared_.runs[i].run);
    const ConditionRecord before = conditions_once_cool(probe);
    SamplingResult samples = sample_in_turns(runs, {.precision = options_.precision,
                                                    .seconds = options_.seconds,
                                                    .now = options_.now,
                                                    .is_stopped = options_.is_stopped});
    const ConditionRecord after = probe.conditions();
    if (samples.is_stopped) stop();
    for (std::size_t k = 0; k < indices.size(); ++k) {
      Measurement& measurement = measurements_[indices[k]];
      if (samples.runs[k].failure) {
        set_failure(measurement, samples.runs[k].failure);
        continue;
      }
      const MedianInterval interval = median_interval(samples.runs[k].seconds);
      measurement.seconds = std::move(samples.runs[k].seconds);
      measurement.median_seconds = interval.median;
      measurement.low_seconds = interval.low;
      measurement.high_seconds = interval.high;
      measurement.before = before;
      measurement.after = after;
      const auto limit = std::ranges::find(limits, measurement.limit, &LimitRecord::name);
      if (limit != limits.end()) measurement.limit_fraction = fraction_of(*limit, measurement);
    }
  }

  // Counters belong to the whole device and have steps of tens of milliseconds, so the same run is
  // repeated for several steps. The untimed phase of a run takes energy, too; if it is more than a
  // tenth of the time, the energy of the work is not known.
  void measure_energy(DeviceProbe& probe) {
    constexpr double kTimedFraction = 0.9;
    if (options_.energy_seconds <= 0) return;
    for (const std::size_t i : ok_indices()) {
      const auto before = probe.joules();
      if (!before) return;
      const double begin = options_.now();
      double window = 0;
      double timed = 0;
      int count = 0;
      try {
        do {
          require_going();
          timed += prepared_.runs[i].run();
          ++count;
          window = options_.now() - begin;
        } while (window < options_.energy_seconds);
      } catch (const Error& error) {
        if (error.code() == ErrorCode::kCancelled) throw;
        continue;
      } catch (const std::exception&) {
        continue;  // Its times are valid.
      }
      const double used = probe.joules().value_or(*before) - *before;
      if (used > 0 && timed >= kTimedFraction * window) measurements_[i].joules = used / count;
    }
  }

  void trace() {
    if (options_.traces.empty()) return;
    for (const std::size_t i : ok_indices()) {
      if (!prepared_.runs[i].is_streamed) continue;
      require_going();
      const std::filesystem::path path =
          std::filesystem::path(options_.traces) /
          trace_name(configuration_, options_.results_path, measurements_[i]);
      OutputFile file(path.string(), options_.replaces_traces);
      Timeline timeline;
      try {
        const Timeline::Recording recording(timeline);
        prepared_.runs[i].run();
      } catch (const std::exception&) {
        continue;  // Its times are valid.
      }
      write_chrome_trace(timeline, file.stream());
      file.commit();
      const auto folder = whole(options_.results_path).parent_path();
      measurements_[i].trace = whole(path).lexically_relative(folder).string();
    }
  }

  std::vector<Measurement> take() { return std::move(measurements_); }

 private:
  // Returns one for each chosen policy that no run has.
  std::vector<Measurement> missing_of(const RunSelection& choice) const {
    const bool has_policies =
        std::ranges::any_of(prepared_.runs, [](const WorkRun& run) { return !run.policy.empty(); });
    std::vector<Measurement> missing;
    for (const std::string& policy : std::set(choice.policies.begin(), choice.policies.end())) {
      if (std::ranges::find(prepared_.runs, policy, &WorkRun::policy) != prepared_.runs.end()) {
        continue;
      }
      Measurement& measurement = missing.emplace_back(first_);
      measurement.policy = policy;
      measurement.status = MeasurementStatus::kUnsupported;
      measurement.message = has_policies ? "this policy cannot be chosen here"
                                         : "there are no policies to choose from here";
    }
    return missing;
  }

  // Adds an unsupported measurement where no run is chosen.
  void add_nothing_chosen(const RunSelection& choice) {
    for (const std::string& strategy :
         std::set(choice.strategies.begin(), choice.strategies.end())) {
      Measurement& measurement = measurements_.emplace_back(first_);
      measurement.strategy = strategy;
      measurement.status = MeasurementStatus::kUnsupported;
      measurement.message = "no such strategy, or not with what else is chosen";
    }
  }

  std::vector<std::size_t> ok_indices() const {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < measurements_.size(); ++i) {
      if (is_ok(measurements_[i])) indices.push_back(i);
    }
    return indices;
  }

  void require_going() const {
    if (options_.is_stopped()) stop();
  }
  [[noreturn]] static void stop() { throw Error(ErrorCode::kCancelled, "interrupted"); }

  const Configuration& configuration_;
  const MeasureOptions& options_;
  Measurement first_;  // Fields that all measurements share.
  PreparedWork prepared_;
  std::vector<Measurement> measurements_;  // One for each run.
};

}  // namespace

std::string trace_stem(const Configuration& configuration, const std::string& results_path) {
  std::string stem =
      std::filesystem::path(results_path).stem().string() + '-' + configuration.workload->name;
  for (const std::string& word : {configuration.input_name(), std::to_string(configuration.size),
                                  configuration.devices.name()}) {
    if (!word.empty()) stem += '-' + word;
  }
  return as_file_name(std::move(stem));
}

std::vector<Measurement> measure_configuration(const Configuration& configuration,
                                               const RunSelection& choice,
                                               const std::vector<LimitRecord>& limits,
                                               DeviceProbe& probe, const MeasureOptions& options) {
  ConfigurationRuns runs(configuration, options);
  if (runs.prepare(choice)) {
    runs.check();
    runs.time(probe, limits);
    runs.measure_energy(probe);
    runs.trace();
  }
  return runs.take();
}

}  // namespace millrace::tools
