// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include <millrace/tools/benchmarks/workloads/three_star/three_star_paper_runs.h>
#include <millrace/tools/reproduce/tables/reproduction.h>
#include <millrace/tools/reproduce/tables/table_charts.h>
#include <millrace/tools/reproduce/three_star/three_star_findings.h>

namespace millrace::tools {
namespace {

// The rows of figure 11, in the order of the paper's variants.
constexpr const char* kTechniques[] = {"baseline", "streaming", "compression", "both"};

constexpr std::size_t kContestRounds = 3;

std::vector<std::size_t> counts_of(const ReproduceOptions& options) {
  const bool is_cpu = options.device->info().shares_host_memory;
  switch (options.scale_of_device()) {
    case Scale::kTiny: return {200, 400};
    case Scale::kQuick:
      return is_cpu ? std::vector<std::size_t>{1600, 3200, 6400, 12800}
                    : std::vector<std::size_t>{1600, 6400, 25600};
    case Scale::kFull: break;
  }
  if (is_cpu) return {1600, 3200, 6400, 12800};
  return {1600, 3200, 6400, 12800, 25600, 51200, 102400};
}

std::vector<ThreeStarPaperRun> measure(const ReproduceOptions& options) {
  ThreeStarPaperRuns runs(options.device);
  std::vector<ThreeStarPaperRun> done;
  for (const std::size_t count : counts_of(options)) {
    options.step();
    done.push_back(runs.measure(count, options.seconds, options.rounds(kContestRounds)));
  }
  return done;
}

Reproduction reproduce_counts(const PaperTable& paper, const std::vector<ThreeStarPaperRun>& runs) {
  DataTable here{paper.data.label_name, paper.data.columns, {}, {}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto stars = static_cast<double>(runs[i].three_stars);
    TableRow row{std::to_string(runs[i].points), {stars, {}}};
    if (i > 0 && runs[i - 1].three_stars > 0) {
      const double more = stars / static_cast<double>(runs[i - 1].three_stars);
      const double points =
          static_cast<double>(runs[i].points) / static_cast<double>(runs[i - 1].points);
      row.cells[1] = std::log(more) / std::log(points);
    }
    here.rows.push_back(std::move(row));
  }
  here.notes.emplace_back("The power is of the growth since the row above.");
  return {&paper, here, line_charts(paper.name, "points", "3-stars", lines_of(here, {"3-stars"})),
          growth_findings(paper.data, here)};
}

std::string sides_note(const DeviceInfo& info) {
  return info.shares_host_memory
             ? "The code of the four runs on all threads, which share the host's memory: nothing "
               "is copied, and triples are tested by arithmetic."
             : "Triples are tested by tables, as in the paper.";
}

Reproduction reproduce_times(const PaperTable& paper, const std::vector<ThreeStarPaperRun>& runs,
                             const DeviceInfo& info) {
  DataTable here{paper.data.label_name, paper.data.columns, {}, {sides_note(info)}};
  for (const char* const own : {"count", "count, one thread", "visit, one thread"}) {
    here.columns.push_back({own, "ms", 3});
  }
  here.notes.emplace_back(
      "The sequential code is the paper's, on one core of this machine, run and timed once. The "
      "count is this "
      "library's own search, which brings none to the host. By one thread it runs on the CPU, as "
      "the "
      "sequential code does, and so does the visit, which hands out every 3-star.");
  for (const ThreeStarPaperRun& run : runs) {
    TableRow row{std::to_string(run.points), {run.sequential * 1e3}};
    for (std::size_t i = 0; i < std::size(kTechniques); ++i) {
      row.cells.emplace_back(run.variants[i].seconds * 1e3);
    }
    row.cells.emplace_back(run.sequential / run.variants[std::size(kTechniques) - 1].seconds);
    for (const ThreeStarOwnSearch& own : kThreeStarOwnSearches) {
      row.cells.emplace_back(run.*own.seconds * 1e3);
    }
    here.rows.push_back(std::move(row));
  }
  const auto lines = lines_of(here,
                              {"sequential", "baseline", "streaming", "compression", "both",
                               "count", "count, one thread", "visit, one thread"},
                              kOfMilliseconds);
  return {&paper, here, line_charts(paper.name, "points", "s", lines),
          sequential_findings(paper.data, here)};
}

Reproduction reproduce_profiles(const PaperTable& paper, const ThreeStarPaperRun& run,
                                const DeviceInfo& info) {
  DataTable here{paper.data.label_name, paper.data.columns, {}, {}};
  here.notes.push_back("Here: " + std::to_string(run.points) +
                       " points; each step by itself, but for the total. " + sides_note(info));
  BarChart chart{paper.name, "s", {}, {}};
  for (const ThreeStarPaperRow& step : kThreeStarPaperRows) chart.parts.emplace_back(step.name);
  for (std::size_t i = 0; i < std::size(kTechniques); ++i) {
    const ThreeStarPaperVariant& variant = run.variants[i];
    TableRow row{kTechniques[i], {}};
    ChartBar bar{kTechniques[i], {}};
    for (const ThreeStarPaperRow& step : kThreeStarPaperRows) {
      bar.figures.push_back(variant.profile.*step.seconds);
      row.cells.emplace_back(variant.profile.*step.seconds * 1e3);
    }
    row.cells.emplace_back(variant.seconds * 1e3);
    row.cells.emplace_back(100 * (1 - variant.seconds / run.variants[0].seconds));
    here.rows.push_back(std::move(row));
    chart.bars.push_back(std::move(bar));
  }
  return {&paper, here, {std::move(chart)}, technique_findings(paper.data, here, run.points)};
}

}  // namespace

std::vector<Reproduction> reproduce_three_star(const ReproduceOptions& options,
                                               const std::set<std::string>& names) {
  const DeviceInfo& info = options.device->info();
  std::vector<Reproduction> done;
  std::vector<ThreeStarPaperRun> runs;
  for (const PaperTable& paper : paper_tables()) {
    if (paper.paper->subject != "three-star" || !names.contains(paper.name)) continue;
    if (runs.empty()) runs = measure(options);
    if (paper.name == "Fig. 9") {
      done.push_back(reproduce_counts(paper, runs));
    } else if (paper.name == "Fig. 10") {
      done.push_back(reproduce_times(paper, runs, info));
    } else {
      done.push_back(reproduce_profiles(paper, runs.back(), info));
    }
  }
  return done;
}

}  // namespace millrace::tools
