// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/number_text.h>
#include <millrace/tools/report/streams/live_streams.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

// Values of the workloads.
constexpr char kLiveStreams[] = "live streams";
constexpr char kStreamRate[] = "pictures per s of a stream";
constexpr char kBits[] = "Gbit per s";  // Only workloads of many streams have it.
constexpr char kUploaded[] = "upload bytes per macroblock";
constexpr char kDownloaded[] = "download bytes per macroblock";

std::string value_text(const Measurement& measurement, const char* name) {
  const double value = value_of(measurement, name);
  return value == 0 ? "" : ratio_text(value);
}

bool is_better(const Measurement* own, const Measurement* other) {
  return other == nullptr || live_streams_of(*own).value > live_streams_of(*other).value;
}

// The best measurement at each size.
using BestBySize = std::map<std::uint64_t, const Measurement*>;

// Returns those of a group on a device that are of Millrace.
BestBySize best_by_size(const Group& group, const Platform& platform) {
  BestBySize best;
  for (const Entry& entry : group.entries) {
    const Measurement* const each = entry.measurement;
    if (!(entry.platform == platform) || !each->peer.empty()) continue;
    if (live_streams_of(*each).value == 0) continue;
    const Measurement*& stored = best[each->size];
    if (is_better(each, stored)) stored = each;
  }
  return best;
}

// Returns the best measurements of a group on a device, that of Millrace first and then one of each
// peer.
std::vector<const Measurement*> best_of_contenders(const Group& group, const Platform& platform) {
  std::map<std::string, const Measurement*> best;  // Keyed by peer; "" is Millrace.
  for (const Entry& entry : group.entries) {
    const Measurement* const each = entry.measurement;
    if (!(entry.platform == platform) || live_streams_of(*each).value == 0) continue;
    const Measurement*& stored = best[each->peer];
    if (is_better(each, stored)) stored = each;
  }
  std::vector<const Measurement*> all;
  for (const auto& [peer, measurement] : best) all.push_back(measurement);
  return all;
}

// Lines of one device.
struct DeviceLines {
  std::vector<std::pair<std::string, BestBySize>> inputs;
  std::set<std::uint64_t> sizes;
};

DeviceLines lines_of(const std::vector<Group>& groups, const Platform& platform) {
  DeviceLines lines;
  for (const Group& group : groups) {
    BestBySize best = best_by_size(group, platform);
    if (best.empty()) continue;
    for (const auto& [size, measurement] : best) lines.sizes.insert(size);
    lines.inputs.emplace_back(group.input.empty() ? group.workload : group.input, std::move(best));
  }
  return lines;
}

Chart chart_of(const std::string& title, const DeviceLines& lines) {
  if (lines.sizes.size() > 1) {
    LineChart chart{title, "streams at a time, slices of each in flight", "live streams", {}};
    for (const auto& [input, best] : lines.inputs) {
      ChartLine& line = chart.lines.emplace_back(ChartLine{input, {}});
      for (const auto& [size, measurement] : best) {
        const Rate rate = live_streams_of(*measurement);
        line.points.push_back({static_cast<double>(size), rate.value, rate.low, rate.high});
      }
    }
    return chart;
  }
  BarChart chart{title, "live streams", {"live streams"}, {}};
  for (const auto& [input, best] : lines.inputs) {
    const Rate rate = live_streams_of(*best.begin()->second);
    chart.bars.push_back({input, {rate.value}, rate.low, rate.high});
  }
  return chart;
}

Table table_of(const std::string& title, const DeviceLines& lines) {
  Table table{"Figures of: " + title,
              {{"Stream"},
               {"Streams at a time", true},
               {"Live streams", true},
               {"95 % interval", true},
               {"Policy, strategy"}},
              {}};
  for (const auto& [input, best] : lines.inputs) {
    for (const auto& [size, measurement] : best) {
      const Rate rate = live_streams_of(*measurement);
      table.rows.push_back({input, std::to_string(size), si_text(rate.value),
                            si_text(rate.low) + " to " + si_text(rate.high),
                            contender_of(*measurement)});
    }
  }
  return table;
}

}  // namespace

Rate live_streams_of(const Measurement& measurement) {
  const double counted = value_of(measurement, kLiveStreams);
  if (measurement.status != MeasurementStatus::kOk || counted == 0 ||
      value_of(measurement, kBits) == 0) {
    return {};
  }
  const double stream_rate = value_of(measurement, kStreamRate);
  const Rate rate = rate_of(measurement);
  // Results before that value have the figure of the run that was checked alone.
  if (stream_rate == 0) {
    return {counted, counted * rate.low / rate.value, counted * rate.high / rate.value};
  }
  return {rate.value / stream_rate, rate.low / stream_rate, rate.high / stream_rate};
}

Table live_table(const MergedResults& merged, const std::vector<Group>& groups,
                 const RunColumn& run_column) {
  Table table{"Live H.264 streams that are sustained, by profile and bit rate",
              {{"Work"},
               {"Device"},
               {"Policy, strategy"},
               {"Streams at a time", true},
               {"Live streams", true},
               {"Gbit/s", true},
               {"Uploaded, bytes a macroblock", true},
               {"Downloaded, bytes a macroblock", true}},
              {}};
  add_run_column(table, run_column);
  for (const Group& group : groups) {
    for (const Platform& platform : platforms_of(group)) {
      for (const Measurement* const each : best_of_contenders(group, platform)) {
        add_row(table,
                {group.name(), name_of(merged, platform), contender_of(*each),
                 std::to_string(each->size), si_text(live_streams_of(*each).value),
                 value_text(*each, kBits), value_text(*each, kUploaded),
                 value_text(*each, kDownloaded)},
                *each, run_column);
      }
    }
  }
  return table;
}

std::vector<Figure> live_figures(const MergedResults& merged, const std::vector<Group>& groups) {
  std::vector<Figure> figures;
  for (const Platform& platform : platforms_of(groups)) {
    const DeviceLines lines = lines_of(groups, platform);
    if (lines.inputs.empty()) continue;
    const std::string title =
        groups.front().workload + ": live streams that " + name_of(merged, platform) + " sustains";
    figures.push_back({chart_of(title, lines), "", table_of(title, lines)});
  }
  return figures;
}

}  // namespace millrace::tools
