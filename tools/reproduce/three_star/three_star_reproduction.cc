// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/three_star/three_star_paper_workload.h>
#include <millrace/tools/reproduce/tables/reproduction.h>
#include <millrace/tools/reproduce/tables/table_charts.h>
#include <millrace/tools/reproduce/three_star/three_star_findings.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

// The columns of this library's own searches in figure 10.
struct OwnSearch {
  const char* column;
  const char* strategy;
};

constexpr OwnSearch kOwnSearches[] = {{"count", kThreeStarCount},
                                      {"count, one thread", kThreeStarCountOneThread},
                                      {"visit, one thread", kThreeStarVisitOneThread}};

std::vector<std::uint64_t> counts_of(const ReproductionPlan& plan) {
  switch (plan.scale_of_device()) {
    case Scale::kTiny: return {200, 400};
    case Scale::kQuick:
      return plan.device.shares_host_memory ? std::vector<std::uint64_t>{1600, 3200, 6400, 12800}
                                            : std::vector<std::uint64_t>{1600, 6400, 25600};
    case Scale::kFull: break;
  }
  return three_star_paper_workload().sizes(plan.device, false);
}

// The measurements of the workload.
class Measured {
 public:
  explicit Measured(const MeasuredDevice& device) : device_(device) {}

  std::vector<std::uint64_t> counts() const {
    return device_.sizes(kThreeStarPaper, kThreeStarPaperInput);
  }

  // On a CPU, where what is exchanged in the fifth variant are tables.
  bool is_by_arithmetic() const {
    return device_.why_missing(kThreeStarPaper, kBothByTables).empty();
  }

  std::optional<double> three_stars(std::uint64_t count) const {
    return device_.items(key(count, kThreeStarTechniques[0]));
  }
  std::optional<double> seconds(std::uint64_t count, const char* strategy) const {
    return device_.seconds(key(count, strategy));
  }
  std::optional<double> step(std::uint64_t count, const char* strategy, const char* name) const {
    return device_.value(key(count, strategy), name);
  }
  std::optional<double> sequential(std::uint64_t count) const {
    return device_.value(key(count, kThreeStarTechniques[0]), kSequentialSeconds);
  }

 private:
  static RunKey key(std::uint64_t count, const char* strategy) {
    return {kThreeStarPaper, kThreeStarPaperInput, count, strategy};
  }

  const MeasuredDevice& device_;
};

std::optional<double> in_milliseconds(std::optional<double> seconds) {
  return seconds ? std::optional(*seconds * 1e3) : std::nullopt;
}

std::optional<double> ratio(std::optional<double> a, std::optional<double> b) {
  return a && b && *b > 0 ? std::optional(*a / *b) : std::nullopt;
}

// Returns the power by which 3-stars grow from `before` points to `count`; none without both.
std::optional<double> growth(const Measured& measured, std::uint64_t before, std::uint64_t count) {
  const auto more = ratio(measured.three_stars(count), measured.three_stars(before));
  if (!more || *more <= 0) return std::nullopt;
  return std::log(*more) / std::log(static_cast<double>(count) / static_cast<double>(before));
}

Reproduction reproduce_counts(const PaperTable& paper, const Measured& measured) {
  DataTable here{paper.data.label_name, paper.data.columns, {}, {}};
  const std::vector<std::uint64_t> counts = measured.counts();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    here.rows.push_back({std::to_string(counts[i]),
                         {measured.three_stars(counts[i]),
                          i == 0 ? std::nullopt : growth(measured, counts[i - 1], counts[i])}});
  }
  here.notes.emplace_back("The power is of the growth since the row above.");
  return {&paper, here, line_charts(paper.name, "points", "3-stars", lines_of(here, {"3-stars"})),
          growth_findings(paper.data, here)};
}

std::string sides_note(const Measured& measured) {
  return measured.is_by_arithmetic()
             ? "The code of the four runs on all threads, which share the host's memory: nothing "
               "is copied, and triples are tested by arithmetic."
             : "Triples are tested by tables, as in the paper.";
}

Reproduction reproduce_times(const PaperTable& paper, const Measured& measured) {
  DataTable here{paper.data.label_name, paper.data.columns, {}, {sides_note(measured)}};
  for (const OwnSearch& own : kOwnSearches) here.columns.push_back({own.column, "ms", 3});
  here.notes.emplace_back(
      "The sequential code is the paper's, on one core of this machine, run and timed once. The "
      "count is this "
      "library's own search, which brings none to the host. By one thread it runs on the CPU, as "
      "the "
      "sequential code does, and so does the visit, which hands out every 3-star.");
  for (const std::uint64_t count : measured.counts()) {
    TableRow row{std::to_string(count), {in_milliseconds(measured.sequential(count))}};
    for (const char* const technique : kThreeStarTechniques) {
      row.cells.push_back(in_milliseconds(measured.seconds(count, technique)));
    }
    row.cells.push_back(ratio(row.cells.front(), row.cells.back()));
    for (const OwnSearch& own : kOwnSearches) {
      row.cells.push_back(in_milliseconds(measured.seconds(count, own.strategy)));
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

Reproduction reproduce_profiles(const PaperTable& paper, const Measured& measured) {
  DataTable here{paper.data.label_name, paper.data.columns, {}, {}};
  const std::vector<std::uint64_t> counts = measured.counts();
  const std::uint64_t points = counts.empty() ? 0 : counts.back();
  here.notes.push_back("Here: " + std::to_string(points) +
                       " points; each step by itself, but for the total. " + sides_note(measured));
  BarChart chart{paper.name, "s", {}, {}};
  for (const ThreeStarPaperStep& step : kThreeStarPaperSteps) chart.series.emplace_back(step.name);
  const auto baseline = measured.seconds(points, kThreeStarTechniques[0]);
  for (const char* const technique : kThreeStarTechniques) {
    const auto total = measured.seconds(points, technique);
    TableRow row{technique, {}};
    ChartBar bar{technique, {}};
    for (const ThreeStarPaperStep& step : kThreeStarPaperSteps) {
      const auto seconds = measured.step(points, technique, step.name);
      bar.figures.push_back(seconds.value_or(0));
      row.cells.push_back(in_milliseconds(seconds));
    }
    row.cells.push_back(in_milliseconds(total));
    const auto left = ratio(total, baseline);
    row.cells.push_back(left ? std::optional(100 * (1 - *left)) : std::nullopt);
    here.rows.push_back(std::move(row));
    chart.bars.push_back(std::move(bar));
  }
  std::vector<Chart> charts;
  if (baseline) charts.emplace_back(std::move(chart));
  return {&paper, here, std::move(charts), technique_findings(paper.data, here, points)};
}

}  // namespace

std::vector<PlannedRuns> plan_three_star(const ReproductionPlan& plan,
                                         const std::set<std::string>& names) {
  std::vector<PlannedRuns> planned;
  const bool is_needed =
      std::ranges::any_of(three_star_paper_tables(),
                          [&](const PaperTable& paper) { return names.contains(paper.name); });
  if (!is_needed) return planned;
  for (const std::uint64_t count : counts_of(plan)) {
    planned.push_back({kThreeStarPaper, kThreeStarPaperInput, count});
  }
  return planned;
}

std::vector<Reproduction> reproduce_three_star(const MeasuredDevice& device,
                                               const std::set<std::string>& names) {
  const Measured measured(device);
  std::vector<Reproduction> done;
  for (const PaperTable& paper : paper_tables()) {
    if (paper.paper->subject != "three-star" || !names.contains(paper.name)) continue;
    if (paper.name == "Fig. 9") {
      done.push_back(reproduce_counts(paper, measured));
    } else if (paper.name == "Fig. 10") {
      done.push_back(reproduce_times(paper, measured));
    } else {
      done.push_back(reproduce_profiles(paper, measured));
    }
  }
  return done;
}

}  // namespace millrace::tools
