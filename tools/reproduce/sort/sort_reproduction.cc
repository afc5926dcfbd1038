// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <millrace/tools/benchmarks/workloads/sort/sort_paper_runs.h>
#include <millrace/tools/reproduce/sort/sort_findings.h>
#include <millrace/tools/reproduce/tables/reproduction.h>
#include <millrace/tools/reproduce/tables/table_charts.h>

namespace millrace::tools {
namespace {

using radix_sort::KeyDistribution;

constexpr std::size_t kLeastOfTable1 = 10'000;

std::size_t most_of(const ReproduceOptions& options) {
  std::size_t most = 100'000'000;
  if (options.scale_of_device() == Scale::kQuick) most = 10'000'000;
  if (options.scale_of_device() == Scale::kTiny) most = 10'000;
  // Pairs of 8 bytes, in and out, with room to sort.
  constexpr std::size_t kBytesOfAPair = 64;
  while (most > 10'000 && most > options.device->info().memory_bytes / kBytesOfAPair) most /= 10;
  return most;
}

SortPaperRun measure(const ReproduceOptions& options, KeyDistribution keys, std::size_t count) {
  options.step();
  return measure_sort_paper(options.device, keys, count, options.seconds,
                            options.rounds(sort_paper_rounds(count)));
}

std::vector<std::string> notes_on(const std::string& limit) {
  if (limit.empty()) return {};
  return {"What is missing cannot run here: " + limit + "."};
}

DataTable table_like(const PaperTable& paper, const std::string& limit) {
  return {paper.data.label_name, paper.data.columns, {}, notes_on(limit)};
}

double computation_of(const SortPaperColumn& column) {
  const auto& passes = column.profile.passes;
  return passes.reduction + passes.scan + passes.scatter;
}

Reproduction reproduce_times(const PaperTable& paper, const std::vector<SortPaperRun>& runs,
                             const std::string& limit) {
  DataTable here = table_like(paper, limit);
  for (const SortPaperRun& run : runs) {
    TableRow& row = here.rows.emplace_back(TableRow{std::to_string(run.count), {{}, {}}});
    if (!run.original) continue;
    row.cells = {computation_of(*run.original) * 1e3,
                 (run.original->profile.upload + run.original->profile.download) * 1e3};
  }
  const std::vector<std::string> names = {"computation", "communication"};
  auto lines = lines_of(here, names, kOfMilliseconds);
  std::ranges::move(lines_of(paper.data, names, kOfMilliseconds, " (paper)"),
                    std::back_inserter(lines));
  return {&paper, here, line_charts(paper.name, "keys", "s", std::move(lines)),
          sort_time_findings(paper.data, here, limit)};
}

Reproduction reproduce_shares(const PaperTable& paper, const std::vector<SortPaperRun>& runs,
                              const std::string& limit) {
  DataTable here = table_like(paper, limit);
  BarChart chart{paper.name, "%", {"computation", "input", "output"}, {}};
  const auto add_bar = [&](const TableRow& row, const std::string& where) {
    ChartBar& bar = chart.bars.emplace_back(ChartBar{row.label + where, {}});
    for (const auto& cell : row.cells) bar.figures.push_back(*cell);
  };
  for (const SortPaperRun& run : runs) {
    TableRow& row = here.rows.emplace_back(TableRow{std::to_string(run.count), {{}, {}, {}}});
    if (!run.original) continue;
    const auto& profile = run.original->profile;
    const double all = computation_of(*run.original) + profile.upload + profile.download;
    row.cells = {100 * computation_of(*run.original) / all, 100 * profile.upload / all,
                 100 * profile.download / all};
    add_bar(row, "");
  }
  std::vector<Chart> charts;
  if (!chart.bars.empty()) {
    for (const TableRow& row : paper.data.rows) add_bar(row, " (paper)");
    charts.emplace_back(std::move(chart));
  }
  return {&paper, here, std::move(charts), sort_share_findings(paper.data, here, limit)};
}

Reproduction reproduce_comparison(const PaperTable& paper, const std::vector<SortPaperRun>& runs,
                                  const std::string& limit) {
  DataTable here = table_like(paper, limit);
  here.columns.push_back({"sort()", "us", 0});
  here.notes.emplace_back("sort() is this library's own, which streams its input too.");
  for (const SortPaperRun& run : runs) {
    if (run.count < kLeastOfTable1) continue;
    TableRow& row = here.rows.emplace_back(TableRow{std::to_string(run.count), {{}, {}}});
    if (run.original) row.cells = {run.original->total * 1e6, run.modified->total * 1e6};
    row.cells.emplace_back(run.ours * 1e6);
  }
  auto lines = lines_of(here, {"original", "modified", "sort()"}, kOfMicroseconds);
  std::ranges::move(lines_of(paper.data, {"original", "modified"}, kOfMicroseconds, " (paper)"),
                    std::back_inserter(lines));
  return {&paper, here, line_charts(paper.name, "keys", "s", std::move(lines)),
          streaming_findings(paper.data, here, limit)};
}

// Adds a bar per column. Its parts are the steps, in percent of the original's total; the overlap
// is not a step.
void add_profile_bars(const DataTable& table, const std::string& where, BarChart& chart) {
  const auto total = table.at("total", "original");
  if (!total) return;
  for (const char* const column : {"original", "modified"}) {
    ChartBar& bar = chart.bars.emplace_back(ChartBar{std::string(column) + where, {}});
    for (const std::string& part : chart.parts) {
      bar.figures.push_back(100 * table.at(part, column).value_or(0) / *total);
    }
  }
}

Reproduction reproduce_profile(const PaperTable& paper, const SortPaperRun& run,
                               const std::string& limit) {
  DataTable here = table_like(paper, limit);
  BarChart chart{paper.name, "% of the original's total", {}, {}};
  for (const TableRow& row : paper.data.rows) {
    const auto* const found = std::ranges::find_if(
        kSortPaperRows, [&](const SortPaperRow& each) { return row.label == each.name; });
    TableRow& own = here.rows.emplace_back(TableRow{row.label, {{}, {}}});
    if (row.label != "total" && row.label != "overlap of output") chart.parts.push_back(row.label);
    if (!run.original) continue;
    own.cells = {found->seconds(*run.original) * 1e3, found->seconds(*run.modified) * 1e3};
  }
  std::vector<Chart> charts;
  if (run.original) {
    here.notes.push_back("Here: " + std::to_string(run.count) + " keys, " +
                         std::to_string(run.buckets) + " buckets made by " +
                         std::to_string(run.partitions) + " passes.");
    add_profile_bars(here, " (here)", chart);
    add_profile_bars(paper.data, " (paper)", chart);
    charts.emplace_back(std::move(chart));
  }
  return {&paper, here, std::move(charts),
          sort_profile_findings(paper.data, here, run.count, limit)};
}

// Runs are made when they are first needed.
class SortRuns {
 public:
  explicit SortRuns(const ReproduceOptions& options) : options_(options), most_(most_of(options)) {}

  // Returns the runs of uniform keys, by ascending counts.
  const std::vector<SortPaperRun>& uniform() {
    for (std::size_t count = 100; uniform_.empty() || uniform_.back().count < most_; count *= 10) {
      uniform_.push_back(measure(options_, KeyDistribution::kUniform, count));
    }
    return uniform_;
  }

  SortPaperRun largest(KeyDistribution keys) {
    if (keys == KeyDistribution::kUniform && !uniform_.empty()) return uniform_.back();
    return measure(options_, keys, most_);
  }

 private:
  const ReproduceOptions& options_;
  const std::size_t most_;
  std::vector<SortPaperRun> uniform_;
};

}  // namespace

std::vector<Reproduction> reproduce_sort(const ReproduceOptions& options,
                                         const std::set<std::string>& names) {
  const std::string limit = sort_paper_limit(options.device->info());
  SortRuns runs(options);
  std::vector<Reproduction> done;
  for (const PaperTable& paper : paper_tables()) {
    if (paper.paper->subject != "sort" || !names.contains(paper.name)) continue;
    if (paper.name == "Fig. 3") {
      done.push_back(reproduce_times(paper, runs.uniform(), limit));
    } else if (paper.name == "Fig. 4") {
      done.push_back(reproduce_shares(paper, runs.uniform(), limit));
    } else if (paper.name == "Table I") {
      done.push_back(reproduce_comparison(paper, runs.uniform(), limit));
    } else {
      const auto keys =
          paper.name == "Table II" ? KeyDistribution::kUniform : KeyDistribution::kNormal;
      done.push_back(reproduce_profile(paper, runs.largest(keys), limit));
    }
  }
  return done;
}

}  // namespace millrace::tools
