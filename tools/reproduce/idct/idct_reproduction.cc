// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <millrace/runtime/tasks/policy.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_paper_runs.h>
#include <millrace/tools/reproduce/idct/idct_findings.h>
#include <millrace/tools/reproduce/tables/reproduction.h>
#include <millrace/tools/reproduce/tables/table_charts.h>

namespace millrace::tools {
namespace {

using idct::Access;
using idct::PaperAlgorithm;

constexpr std::size_t kContestRounds = 15;

constexpr std::size_t kPaperCrossing = 25'000;  // Macroblocks at the crossing, by section IV.B.

std::vector<std::size_t> counts_of(const ReproduceOptions& options) {
  switch (options.scale_of_device()) {
    case Scale::kTiny: return {10, 30, 100};
    case Scale::kQuick: return {1'000, 5'000, 25'000, 50'000};
    case Scale::kFull: break;
  }
  std::vector<std::size_t> counts = {1'000,  2'500,  5'000,   10'000, 20'000,
                                     25'000, 50'000, 100'000, 250'000};
  if (!options.device->info().shares_host_memory) counts.insert(counts.end(), {500'000, 1'000'000});
  return counts;
}

double whole(const IdctPaperLine& line) { return line.seconds; }

double kernel(const IdctPaperLine& line) { return line.phases.kernel; }

// The measured lines, and the limits that kept others from being measured.
struct Measured {
  std::vector<IdctPaperLine> lines;
  IdctPaperLimits limits;
  std::vector<std::size_t> counts;

  std::optional<double> milliseconds(const IdctVariant& variant, std::size_t count,
                                     double (*seconds)(const IdctPaperLine&)) const {
    const SizeSeries series = series_of(lines, variant, seconds);
    const auto found = series.find(count);
    if (found == series.end()) return std::nullopt;
    return found->second * 1e3;
  }

  // Shared memory where there are no textures.
  Access best_access() const {
    return limits.textures.empty() ? Access::kSharedTexture : Access::kShared;
  }
};

Measured measure(const ReproduceOptions& options) {
  Measured measured;
  measured.limits = idct_paper_limits(*options.device->make_queue());
  measured.counts = counts_of(options);
  for (const std::size_t count : measured.counts) {
    options.step();
    auto lines = measure_idct_paper(options.device, measured.limits, count, options.seconds,
                                    options.rounds(kContestRounds));
    std::ranges::move(lines, std::back_inserter(measured.lines));
  }
  return measured;
}

std::optional<double> ratio(std::optional<double> slower, std::optional<double> faster) {
  if (!slower || !faster) return std::nullopt;
  return *slower / *faster;
}

// Returns a note that says why lines are missing; none if all are there.
std::vector<std::string> notes_on(const IdctPaperLimits& limits) {
  if (!limits.paper.empty()) return {"What is missing cannot run here: " + limits.paper + "."};
  if (!limits.textures.empty())
    return {"What is missing cannot run here: " + limits.textures + "."};
  return {};
}

Reproduction reproduce_accesses(const PaperTable& paper, const Measured& measured,
                                PaperAlgorithm algorithm) {
  DataTable here{paper.data.label_name, paper.data.columns, {}, notes_on(measured.limits)};
  std::string kernels;
  for (const std::size_t count : measured.counts) {
    const auto cells_of = [&](double (*seconds)(const IdctPaperLine&)) {
      std::vector<std::optional<double>> cells;
      for (const Access access : idct::kAccesses) {
        cells.push_back(measured.milliseconds(paper_variant(algorithm, access), count, seconds));
      }
      cells.push_back(ratio(cells[1], cells[2]));
      cells.push_back(ratio(cells[0], cells[2]));
      return cells;
    };
    here.rows.push_back({std::to_string(count), cells_of(whole)});
    const auto of_kernels = cells_of(kernel);
    if (!of_kernels[3]) continue;
    kernels = "Of the kernels alone, SM+Tex is " + in_words(*of_kernels[3]) +
              " times as fast as SM and " + in_words(*of_kernels[4]) + " times as fast as GM for " +
              std::to_string(count) + " macroblocks; times above have all transfers.";
  }
  if (!kernels.empty()) here.notes.push_back(kernels);
  return {&paper, here,
          line_charts(paper.name, "macroblocks", "s",
                      lines_of(here, {"GM", "SM", "SM+Tex"}, kOfMilliseconds)),
          access_findings(
              paper.data, here,
              measured.limits.paper.empty() ? measured.limits.textures : measured.limits.paper)};
}

Reproduction reproduce_algorithms(const PaperTable& paper, const Measured& measured) {
  DataTable here{paper.data.label_name, paper.data.columns, {}, notes_on(measured.limits)};
  for (const Policy policy : kConcretePolicies) {
    here.columns.push_back({std::string("policy ") + to_string(policy), "ms", 3});
  }
  here.notes.push_back("Policies are this library's, with macroblocks in host memory as well.");
  if (measured.limits.paper.empty()) {
    here.notes.push_back(std::string("The paper's algorithms are those with ") +
                         to_string(measured.best_access()) + " access.");
  }
  for (const std::size_t count : measured.counts) {
    TableRow row{std::to_string(count), {}};
    for (const PaperAlgorithm algorithm : idct::kPaperAlgorithms) {
      row.cells.push_back(
          measured.milliseconds(paper_variant(algorithm, measured.best_access()), count, whole));
    }
    for (const Policy policy : kConcretePolicies) {
      row.cells.push_back(measured.milliseconds(policy_variant("host", policy), count, whole));
    }
    here.rows.push_back(std::move(row));
  }
  std::vector<std::string> names;
  for (const TableColumn& column : here.columns) names.push_back(column.name);
  auto charts = line_charts(paper.name, "macroblocks", "s", lines_of(here, names, kOfMilliseconds));
  if (!charts.empty() && measured.counts.back() >= kPaperCrossing) {
    std::get<LineChart>(charts[0]).marks.push_back(
        {kPaperCrossing, "where the paper's algorithms cross"});
  }
  return {&paper, here, std::move(charts), algorithm_findings(here, measured.limits.paper)};
}

}  // namespace

std::vector<Reproduction> reproduce_idct(const ReproduceOptions& options,
                                         const std::set<std::string>& names) {
  std::vector<Reproduction> done;
  std::optional<Measured> measured;
  for (const PaperTable& paper : paper_tables()) {
    if (paper.paper->subject != "idct" || !names.contains(paper.name)) continue;
    if (!measured) measured = measure(options);
    if (paper.name == "Fig. 5(a)") {
      done.push_back(reproduce_accesses(paper, *measured, PaperAlgorithm::kPersistent));
    } else if (paper.name == "Fig. 5(b)") {
      done.push_back(reproduce_accesses(paper, *measured, PaperAlgorithm::kUberkernel));
    } else {
      done.push_back(reproduce_algorithms(paper, *measured));
    }
  }
  return done;
}

}  // namespace millrace::tools
