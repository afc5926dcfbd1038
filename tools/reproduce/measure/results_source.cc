// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/run/measure_configuration.h>
#include <millrace/tools/reproduce/measure/reproduction_results.h>
#include <millrace/tools/reproduce/measure/results_source.h>
#include <millrace/tools/reproduce/tables/finding.h>
#include <millrace/tools/reproduce/tables/measured_device.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <utility>

namespace millrace::tools {
namespace {

const char* name_of(Scale scale) {
  switch (scale) {
    case Scale::kFull: return "full";
    case Scale::kQuick: return "quick";
    case Scale::kTiny: return "tiny";
  }
  return "";
}

// Seconds of a configuration.
double usual_seconds(Scale scale) {
  switch (scale) {
    case Scale::kFull: return 2;
    case Scale::kQuick: return 0.1;
    case Scale::kTiny: return 1e-3;
  }
  return 0;
}

std::string today() {
  const std::chrono::year_month_day date =
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  char text[32];
  std::snprintf(text, sizeof text, "%d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return text;
}

class Measuring : public ResultsSource {
 public:
  Measuring(const std::shared_ptr<Device>& device, const ReproductionPlan& plan, double seconds,
            const std::function<bool()>& is_stopped)
      : device_(device),
        plan_(plan),
        seconds_(seconds > 0 ? seconds : usual_seconds(plan.scale_of_device())),
        results_(device, measure_options(is_stopped)) {}

  const Results& results_for(const std::string& subject,
                             const std::set<std::string>& names) override {
    results_.measure(plan_runs(subject, plan_, names));
    return results_.results();
  }

  std::string device() const override { return device_->info().name; }

  std::string how() const override {
    const char* sizes = "Sizes are the papers', or what the device has time and memory for";
    if (plan_.scale_of_device() == Scale::kQuick) {
      sizes = "Sizes are small ones, so that all takes two minutes or so (--quick)";
    } else if (plan_.scale_of_device() == Scale::kTiny) {
      sizes = "Sizes are the smallest, which show the form and nothing of the device";
    }
    return std::string(sizes) +
           "; times, where notes say nothing else, are medians of runs in turns, for " +
           in_words(seconds_) + " s each; every result was checked before it was timed. " +
           today() + ".";
  }

  nlohmann::json json() const override {
    return {{"scale", name_of(plan_.scale_of_device())},
            {"seconds", seconds_},
            {"date", today()},
            {"results", nlohmann::json::parse(results_text(results_.results()))}};
  }

 private:
  MeasureOptions measure_options(const std::function<bool()>& is_stopped) const {
    constexpr double kPrecision = 0.02;
    constexpr double kQuickPrecision = 0.1;
    MeasureOptions options;
    options.seconds = seconds_;
    options.precision = plan_.scale_of_device() == Scale::kFull ? kPrecision : kQuickPrecision;
    options.energy_seconds = 0;
    options.is_stopped = is_stopped;
    return options;
  }

  const std::shared_ptr<Device> device_;
  const ReproductionPlan plan_;
  const double seconds_;
  ReproductionResults results_;
};

class Stored : public ResultsSource {
 public:
  Stored(const std::string& path, const std::string& device)
      : name_(std::filesystem::path(path).filename().string()),
        results_(read_results(path)),
        device_(device.empty() ? device_to_show(results_) : device) {}

  const Results& results_for(const std::string&, const std::set<std::string>&) override {
    return results_;
  }

  std::string device() const override { return device_; }

  std::string how() const override {
    return "Figures are those of " + name_ + ", which `" + results_.command + "` measured on " +
           results_.machine.label + ", " + results_.started + ".";
  }

  nlohmann::json json() const override { return {{"results_file", name_}, {"date", today()}}; }

 private:
  const std::string name_;
  const Results results_;
  const std::string device_;
};

}  // namespace

std::unique_ptr<ResultsSource> measured_results(const std::shared_ptr<Device>& device,
                                                const ReproductionPlan& plan, double seconds,
                                                const std::function<bool()>& is_stopped) {
  return std::make_unique<Measuring>(device, plan, seconds, is_stopped);
}

std::unique_ptr<ResultsSource> stored_results(const std::string& path, const std::string& device) {
  return std::make_unique<Stored>(path, device);
}

}  // namespace millrace::tools
