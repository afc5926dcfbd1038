// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/bench/bench_table.h>
#include <millrace/tools/files/names/joined_names.h>
#include <millrace/tools/report/chart/number_text.h>

#include <cstdio>
#include <map>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

const char* name_of(MeasurementStatus status) {
  switch (status) {
    case MeasurementStatus::kOk: return "ok";
    case MeasurementStatus::kWrong: return "WRONG";
    case MeasurementStatus::kUnsupported: return "not supported";
    case MeasurementStatus::kFailed: return "failed";
  }
  return "";
}

const std::string& who(const Measurement& run) { return run.peer.empty() ? run.policy : run.peer; }

void print_measurement(const Measurement& run) {
  std::printf("  %-18s %-22s ", who(run).c_str(), run.strategy.c_str());
  const double width = 100 * (run.high_seconds - run.low_seconds) / run.median_seconds;
  const std::string median = quantity_text(run.median_seconds, "s");
  const int column = median.find("µ") == median.npos ? 9 : 10;  // Width in bytes.
  std::printf("%*s  %5.1f %%  %4zu  %-22s", column, median.c_str(), width, run.seconds.size(),
              run.items > 0
                  ? quantity_text(run.items / run.median_seconds, run.item_name + "/s").c_str()
                  : "");
  if (run.limit_fraction) {
    std::printf("  %5.1f %% of %s", 100 * *run.limit_fraction, run.limit.c_str());
  }
  if (run.joules && run.items > 0) {
    std::printf("  %s", quantity_text(run.items / *run.joules, run.item_name + "/J").c_str());
  }
  for (const auto& [name, value] : run.values) std::printf("  %s %.4g", name.c_str(), value);
  std::printf("\n");
}

// Prints measurements without times, those with the same reason in one line.
void print_others(const std::vector<Measurement>& measurements) {
  std::map<std::pair<MeasurementStatus, std::string>, std::vector<std::string>> by_reason;
  for (const Measurement& run : measurements) {
    if (run.status == MeasurementStatus::kOk) continue;
    const bool has_both = !who(run).empty() && !run.strategy.empty();
    by_reason[{run.status, run.message}].push_back(who(run) + (has_both ? " " : "") + run.strategy);
  }
  for (const auto& [reason, runs] : by_reason) {
    const std::string names = joined_names(runs);
    std::printf("  %s: %s%s\n", name_of(reason.first), reason.second.c_str(),
                names.empty() ? "" : (" (" + names + ')').c_str());
  }
}

}  // namespace

void print_limits(const std::vector<LimitRecord>& limits) {
  if (!limits.empty()) std::printf("limits of %s:", limits.front().device.c_str());
  for (const LimitRecord& limit : limits) {
    std::printf(" %s %s%s", limit.name.c_str(), quantity_text(limit.value, limit.unit).c_str(),
                &limit == &limits.back() ? "\n" : ",");
  }
  std::printf("%-41s%11s  %7s  runs  rate\n", "  policy or peer     strategy", "median",
              "known to");
  std::fflush(stdout);
}

void print_measurements(const std::vector<Measurement>& measurements, std::size_t position,
                        std::size_t count) {
  if (measurements.empty()) return;
  const Measurement& first = measurements.front();
  std::printf("[%zu/%zu] %s%s%s, size %llu, on %s\n", position, count, first.workload.c_str(),
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
    const std::string inputs = joined_names(workload.inputs) +
                               (workload.input_rule.empty() ? "" : ", or " + workload.input_rule) +
                               (workload.takes_clips ? ", or a video file" : "");
    if (!inputs.empty()) std::printf("%-22s inputs: %s\n", "", inputs.c_str());
    if (!workload.strategies.empty()) {
      std::printf("%-22s strategies: %s\n", "", joined_names(workload.strategies).c_str());
    }
    if (!workload.size_rule.empty()) {
      std::printf("%-22s a size %s\n", "", workload.size_rule.c_str());
    }
    if (workload.prepare_group) {
      std::printf("%-22s on several devices: --device NAME,NAME\n", "");
    }
    if (workload.prepare_ranks) {
      std::printf("%-22s on several ranks: mpirun -n N millrace bench %s\n", "",
                  workload.name.c_str());
    }
  }
}

}  // namespace millrace::tools
