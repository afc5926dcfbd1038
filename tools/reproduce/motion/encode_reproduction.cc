// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/motion/motion_paper_input.h>
#include <millrace/tools/benchmarks/workloads/rd/bd_rate.h>
#include <millrace/tools/benchmarks/workloads/rd/rd_workload.h>
#include <millrace/tools/reproduce/motion/encode_reproduction.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

constexpr const char* kSettings = kRdStrategies[0];
constexpr char kJm[] = "JM 17.2 ";
// The x264 that searches every whole sample, as the paper's settings do.
constexpr const char* kX264 = kRdPeers[1];

RunKey peer_key(const MotionRow& row, const std::string& peer) {
  return {.workload = kRateDistortion, .input = row.input, .size = row.size, .peer = peer};
}

// Returns the points of (4Y + U + V) / 6, the paper's equation 1; none where one is missing.
std::vector<RatePoint> curve_of(const MeasuredDevice& measured, const RunKey& key) {
  std::vector<RatePoint> points;
  for (const int qp : kRdQps) {
    const auto rate = measured.value(key, rd_rate_name(qp));
    const auto psnr = measured.value(key, rd_weighted_name(qp));
    if (!rate || !psnr) return {};
    points.push_back({*rate, *psnr});
  }
  return points;
}

std::optional<double> finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// Adds the two columns of a contender, unless they are there, and their figures in the last row.
void set_deltas(DataTable& table, const std::string& contender,
                const std::vector<RatePoint>& anchor, const std::vector<RatePoint>& own) {
  const auto set = [&](const TableColumn& column, double figure) {
    if (!table.column_index(column.name)) {
      table.columns.push_back(column);
      for (TableRow& row : table.rows) row.cells.resize(table.columns.size());
    }
    table.rows.back().cells[*table.column_index(column.name)] = finite(figure);
  };
  set({"PSNR, " + contender, "dB", 3}, bd_psnr_db(anchor, own));
  set({"rate, " + contender, "%", 2}, bd_rate_percent(anchor, own));
}

bool is_texture(const MotionRow& row) { return row.input == kRdTexture; }

// Adds why encodes that were to be compared with are missing.
void add_missing(const MeasuredDevice& measured, const std::vector<MotionRow>& rows,
                 DataTable& table) {
  for (const MotionRow& row : rows) {
    for (const std::string& reason : measured.why_peers_are_missing(kRateDistortion, row.input)) {
      table.notes.push_back("Not compared: " + reason + ".");
    }
  }
}

std::string why_nothing_is_encoded(const MeasuredDevice& measured) {
  const std::string reason = measured.why_missing(kRateDistortion, kSettings);
  return reason.empty() ? "no clip of this format was encoded" : reason;
}

// Adds the rate of one contender on a clip, and the hours that two hours of pictures take by it.
void add_rate(const MeasuredDevice& measured, const RunKey& key, const std::string& label,
              const MotionFormat& format, DataTable& table) {
  constexpr double kHours = 2;
  const auto seconds = measured.seconds(key);
  const auto pictures = measured.items(key);
  if (!seconds || !pictures || *seconds <= 0) return;
  const double rate = *pictures / *seconds;
  table.rows.push_back({label, {rate, kHours * format.rate / rate}});
}

// Sizes that the encoder and x264 take.
bool is_encodable(const Picture& picture) {
  return picture.width() % 2 == 0 && picture.height() % 2 == 0 && picture.width() >= 16 &&
         picture.height() >= 16 && picture.width() <= 4096 && picture.height() <= 2304;
}

std::uint64_t pictures_of(Scale scale) {
  switch (scale) {
    case Scale::kFull: return 48;
    case Scale::kQuick: return 6;
    case Scale::kTiny: break;
  }
  return 2;
}

}  // namespace

std::vector<MotionRow> encode_rows(const MeasuredDevice& measured, const MotionFormat& format) {
  std::vector<MotionRow> rows;
  std::vector<std::string> sizes;
  const auto add_input = [&](const std::string& input) {
    for (const std::uint64_t size : measured.sizes(kRateDistortion, input)) {
      MotionRow row{"", input, size};
      const auto figure = [&](const char* name) {
        return measured.value(row.key(kRateDistortion, kSettings), name).value_or(0);
      };
      const double width = figure(kPictureWidth);
      const double height = figure(kPictureHeight);
      if (width <= 0 || height <= 0) continue;
      if (!is_texture(row) && &format_of(width, height) != &format) continue;
      rows.push_back(std::move(row));
      sizes.push_back(std::to_string(std::lround(width)) + 'x' +
                      std::to_string(std::lround(height)));
    }
  };
  for (const std::string& input : measured.inputs(kRateDistortion)) {
    if (input != kRdTexture) add_input(input);
  }
  if (rows.empty()) add_input(kRdTexture);
  label_rows(rows, sizes);
  return rows;
}

void add_encode_deltas(const MeasuredDevice& measured, const MotionFormat& format,
                       DataTable& table) {
  const std::vector<MotionRow> rows = encode_rows(measured, format);
  bool has_jm = false;
  bool has_x264 = false;
  for (const MotionRow& row : rows) {
    const auto own = curve_of(measured, row.key(kRateDistortion, kSettings));
    if (own.empty()) continue;
    const auto row_of_clip = std::ranges::find(table.rows, row.label, &TableRow::label);
    TableRow of_clip{row.label, std::vector<std::optional<double>>(table.columns.size())};
    if (row_of_clip != table.rows.end()) {
      of_clip = *row_of_clip;
      table.rows.erase(row_of_clip);
    }
    table.rows.push_back(std::move(of_clip));
    for (const char* const search : {"full", "fast full", "UMHexagonS"}) {
      const auto anchor = curve_of(measured, peer_key(row, std::string(kJm) + search));
      if (anchor.empty()) continue;
      set_deltas(table, search, anchor, own);
      has_jm = true;
    }
    const auto anchor = curve_of(measured, peer_key(row, kX264));
    if (anchor.empty()) continue;
    set_deltas(table, kX264, anchor, own);
    has_x264 = true;
  }
  if (has_jm) {
    table.notes.emplace_back(
        "PSNR and rate, here: Bjontegaard deltas of `millrace encode --preset paper` to the JM's "
        "stored encodes of the same pictures, over QP 28 to 40, by (4Y + U + V) / 6. The paper "
        "replaces the search inside the JM and leaves all else; here the whole encoder is another "
        "one, so its decisions and its coding are in the differences, and sequences are others: "
        "columns are the same, figures cannot be compared row by row.");
  } else {
    table.notes.emplace_back(
        "PSNR and rate are missing here: there are no encodes of the JM to compare with "
        "(--anchors FILE).");
  }
  if (has_x264) {
    table.notes.push_back(std::string("To ") + kX264 +
                          ": the same deltas to x264 with full search, encoded in the same run; "
                          "the paper has none.");
  }
  add_missing(measured, rows, table);
}

Reproduction reproduce_encode_times(const PaperTable& paper, const MeasuredDevice& measured,
                                    const MotionFormat& format) {
  DataTable here{paper.data.label_name, paper.data.columns, {}, {}};
  const std::vector<MotionRow> rows = encode_rows(measured, format);
  BarChart chart{paper.name, "h for two hours", {"time"}, {}};
  for (const TableRow& row : paper.data.rows) {
    chart.bars.push_back({row.label + " (paper)", {*row.cells[1]}});
  }
  bool has_stored = false;
  for (const MotionRow& row : rows) {
    for (const char* const strategy : kRdStrategies) {
      add_rate(measured, row.key(kRateDistortion, strategy),
               std::string("encode, ") + strategy + ", " + row.label, format, here);
    }
    for (const char* const peer : kRdPeers) {
      add_rate(measured, peer_key(row, peer), std::string(peer) + ", " + row.label, format, here);
    }
    for (const char* const search : {"full", "fast full", "UMHexagonS"}) {
      const std::string jm = std::string(kJm) + search;
      const std::size_t before = here.rows.size();
      add_rate(measured, peer_key(row, jm), jm + ", " + row.label, format, here);
      has_stored = has_stored || here.rows.size() != before;
    }
  }
  for (const TableRow& row : here.rows) chart.bars.push_back({row.label, {*row.cells[1]}});
  if (here.rows.empty()) {
    here.notes.push_back("What is missing cannot run here: " + why_nothing_is_encoded(measured) +
                         ".");
  } else {
    here.notes.push_back("Hours are computed, not measured: two hours of " +
                         std::to_string(format.rate) +
                         " pictures a second, by the rate of encoding the clip at its own size, at "
                         "QP " +
                         std::to_string(kRdTimedQp) +
                         ", from pictures in memory. Encoders here use as many cores as they "
                         "choose; the paper's use one, and its GPU.");
  }
  if (std::ranges::any_of(rows, is_texture)) {
    here.notes.push_back(std::string(kRdTexture) +
                         " is not of this format, and no video: its hours show the form alone; "
                         "--clip FILE gives a clip.");
  }
  if (has_stored) {
    here.notes.emplace_back(
        "Rates of the JM are stored ones, of one core of another machine: they cannot be compared "
        "with those that were measured.");
  }
  add_missing(measured, rows, here);
  return {&paper, std::move(here), {std::move(chart)}, {}};
}

std::vector<PlannedRuns> plan_encodes(const ReproductionPlan& plan, const MotionFormat& format) {
  const std::uint64_t pictures = pictures_of(plan.scale_of_device());
  const RunSelection choice{.policies = {}, .strategies = {kSettings}};
  std::vector<PlannedRuns> planned;
  bool has_clip = false;
  for (const std::string& path : plan.clips) {
    const Picture picture = read_motion_clip(path, 2).pictures[0];
    if (&format_of(picture.width(), picture.height()) != &format) continue;
    has_clip = true;
    if (is_encodable(picture)) planned.push_back({kRateDistortion, path, pictures, choice});
  }
  if (!has_clip) planned.push_back({kRateDistortion, kRdTexture, pictures, choice});
  return planned;
}

}  // namespace millrace::tools
