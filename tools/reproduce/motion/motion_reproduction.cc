// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <utility>

#include <millrace/tools/reproduce/motion/motion_findings.h>
#include <millrace/tools/reproduce/motion/motion_inputs.h>
#include <millrace/tools/reproduce/motion/motion_times.h>
#include <millrace/tools/reproduce/tables/reproduction.h>

namespace millrace::tools {
namespace {

std::string inputs_note(const ReproduceOptions& options, int range) {
  const char* pictures = "";
  switch (options.scale_of_device()) {
    case Scale::kTiny: pictures = ", of pictures cut to 64x48"; break;
    case Scale::kQuick: pictures = ", of the middle third of their width and height"; break;
    case Scale::kFull: break;
  }
  return std::string(
             "The paper's sequences are not at hand: rows here are of clips that were given "
             "and of textures that move") +
         pictures + ", range " + std::to_string(range) + ".";
}

// Under the rows there are, the mean of each column that all of them have.
void add_mean(DataTable& table) {
  TableRow mean{"mean", {}};
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    std::optional<double> sum = 0;
    for (const TableRow& row : table.rows) {
      sum = sum && row.cells[column] ? std::optional(*sum + *row.cells[column]) : std::nullopt;
    }
    if (sum) *sum /= static_cast<double>(table.rows.size());
    mean.cells.push_back(sum);
  }
  table.rows.push_back(std::move(mean));
}

// Costs of a search and of UMHexagonS in percent of the full search's, by mean rows.
void add_quality_bars(const DataTable& table, const std::string& where, BarChart& chart) {
  const auto full = table.at("mean", "rate, full");
  const auto hexagon = table.at("mean", "rate, UMHexagonS");
  if (!full || !hexagon) return;
  const double own = 100 + *full;
  chart.bars.push_back({"search on the device" + where, {own}});
  chart.bars.push_back({"UMHexagonS" + where, {own / (1 + *hexagon / 100)}});
}

Reproduction reproduce_quality(const PaperTable& paper, const std::vector<MotionClip>& clips,
                               bool has_textures, const ReproduceOptions& options, int range) {
  DataTable here{paper.data.label_name, paper.data.columns, {}, {inputs_note(options, range)}};
  here.notes.emplace_back(
      "Nothing is coded here: in place of the bit rate is the Lagrangian cost J of the chosen "
      "modes, "
      "and PSNR is of the predicted luma, without residual. There is no fast full search of its "
      "own "
      "here: it would find what the full search finds.");
  std::vector<LumaSearch> searches = quality_searches(options.device);
  searches.resize(kHexagonByMedian + 1);
  for (const MotionClip& clip : clips) {
    options.step();
    const MotionQualities qualities = measure_qualities(clip, searches, range);
    const MotionDifference full = mean_difference(qualities, kFullByPrevious, kFullByMedian);
    const MotionDifference hexagon = mean_difference(qualities, kFullByPrevious, kHexagonByMedian);
    here.rows.push_back(
        {clip.name, {full.db, full.cost_percent, {}, {}, hexagon.db, hexagon.cost_percent}});
  }
  add_mean(here);
  const std::string limit =
      has_textures ? "a texture that moves says nothing of video; --clip FILE would" : "";
  BarChart chart{paper.name + ", means", "% of the full search's cost", {"cost"}, {}};
  add_quality_bars(paper.data, " (paper)", chart);
  add_quality_bars(here, " (here)", chart);
  return {&paper, here, {std::move(chart)}, quality_findings(paper.data, here, limit)};
}

double time_reduction(double seconds, double base) { return 100 * (1 - seconds / base); }

double speed_up(double time_reduction) { return 1 / (1 - time_reduction / 100); }

// The form of tables 5 to 10, of one of the two ways to search on the device.
DataTable table_of(const PaperTable& paper, const std::vector<MotionTimes>& times,
                   double MotionTimes::*seconds) {
  DataTable table{paper.data.label_name, paper.data.columns, {}, {}};
  for (const MotionTimes& of_clip : times) {
    TableRow& row = table.rows.emplace_back(TableRow{of_clip.name, {}});
    for (const double base : {of_clip.full, of_clip.fast_full, of_clip.hexagon}) {
      row.cells.emplace_back(time_reduction(of_clip.*seconds, base));
      row.cells.emplace_back(speed_up(*row.cells.back()));
    }
    row.cells.emplace_back(1 / of_clip.*seconds);
  }
  add_mean(table);
  // Mean speed-ups go with mean time reductions, as in the paper.
  std::vector<std::optional<double>>& mean = table.rows.back().cells;
  for (std::size_t i = 0; i + 1 < mean.size(); i += 2) mean[i + 1] = speed_up(*mean[i]);
  return table;
}

Reproduction reproduce_times(const PaperTable& paper, bool is_parallel_part,
                             const std::vector<MotionTimes>& times, const ReproduceOptions& options,
                             int range) {
  DataTable here =
      table_of(paper, times, is_parallel_part ? &MotionTimes::resident : &MotionTimes::streamed);
  here.notes.push_back(inputs_note(options, range));
  here.notes.emplace_back(
      is_parallel_part
          ? "Here: search_motion() of pictures on the device, without copies and modes."
          : "Here: pictures through the device, from host memory, with modes, and back.");
  here.notes.emplace_back(
      "What is compared with is one core of this machine, not the JM: the full search in coding "
      "order; search_motion(), which shares sums of 4x4 blocks, as the fast full search; a search "
      "in the manner of UMHexagonS. All are vectorised, and timed by the core's CPU time. Times of "
      "the core are the best of several, those of the device medians.");
  const DataTable whole = table_of(paper, times, &MotionTimes::streamed);
  BarChart chart{paper.name + ", means", "times as fast as one core", {"speed-up"}, {}};
  for (const char* const name : {"full", "fast full", "UMHexagonS"}) {
    const std::string column = std::string("speed-up, ") + name;
    chart.bars.push_back({std::string(name) + " (paper)", {*paper.data.at("mean", column)}});
    chart.bars.push_back({std::string(name) + " (here)", {*here.at("mean", column)}});
  }
  auto findings = speed_findings(paper.data, here, is_parallel_part ? &whole : nullptr);
  return {&paper, std::move(here), {std::move(chart)}, std::move(findings)};
}

// Clips of a format and their times, when they are first needed.
class FormatRuns {
 public:
  FormatRuns(const ReproduceOptions& options, const MotionInputs& inputs,
             const MotionFormat& format)
      : options_(options), inputs_(inputs), format_(format) {}

  const MotionFormat& format() const { return format_; }

  const std::vector<MotionClip>& clips() {
    if (clips_.empty()) clips_ = inputs_.of(format_);
    return clips_;
  }

  const std::vector<MotionTimes>& times() {
    if (!times_.empty()) return times_;
    for (const MotionClip& clip : clips()) {
      options_.step();
      times_.push_back(measure_motion_times(options_, clip, inputs_.range()));
    }
    return times_;
  }

 private:
  const ReproduceOptions& options_;
  const MotionInputs& inputs_;
  const MotionFormat& format_;
  std::vector<MotionClip> clips_;
  std::vector<MotionTimes> times_;
};

}  // namespace

std::vector<Reproduction> reproduce_motion(const ReproduceOptions& options,
                                           const std::set<std::string>& names) {
  const MotionInputs inputs(options);
  std::vector<Reproduction> done;
  std::vector<FormatRuns> runs;
  for (const MotionFormat& format : kMotionFormats) runs.emplace_back(options, inputs, format);
  for (FormatRuns& of_format : runs) {
    const MotionFormat& format = of_format.format();
    if (names.contains(format.quality_table)) {
      done.push_back(reproduce_quality(paper_table(format.quality_table), of_format.clips(),
                                       inputs.are_textures(format), options, inputs.range()));
    }
  }
  for (const bool is_parallel_part : {false, true}) {
    for (FormatRuns& of_format : runs) {
      const MotionFormat& format = of_format.format();
      const std::string name = is_parallel_part ? format.parallel_table : format.whole_table;
      if (!names.contains(name)) continue;
      done.push_back(reproduce_times(paper_table(name), is_parallel_part, of_format.times(),
                                     options, inputs.range()));
    }
  }
  return done;
}

}  // namespace millrace::tools
