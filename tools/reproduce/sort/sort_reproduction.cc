// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/sort/sort_paper_workload.h>
#include <millrace/tools/reproduce/sort/sort_findings.h>
#include <millrace/tools/reproduce/tables/reproduction.h>
#include <millrace/tools/reproduce/tables/table_charts.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

constexpr std::uint64_t kLeastOfTable1 = 10'000;
constexpr char kUniform[] = "uniform";
constexpr char kNormal[] = "normal";

// A column of tables II and III, in seconds.
struct SortColumn {
  std::map<std::string, double> operations;  // Indexed by kSortPaperOperations.
  double total = 0;                          // Excludes the waits that the operations take.

  double at(const char* operation) const { return operations.at(operation); }
  double computation() const { return at("reduction") + at("scan") + at("scatter"); }
  // Returns the time of the operations that ran at the same time as others.
  double overlap() const {
    double sum = 0;
    for (const auto& [name, seconds] : operations) sum += seconds;
    return sum - total;
  }

  // Returns what a row of the tables has.
  double row(const std::string& label) const {
    if (label == "total") return total;
    if (label == "overlap of output") return overlap();
    return operations.at(label);
  }
};

// The measurements of one number of keys.
struct SortRun {
  std::uint64_t count = 0;
  std::optional<SortColumn> original;  // The paper's schemes, where the device can.
  std::optional<SortColumn> modified;
  std::optional<double> ours;
  double partitions = 0;
  double buckets = 0;
};

std::optional<SortColumn> column_of(const MeasuredDevice& measured, const RunKey& key) {
  const auto total = measured.seconds(key);
  if (!total) return std::nullopt;
  SortColumn column{{}, *total};
  for (const SortPaperOperation& operation : kSortPaperOperations) {
    const auto seconds = measured.value(key, operation.name);
    if (!seconds) return std::nullopt;
    column.operations[operation.name] = *seconds;
  }
  return column;
}

SortRun run_of(const MeasuredDevice& measured, const std::string& input, std::uint64_t count) {
  const auto key = [&](const char* strategy) { return RunKey{kSortPaper, input, count, strategy}; };
  SortRun run{count, column_of(measured, key(kSortOriginal)),
              column_of(measured, key(kSortModified)), measured.seconds(key(kSortOurs))};
  if (!run.original || !run.modified) {
    run.original.reset();
    run.modified.reset();
    return run;
  }
  run.partitions = measured.value(key(kSortModified), kSortPartitions).value_or(0);
  run.buckets = measured.value(key(kSortModified), kSortBuckets).value_or(0);
  return run;
}

std::vector<SortRun> runs_of(const MeasuredDevice& measured, const std::string& input) {
  std::vector<SortRun> runs;
  for (const std::uint64_t count : measured.sizes(kSortPaper, input)) {
    runs.push_back(run_of(measured, input, count));
  }
  return runs;
}

std::vector<std::string> notes_on(const std::string& limit) {
  if (limit.empty()) return {};
  return {"What is missing cannot run here: " + limit + "."};
}

DataTable table_like(const PaperTable& paper, const std::string& limit) {
  return {paper.data.label_name, paper.data.columns, {}, notes_on(limit)};
}

Reproduction reproduce_times(const PaperTable& paper, const std::vector<SortRun>& runs,
                             const std::string& limit) {
  DataTable here = table_like(paper, limit);
  for (const SortRun& run : runs) {
    TableRow& row = here.rows.emplace_back(TableRow{std::to_string(run.count), {{}, {}}});
    if (!run.original) continue;
    const SortColumn& column = *run.original;
    row.cells = {column.computation() * 1e3,
                 (column.at("copy to device") + column.at("copy to host")) * 1e3};
  }
  const std::vector<std::string> names = {"computation", "communication"};
  auto lines = lines_of(here, names, kOfMilliseconds);
  std::ranges::move(lines_of(paper.data, names, kOfMilliseconds, " (paper)"),
                    std::back_inserter(lines));
  return {&paper, here, line_charts(paper.name, "keys", "s", std::move(lines)),
          sort_time_findings(paper.data, here, limit)};
}

Reproduction reproduce_fractions(const PaperTable& paper, const std::vector<SortRun>& runs,
                                 const std::string& limit) {
  DataTable here = table_like(paper, limit);
  BarChart chart{paper.name, "%", {"computation", "input", "output"}, {}};
  const auto add_bar = [&](const TableRow& row, const std::string& where) {
    ChartBar& bar = chart.bars.emplace_back(ChartBar{row.label + where, {}});
    for (const auto& cell : row.cells) bar.figures.push_back(*cell);
  };
  for (const SortRun& run : runs) {
    TableRow& row = here.rows.emplace_back(TableRow{std::to_string(run.count), {{}, {}, {}}});
    if (!run.original) continue;
    const double computation = run.original->computation();
    const double input = run.original->at("copy to device");
    const double output = run.original->at("copy to host");
    const double all = computation + input + output;
    row.cells = {100 * computation / all, 100 * input / all, 100 * output / all};
    add_bar(row, "");
  }
  std::vector<Chart> charts;
  if (!chart.bars.empty()) {
    for (const TableRow& row : paper.data.rows) add_bar(row, " (paper)");
    charts.emplace_back(std::move(chart));
  }
  return {&paper, here, std::move(charts), sort_fraction_findings(paper.data, here, limit)};
}

Reproduction reproduce_comparison(const PaperTable& paper, const std::vector<SortRun>& runs,
                                  const std::string& limit) {
  DataTable here = table_like(paper, limit);
  here.columns.push_back({"sort()", "us", 0});
  here.notes.emplace_back("sort() is this library's own, which streams its input too.");
  for (const SortRun& run : runs) {
    if (run.count < kLeastOfTable1) continue;
    TableRow& row = here.rows.emplace_back(TableRow{std::to_string(run.count), {{}, {}}});
    if (run.original) row.cells = {run.original->total * 1e6, run.modified->total * 1e6};
    row.cells.push_back(run.ours ? std::optional(*run.ours * 1e6) : std::nullopt);
  }
  auto lines = lines_of(here, {"original", "modified", "sort()"}, kOfMicroseconds);
  std::ranges::move(lines_of(paper.data, {"original", "modified"}, kOfMicroseconds, " (paper)"),
                    std::back_inserter(lines));
  return {&paper, here, line_charts(paper.name, "keys", "s", std::move(lines)),
          streaming_findings(paper.data, here, limit)};
}

// Adds a bar per column. Its series are the steps, in percent of the original's total; the overlap
// is not a step.
void add_profile_bars(const DataTable& table, const std::string& where, BarChart& chart) {
  const auto total = table.at("total", "original");
  if (!total) return;
  for (const char* const column : {"original", "modified"}) {
    ChartBar& bar = chart.bars.emplace_back(ChartBar{std::string(column) + where, {}});
    for (const std::string& step : chart.series) {
      bar.figures.push_back(100 * table.at(step, column).value_or(0) / *total);
    }
  }
}

Reproduction reproduce_profile(const PaperTable& paper, const SortRun& run,
                               const std::string& limit) {
  DataTable here = table_like(paper, limit);
  BarChart chart{paper.name, "% of the original's total", {}, {}};
  for (const TableRow& row : paper.data.rows) {
    TableRow& own = here.rows.emplace_back(TableRow{row.label, {{}, {}}});
    if (row.label != "total" && row.label != "overlap of output") chart.series.push_back(row.label);
    if (!run.original) continue;
    own.cells = {run.original->row(row.label) * 1e3, run.modified->row(row.label) * 1e3};
  }
  std::vector<Chart> charts;
  if (run.original) {
    here.notes.push_back("Here: " + std::to_string(run.count) + " keys, " + in_words(run.buckets) +
                         " buckets made by " + in_words(run.partitions) + " passes.");
    add_profile_bars(here, " (here)", chart);
    add_profile_bars(paper.data, " (paper)", chart);
    charts.emplace_back(std::move(chart));
  }
  return {&paper, here, std::move(charts),
          sort_profile_findings(paper.data, here, run.count, limit)};
}

// The sizes of uniform keys, ascending.
std::vector<std::uint64_t> counts_of(const ReproductionPlan& plan) {
  std::uint64_t most = 100'000'000;
  if (plan.scale_of_device() == Scale::kQuick) most = 10'000'000;
  if (plan.scale_of_device() == Scale::kTiny) most = 10'000;
  DeviceInfo device = plan.device;
  device.is_simulated = false;
  std::vector<std::uint64_t> counts = sort_paper_workload().sizes(device, false);
  std::erase_if(counts, [&](std::uint64_t count) { return count > most; });
  return counts;
}

}  // namespace

std::vector<PlannedRuns> plan_sort(const ReproductionPlan& plan,
                                   const std::set<std::string>& names) {
  const std::vector<std::uint64_t> counts = counts_of(plan);
  std::vector<PlannedRuns> planned;
  if (names.contains("Fig. 3") || names.contains("Fig. 4") || names.contains("Table I")) {
    for (const std::uint64_t count : counts) planned.push_back({kSortPaper, kUniform, count});
  } else if (names.contains("Table II")) {
    planned.push_back({kSortPaper, kUniform, counts.back()});
  }
  if (names.contains("Table III")) planned.push_back({kSortPaper, kNormal, counts.back()});
  return planned;
}

std::vector<Reproduction> reproduce_sort(const MeasuredDevice& measured,
                                         const std::set<std::string>& names) {
  const std::string limit = measured.why_missing(kSortPaper, kSortOriginal);
  const std::vector<SortRun> uniform = runs_of(measured, kUniform);
  const std::vector<SortRun> normal = runs_of(measured, kNormal);
  const auto largest = [](const std::vector<SortRun>& runs) {
    return runs.empty() ? SortRun() : runs.back();
  };
  std::vector<Reproduction> done;
  for (const PaperTable& paper : paper_tables()) {
    if (paper.paper->subject != "sort" || !names.contains(paper.name)) continue;
    if (paper.name == "Fig. 3") {
      done.push_back(reproduce_times(paper, uniform, limit));
    } else if (paper.name == "Fig. 4") {
      done.push_back(reproduce_fractions(paper, uniform, limit));
    } else if (paper.name == "Table I") {
      done.push_back(reproduce_comparison(paper, uniform, limit));
    } else {
      const bool is_uniform = paper.name == "Table II";
      done.push_back(reproduce_profile(paper, largest(is_uniform ? uniform : normal), limit));
    }
  }
  return done;
}

}  // namespace millrace::tools
