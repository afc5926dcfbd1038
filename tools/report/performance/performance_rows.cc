// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/performance/performance_rows.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace millrace::tools {
namespace {

// Names of workloads, or their beginnings up to a '-'.
constexpr std::string_view kShown[] = {
    "idct",  "motion", "rd",    "h264", "features",   "sort",         "three-star",
    "tasks", "joins",  "group", "copy", "micro-copy", "micro-upload", "micro-download"};
// Other questions than speed. METG and latencies have tables of their own.
constexpr std::string_view kLeftOut[] = {"-paper",   "-quality", "-stress", "-deadline",
                                         "-scaling", "-start",   "-metg",   "-latency"};

bool begins_with(std::string_view name, std::string_view begin) {
  return name.starts_with(begin) && (name.size() == begin.size() || name[begin.size()] == '-');
}

bool is_peer(const Curve& curve) { return !curve.points.front()->peer.empty(); }

const std::string& strategy_of(const Curve& curve) { return curve.points.front()->strategy; }

std::set<std::string> strategies_of_peers(const std::vector<Curve>& curves) {
  std::set<std::string> strategies;
  for (const Curve& curve : curves) {
    if (is_peer(curve) && !strategy_of(curve).empty()) strategies.insert(strategy_of(curve));
  }
  return strategies;
}

// Returns true for work that is a part of what the workload's peers do.
bool is_part_of_work(const Measurement& measurement) {
  return measurement.workload == "h264" && measurement.strategy == "parse";
}

Contest& contest_of(std::vector<Contest>& contests, const std::string& strategy) {
  const auto found = std::ranges::find(contests, strategy, &Contest::strategy);
  return found != contests.end() ? *found : contests.emplace_back(Contest{strategy, {}});
}

bool is_slower(const PerformanceRow& a, const PerformanceRow& b) {
  return rate_of(*a.best).value < rate_of(*b.best).value;
}

// The rows of a workload and device by their strategies, each of all inputs.
using RowsByWork = std::vector<std::vector<PerformanceRow>>;

void add_row(RowsByWork& rows, PerformanceRow row) {
  for (std::vector<PerformanceRow>& inputs : rows) {
    const PerformanceRow& first = inputs.front();
    if (first.best->workload != row.best->workload || !(first.platform == row.platform) ||
        first.strategy != row.strategy) {
      continue;
    }
    inputs.push_back(std::move(row));
    return;
  }
  rows.push_back({std::move(row)});
}

void add_rows(RowsByWork& rows, const Group& group, const Platform& platform) {
  for (const Contest& contest : contests_of(group, platform)) {
    const Curve best = best_of(contest.curves);
    if (best.points.empty()) continue;
    const Measurement* const largest = best.points.back();
    const Measurement* const peer = best_peer_of(contest.curves).at(largest->size);
    add_row(rows, {platform, contest.strategy, false, largest, peer});
  }
}

}  // namespace

std::vector<Contest> contests_of(const Group& group, const Platform& platform) {
  const std::vector<Curve> curves = curves_of(group, platform);
  const std::set<std::string> of_peers = strategies_of_peers(curves);
  std::vector<Contest> contests;
  for (const Curve& curve : curves) {
    const std::string& strategy = strategy_of(curve);
    const bool is_separate = of_peers.contains(strategy) || is_part_of_work(*curve.points.front());
    contest_of(contests, is_separate ? strategy : "").curves.push_back(curve);
  }
  return contests;
}

bool is_on_page(const std::string& workload) {
  return std::ranges::any_of(kShown,
                             [&](std::string_view word) { return begins_with(workload, word); }) &&
         std::ranges::none_of(kLeftOut, [&](std::string_view word) {
           return workload.find(word) != std::string::npos;
         });
}

std::vector<PerformanceRow> performance_rows(const std::vector<Group>& groups) {
  RowsByWork rows;
  for (const Group& group : groups) {
    if (!is_on_page(group.workload)) continue;
    for (const Platform& platform : platforms_of(group)) add_rows(rows, group, platform);
  }
  std::vector<PerformanceRow> result;
  for (std::vector<PerformanceRow>& inputs : rows) {
    result.push_back(inputs.front());
    const auto slowest = std::ranges::min_element(inputs, is_slower);
    if (slowest == inputs.begin()) continue;
    slowest->is_slowest_input = true;
    result.push_back(*slowest);
  }
  return result;
}

Rate ratio_to_peer(const PerformanceRow& row) {
  const Rate own = rate_of(*row.best);
  const Rate peer = rate_of(*row.peer);
  return {own.value / peer.value, own.low / peer.high, own.high / peer.low};
}

}  // namespace millrace::tools
