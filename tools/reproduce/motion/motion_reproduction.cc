// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/motion/motion_paper_input.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_paper_workload.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_quality_workload.h>
#include <millrace/tools/reproduce/motion/encode_reproduction.h>
#include <millrace/tools/reproduce/motion/motion_findings.h>
#include <millrace/tools/reproduce/motion/motion_rows.h>
#include <millrace/tools/reproduce/tables/reproduction.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

namespace millrace::tools {
namespace {

constexpr char kQuality[] = "full-by-previous";
constexpr char kFull[] = "full";
constexpr char kHexagon[] = "hexagon";

std::string inputs_note(const std::vector<MotionRow>& rows) {
  const bool are_cut = std::ranges::any_of(rows, &MotionRow::is_cut);
  std::set<int> ranges;
  for (const MotionRow& row : rows) ranges.insert(row.range);
  std::string note =
      "The paper's sequences are not at hand: rows here are of clips that were given and of "
      "textures that move";
  if (are_cut) note += ", of the middle of their pictures";
  for (const int range : ranges) note += ", range " + std::to_string(range);
  return note + '.';
}

// Returns the note where a workload has no figures.
std::vector<std::string> notes_on(const MeasuredDevice& measured, const char* workload,
                                  const char* strategy, const std::vector<MotionRow>& rows) {
  if (!rows.empty()) return {inputs_note(rows)};
  std::string reason = measured.why_missing(workload, strategy);
  if (reason.empty()) reason = "no clip and no texture of this format was measured";
  return {"What is missing cannot run here: " + reason + "."};
}

// Under the rows there are, the mean of each column over the rows that have a figure in it.
void add_mean(DataTable& table) {
  if (table.rows.empty()) return;
  TableRow mean{"mean", {}};
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    double sum = 0;
    int count = 0;
    for (const TableRow& row : table.rows) {
      if (!row.cells[column]) continue;
      sum += *row.cells[column];
      ++count;
    }
    mean.cells.push_back(count == 0 ? std::nullopt : std::optional(sum / count));
  }
  table.rows.push_back(std::move(mean));
}

// The figure, bit rates or costs, of a search and of UMHexagonS in percent of the full search's, by
// mean rows.
void add_quality_bars(const DataTable& table, const std::string& figure, const std::string& where,
                      BarChart& chart) {
  const auto full = table.at("mean", figure + ", full");
  const auto hexagon = table.at("mean", figure + ", UMHexagonS");
  if (!full || !hexagon) return;
  const double own = 100 + *full;
  chart.bars.push_back({"search on the device" + where, {own}});
  chart.bars.push_back({"UMHexagonS" + where, {own / (1 + *hexagon / 100)}});
}

double percent(double value, double base) { return 100 * (value / base - 1); }

// The difference of the search on the device to another: means over QPs.
struct QualityDifference {
  std::optional<double> db;
  std::optional<double> cost_percent;
};

QualityDifference difference_to(const MeasuredDevice& measured, const MotionRow& row,
                                const char* other) {
  QualityDifference mean{0, 0};
  for (const int qp : kPaperQps) {
    const auto figure = [&](const char* strategy, const std::string& name) {
      return measured.value(row.key(kMotionQuality, strategy), name);
    };
    const auto cost = figure(kQuality, coded_cost_name(qp));
    const auto other_cost = figure(other, coded_cost_name(qp));
    const auto db = figure(kQuality, psnr_name(qp));
    const auto other_db = figure(other, psnr_name(qp));
    const bool has_cost = mean.cost_percent && cost && other_cost && *other_cost > 0;
    mean.cost_percent =
        has_cost
            ? std::optional(*mean.cost_percent + percent(*cost, *other_cost) / kPaperQps.size())
            : std::nullopt;
    const bool has_db = mean.db && db && other_db;
    mean.db =
        has_db ? std::optional(*mean.db + (*db - *other_db) / kPaperQps.size()) : std::nullopt;
  }
  return mean;
}

Reproduction reproduce_quality(const PaperTable& paper, const MeasuredDevice& measured,
                               const MotionFormat& format) {
  const std::vector<MotionRow> rows = motion_rows(measured, kMotionQuality, kQuality, format);
  DataTable here{paper.data.label_name,
                 paper.data.columns,
                 {},
                 notes_on(measured, kMotionQuality, kQuality, rows)};
  here.columns.insert(here.columns.end(), {{"predicted PSNR, full", "dB", 3},
                                           {"J, full", "%", 2},
                                           {"predicted PSNR, UMHexagonS", "dB", 3},
                                           {"J, UMHexagonS", "%", 2}});
  here.notes.emplace_back(
      "J and predicted PSNR are of the search alone, to this library's own full search and "
      "UMHexagonS, where nothing is coded: J is the Lagrangian cost of the chosen modes, and the "
      "PSNR is of predicted luma, without residual. There is no fast full search of its own here: "
      "it would find what the full search finds.");
  for (const MotionRow& row : rows) {
    const QualityDifference full = difference_to(measured, row, kFull);
    const QualityDifference hexagon = difference_to(measured, row, kHexagon);
    std::vector<std::optional<double>> cells(paper.data.columns.size());
    cells.insert(cells.end(), {full.db, full.cost_percent, hexagon.db, hexagon.cost_percent});
    here.rows.push_back({row.label, std::move(cells)});
  }
  add_encode_deltas(measured, format, here);
  add_mean(here);
  const std::string limit =
      are_textures(rows) ? "a texture that moves says nothing of video; --clip FILE would" : "";
  BarChart chart{paper.name + ", means", "% of the full search's rate or cost", {"cost"}, {}};
  add_quality_bars(paper.data, "rate", ", rate (paper)", chart);
  add_quality_bars(here, "rate", ", rate (here)", chart);
  add_quality_bars(here, "J", ", cost J (here)", chart);
  return {&paper, here, {std::move(chart)}, quality_findings(paper.data, here, limit)};
}

double time_reduction(double seconds, double base) { return 100 * (1 - seconds / base); }

double speed_up(double time_reduction) { return 1 / (1 - time_reduction / 100); }

std::optional<double> seconds_a_picture(const MeasuredDevice& measured, const RunKey& key) {
  const auto seconds = measured.seconds(key);
  const auto pictures = measured.items(key);
  return seconds && pictures ? std::optional(*seconds / *pictures) : std::nullopt;
}

// The form of tables 5 to 10, of one of the two ways to search on the device.
DataTable table_of(const PaperTable& paper, const MeasuredDevice& measured,
                   const std::vector<MotionRow>& rows, const char* strategy) {
  DataTable table{paper.data.label_name, paper.data.columns, {}, {}};
  for (const MotionRow& of_clip : rows) {
    const auto seconds = [&](const char* of) {
      return seconds_a_picture(measured, of_clip.key(kMotionPaper, of));
    };
    const auto own = seconds(strategy);
    TableRow& row = table.rows.emplace_back(TableRow{of_clip.label, {}});
    for (const char* const core : {kMotionCoreFull, kMotionCoreFastFull, kMotionCoreHexagon}) {
      const auto base = seconds(core);
      const bool has_both = own && base;
      row.cells.push_back(has_both ? std::optional(time_reduction(*own, *base)) : std::nullopt);
      row.cells.push_back(has_both ? std::optional(speed_up(*row.cells.back())) : std::nullopt);
    }
    row.cells.push_back(own ? std::optional(1 / *own) : std::nullopt);
  }
  add_mean(table);
  if (table.rows.empty()) return table;
  // Mean speed-ups go with mean time reductions, as in the paper.
  std::vector<std::optional<double>>& mean = table.rows.back().cells;
  for (std::size_t i = 0; i + 1 < mean.size(); i += 2) {
    mean[i + 1] = mean[i] ? std::optional(speed_up(*mean[i])) : std::nullopt;
  }
  return table;
}

BarChart speed_up_bars(const PaperTable& paper, const DataTable& here) {
  BarChart chart{paper.name + ", means", "times as fast as one core", {"speed-up"}, {}};
  for (const char* const name : {"full", "fast full", "UMHexagonS"}) {
    const std::string column = std::string("speed-up, ") + name;
    chart.bars.push_back({std::string(name) + " (paper)", {*paper.data.at("mean", column)}});
    const auto own = here.at("mean", column);
    if (own) chart.bars.push_back({std::string(name) + " (here)", {*own}});
  }
  return chart;
}

Reproduction reproduce_times(const PaperTable& paper, bool is_parallel_stage,
                             const MeasuredDevice& measured, const MotionFormat& format) {
  const std::vector<MotionRow> rows = motion_rows(measured, kMotionPaper, kMotionResident, format);
  DataTable here =
      table_of(paper, measured, rows, is_parallel_stage ? kMotionResident : kMotionStreamed);
  here.notes = notes_on(measured, kMotionPaper, kMotionResident, rows);
  here.notes.emplace_back(
      is_parallel_stage
          ? "Here: search_motion() of pictures on the device, without copies and modes."
          : "Here: pictures through the device, from host memory, with modes, and back.");
  here.notes.emplace_back(
      "What is compared with is one core of this machine, not the JM: the full search in coding "
      "order; search_motion(), which shares sums of 4x4 blocks, as the fast full search; a search "
      "in the manner of UMHexagonS. All are vectorised, and timed by the core's CPU time.");
  const DataTable whole = table_of(paper, measured, rows, kMotionStreamed);
  BarChart chart = speed_up_bars(paper, here);
  auto findings = speed_findings(paper.data, here, is_parallel_stage ? &whole : nullptr);
  return {&paper, std::move(here), {std::move(chart)}, std::move(findings)};
}

// The size of textures of a format, and of what is cut from clips; 0 leaves clips whole.
std::uint64_t texture_size(const MotionFormat& format, Scale scale) {
  std::vector<std::uint64_t> sizes;
  for (const MotionPaperSize& size : kMotionPaperSizes) {
    if (size.format_width == format.width) sizes.push_back(size.macroblocks);
  }
  switch (scale) {
    case Scale::kTiny: return kMotionPaperSizes[0].macroblocks;
    case Scale::kQuick: return sizes[sizes.size() - 2];
    case Scale::kFull: break;
  }
  return sizes.back();
}

// The inputs of a format: clips that are nearest to it, or a texture.
std::vector<PlannedRuns> inputs_of(const MotionFormat& format, const ReproductionPlan& plan) {
  const Scale scale = plan.scale_of_device();
  std::vector<PlannedRuns> inputs;
  for (const std::string& path : plan.clips) {
    const Picture picture = read_motion_clip(path, 2).pictures[0];
    if (&format_of(picture.width(), picture.height()) != &format) continue;
    inputs.push_back({"", path, scale == Scale::kFull ? 0 : texture_size(format, scale)});
  }
  if (inputs.empty()) inputs.push_back({"", kMotionTexture, texture_size(format, scale)});
  return inputs;
}

}  // namespace

std::vector<PlannedRuns> plan_motion(const ReproductionPlan& plan,
                                     const std::set<std::string>& names) {
  std::vector<PlannedRuns> planned;
  const auto add = [&](const char* workload, const MotionFormat& format,
                       const RunSelection& choice) {
    for (PlannedRuns runs : inputs_of(format, plan)) {
      runs.workload = workload;
      runs.choice = choice;
      planned.push_back(std::move(runs));
    }
  };
  for (const MotionFormat& format : kMotionFormats) {
    if (names.contains(format.quality_table)) {
      add(kMotionQuality, format, {.policies = {}, .strategies = {kQuality, kFull, kHexagon}});
    }
    if (names.contains(format.whole_table) || names.contains(format.parallel_table)) {
      add(kMotionPaper, format, {});
    }
    if (names.contains(format.quality_table) || names.contains(format.encode_table)) {
      std::ranges::move(plan_encodes(plan, format), std::back_inserter(planned));
    }
  }
  return planned;
}

std::vector<Reproduction> reproduce_motion(const MeasuredDevice& measured,
                                           const std::set<std::string>& names) {
  std::vector<Reproduction> done;
  for (const MotionFormat& format : kMotionFormats) {
    if (!names.contains(format.quality_table)) continue;
    done.push_back(reproduce_quality(paper_table(format.quality_table), measured, format));
  }
  for (const bool is_parallel_stage : {false, true}) {
    for (const MotionFormat& format : kMotionFormats) {
      const std::string name = is_parallel_stage ? format.parallel_table : format.whole_table;
      if (!names.contains(name)) continue;
      done.push_back(reproduce_times(paper_table(name), is_parallel_stage, measured, format));
    }
  }
  for (const MotionFormat& format : kMotionFormats) {
    if (!names.contains(format.encode_table)) continue;
    done.push_back(reproduce_encode_times(paper_table(format.encode_table), measured, format));
  }
  return done;
}

}  // namespace millrace::tools
