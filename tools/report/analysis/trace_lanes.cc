// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/trace_lanes.h>
#include <millrace/tools/report/results/json_file.h>
#include <millrace/tools/report/results/json_object.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>

namespace millrace::tools {
namespace {

// Spans shorter than this are joined across smaller gaps. It is a fraction of a chart's width.
constexpr double kLeastGap = 1.0 / 1500;

// Without those inside others: begins and ends ascend.
std::vector<std::pair<double, double>> union_of(const std::vector<ChartSpan>& spans) {
  std::vector<std::pair<double, double>> intervals;
  for (const ChartSpan& span : spans) intervals.emplace_back(span.begin, span.end);
  std::ranges::sort(intervals);
  std::vector<std::pair<double, double>> result;
  for (const auto& [begin, end] : intervals) {
    if (result.empty() || begin > result.back().second) {
      result.emplace_back(begin, end);
    } else {
      result.back().second = std::max(result.back().second, end);
    }
  }
  return result;
}

void read_event(const JsonObject& event, std::map<std::uint64_t, ChartLane>& lanes) {
  constexpr double kMicrosecond = 1e-6;
  std::string phase;
  event.require("ph", phase);
  if (phase != "X" && phase != "M") return;
  std::string name;
  event.require("name", name);
  if (phase == "M" && name != "thread_name") return;
  std::uint64_t row = 0;
  event.require("tid", row);
  if (phase == "M") return event.object("args").require("name", lanes[row].name);
  double begin = 0;
  double duration = 0;
  event.require("ts", begin);
  event.require("dur", duration);
  if (duration < 0) {
    event.reject("dur", "is " + nlohmann::json(duration).dump() + "; it must be 0 or more");
  }
  lanes[row].spans.push_back({name, begin * kMicrosecond, (begin + duration) * kMicrosecond});
}

}  // namespace

std::vector<ChartLane> read_trace_lanes(const std::string& path) {
  const nlohmann::json document = read_json(path, "give a file that --trace wrote");
  std::map<std::uint64_t, ChartLane> rows;
  for (const JsonObject& event : JsonObject(document, path, "").objects("traceEvents")) {
    read_event(event, rows);
  }
  double first = std::numeric_limits<double>::max();
  for (const auto& [row, lane] : rows) {
    for (const ChartSpan& span : lane.spans) first = std::min(first, span.begin);
  }
  std::vector<ChartLane> lanes;
  for (auto& [row, lane] : rows) {
    if (lane.spans.empty()) continue;
    for (ChartSpan& span : lane.spans) span.begin -= first, span.end -= first;
    std::ranges::stable_sort(lane.spans, {}, &ChartSpan::begin);
    lanes.push_back(std::move(lane));
  }
  return lanes;
}

Overlap overlap_of(const std::vector<ChartLane>& lanes) {
  Overlap result;
  // Times at which the number of busy lanes changes, and by how many.
  std::vector<std::pair<double, int>> changes;
  for (const ChartLane& lane : lanes) {
    double busy = 0;
    for (const auto& [begin, end] : union_of(lane.spans)) {
      busy += end - begin;
      changes.emplace_back(begin, 1);
      changes.emplace_back(end, -1);
    }
    result.of_lanes.push_back(busy);
  }
  if (changes.empty()) return result;
  std::ranges::sort(changes);
  int at_work = 0;
  for (std::size_t i = 0; i + 1 < changes.size(); ++i) {
    at_work += changes[i].second;
    const double passed = changes[i + 1].first - changes[i].first;
    if (at_work > 0) result.busy += passed;
    if (at_work > 1) result.overlap += passed;
  }
  result.whole = changes.back().first - changes.front().first;
  return result;
}

std::vector<ChartLane> joined(std::vector<ChartLane> lanes, double end) {
  for (ChartLane& lane : lanes) {
    std::vector<ChartSpan> spans;
    std::size_t joined = 0;  // Number of spans in the last one.
    for (ChartSpan& span : lane.spans) {
      const bool is_close = !spans.empty() && span.begin - spans.back().end < end * kLeastGap &&
                            span.end - span.begin < end * kLeastGap;
      if (!is_close) {
        spans.push_back(std::move(span));
        joined = 1;
      } else {
        spans.back().end = std::max(spans.back().end, span.end);
        spans.back().name = std::to_string(++joined) + " together";
      }
    }
    lane.spans = std::move(spans);
  }
  return lanes;
}

}  // namespace millrace::tools
