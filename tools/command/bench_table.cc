#include <millrace/tools/command/bench_table.h>

#include <cstdio>
#include <map>
#include <utility>

namespace millrace::tools {
namespace {

struct Prefix {
  double factor;
  const char* text;
};

// Three digits and the largest of `prefixes`, in descending order, that the number reaches.
template <std::size_t kCount>
std::string with_prefix(double number, const Prefix (&prefixes)[kCount], const std::string& unit) {
  const Prefix* chosen = &prefixes[kCount - 1];
  for (const Prefix& prefix : prefixes) {
    if (number >= prefix.factor * 0.9995) {
      chosen = &prefix;
      break;
    }
  }
  const double scaled = number / chosen->factor;
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.*f", scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0, scaled);
  return std::string(digits) + ' ' + chosen->text + unit;
}

const char* name_of(MeasurementStatus status) {
  switch (status) {
    case MeasurementStatus::kOk: return "ok";
    case MeasurementStatus::kWrong: return "WRONG";
    case MeasurementStatus::kUnsupported: return "not supported";
    case MeasurementStatus::kFailed: return "failed";
  }
  return "";
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

const std::string& who(const Measurement& run) { return run.peer.empty() ? run.policy : run.peer; }

void print_measurement(const Measurement& run) {
  std::printf("  %-18s %-22s ", who(run).c_str(), run.strategy.c_str());
  const double width = 100 * (run.high_seconds - run.low_seconds) / run.median_seconds;
  std::printf("%9s  %5.1f %%  %4zu  %-22s", short_time(run.median_seconds).c_str(), width,
              run.seconds.size(),
              run.items > 0
                  ? short_rate(run.items / run.median_seconds, run.item_name + "/s").c_str()
                  : "");
  if (run.limit_fraction) {
    std::printf("  %5.1f %% of %s", 100 * *run.limit_fraction, run.limit.c_str());
  }
  if (run.joules && run.items > 0) {
    std::printf("  %s", short_rate(run.items / *run.joules, run.item_name + "/J").c_str());
  }
  std::printf("\n");
}

// Those without times, of one reason in one line.
void print_others(const std::vector<Measurement>& measurements) {
  std::map<std::pair<MeasurementStatus, std::string>, std::vector<std::string>> by_reason;
  for (const Measurement& run : measurements) {
    if (run.status == MeasurementStatus::kOk) continue;
    const bool has_both = !who(run).empty() && !run.strategy.empty();
    by_reason[{run.status, run.message}].push_back(who(run) + (has_both ? " " : "") + run.strategy);
  }
  for (const auto& [reason, runs] : by_reason) {
    const std::string names = joined(runs);
    std::printf("  %s: %s%s\n", name_of(reason.first), reason.second.c_str(),
                names.empty() ? "" : (" (" + names + ')').c_str());
  }
}

}  // namespace

std::string short_time(double seconds) {
  static constexpr Prefix kPrefixes[] = {{1, ""}, {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}};
  return with_prefix(seconds, kPrefixes, "s");
}

std::string short_rate(double rate, const std::string& unit) {
  static constexpr Prefix kPrefixes[] = {
      {1e12, "T "}, {1e9, "G "}, {1e6, "M "}, {1e3, "k "}, {1, ""}};
  return with_prefix(rate, kPrefixes, unit);
}

void print_limits(const std::vector<LimitRecord>& limits) {
  if (limits.empty()) return;
  std::printf("limits of %s:", limits.front().device.c_str());
  for (const LimitRecord& limit : limits) {
    const std::string value =
        limit.unit == "s" ? short_time(limit.value) : short_rate(limit.value, limit.unit);
    std::printf(" %s %s%s", limit.name.c_str(), value.c_str(), &limit == &limits.back() ? "" : ",");
  }
  std::printf("\n%-41s%11s  %7s  runs  rate\n", "  policy or peer     strategy", "median",
              "known to");
  std::fflush(stdout);
}

void print_measurements(const std::vector<Measurement>& measurements, std::size_t place,
                        std::size_t count) {
  if (measurements.empty()) return;
  const Measurement& first = measurements.front();
  std::printf("[%zu/%zu] %s%s%s, size %llu, on %s\n", place, count, first.workload.c_str(),
              first.input.empty() ? "" : " of ", first.input.c_str(),
              static_cast<unsigned long long>(first.size), first.device.c_str());
  for (const Measurement& run : measurements) {
    if (run.status == MeasurementStatus::kOk) print_measurement(run);
  }
  print_others(measurements);
  std::fflush(stdout);
}

void print_workloads(const std::vector<Workload>& workloads) {
  for (const Workload& workload : workloads) {
    std::printf("%-22s %s\n", workload.name.c_str(), workload.what.c_str());
    const std::string inputs =
        joined(workload.inputs) + (workload.takes_clips ? ", or a video file" : "");
    if (!inputs.empty()) std::printf("%-22s inputs: %s\n", "", inputs.c_str());
    if (!workload.strategies.empty()) {
      std::printf("%-22s strategies: %s\n", "", joined(workload.strategies).c_str());
    }
    if (!workload.size_rule.empty()) {
      std::printf("%-22s a size %s\n", "", workload.size_rule.c_str());
    }
  }
}

}  // namespace millrace::tools
