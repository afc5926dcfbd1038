// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/export/google_benchmark.h>
#include <millrace/tools/report/export/measurement_name.h>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>

namespace millrace::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kNanoseconds = 1e9;

Json context_of(const MergedResults& merged) {
  Json context = {{"json_schema_version", 1}, {"executable", "millrace"}};
  if (merged.machines.size() != 1) return context;
  const Results& results = merged.machines.front().results;
  context["date"] = results.started;
  context["host_name"] = results.machine.label;
  context["num_cpus"] = results.machine.cores;
  context["library_version"] = results.build.version;
  context["commit"] = results.build.commit;
  context["compiler"] = results.build.compiler;
  context["flags"] = results.build.flags;
  return context;
}

void add_runs(const MergedResults& merged, std::size_t machine, const Measurement& each,
              std::size_t family, Json& benchmarks) {
  const std::string name = measurement_name(merged, machine, each);
  for (std::size_t run = 0; run < each.seconds.size(); ++run) {
    const double time = each.seconds[run] * kNanoseconds;
    Json entry = {{"name", name},
                  {"family_index", family},
                  {"per_family_instance_index", 0},
                  {"run_name", name},
                  {"run_type", "iteration"},
                  {"repetitions", each.seconds.size()},
                  {"repetition_index", run},
                  {"threads", 1},
                  {"iterations", 1},
                  {"real_time", time},
                  {"cpu_time", time},
                  {"time_unit", "ns"}};
    if (each.seconds[run] > 0 && each.items > 0) {
      entry["items_per_second"] = each.items / each.seconds[run];
    }
    if (each.seconds[run] > 0 && each.bytes > 0) {
      entry["bytes_per_second"] = each.bytes / each.seconds[run];
    }
    benchmarks.push_back(std::move(entry));
  }
}

}  // namespace

void write_google_benchmark(std::ostream& out, const MergedResults& merged) {
  Json benchmarks = Json::array();
  std::size_t family = 0;
  for (std::size_t i = 0; i < merged.machines.size(); ++i) {
    for (const Measurement& each : merged.machines[i].results.measurements) {
      if (each.status != MeasurementStatus::kOk) continue;
      add_runs(merged, i, each, family++, benchmarks);
    }
  }
  const Json all = {{"context", context_of(merged)}, {"benchmarks", std::move(benchmarks)}};
  out << all.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace millrace::tools
