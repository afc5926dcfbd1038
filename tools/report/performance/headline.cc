// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/number_text.h>
#include <millrace/tools/report/performance/headline.h>
#include <millrace/tools/report/performance/work_titles.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

// A workload, and the strategy that is shown if it was measured.
struct Headline {
  const char* workload;
  const char* strategy;
  const char* more;  // Words behind the workload's title.
};

constexpr Headline kHeadlines[] = {
    {"idct-host", "", ""},
    {"motion-quarter", "", ""},
    {"h264-streams", "", ""},
    {"h264-decoding", "", ""},
    {"rd", "", ""},
    {"sort-keys", "pinned", ", host to host"},
    {"sort-pairs", "pinned", ", host to host"},
    {"three-star-count", "", ""},
    {"tasks-geo", "", ""},
    {"joins-fibonacci", "", ""},
};

bool is_better(const Headline& headline, const PerformanceRow& a, const PerformanceRow& b) {
  const bool is_shown = a.strategy == headline.strategy;
  if (is_shown != (b.strategy == headline.strategy)) return is_shown;
  return rate_of(*a.best).value > rate_of(*b.best).value;
}

std::string text_of(const PerformanceRow& row, const Results& run, ExceededLimits& exceeded) {
  const Measurement& best = *row.best;
  std::string rate = quantity_text(rate_of(best).value, rate_unit(best)) + " on " + best.device;
  if (row.peer != nullptr) {
    return rate + ", " + ratio_text(ratio_to_peer(row).value) + " times " + row.peer->peer;
  }
  const std::optional<LimitShare> share = limit_share(best, run);
  if (!share) return rate;
  exceeded.add(*share);
  return rate + ", " + share_text(*share);
}

std::string cell_of(const Headline& headline, const MachineRows& machine, RunNames& runs,
                    ExceededLimits& exceeded) {
  const PerformanceRow* shown = nullptr;
  for (const PerformanceRow& row : machine.rows) {
    if (row.best->workload != headline.workload || row.is_slowest_input) continue;
    if (shown == nullptr || is_better(headline, row, *shown)) shown = &row;
  }
  if (shown == nullptr) return "";
  const Results& run = machine.newest->run_of(*shown->best);
  return text_of(*shown, run, exceeded) + " " + runs.name_of(run);
}

bool has_headline(const MachineRows& machine) {
  return std::ranges::any_of(machine.rows, [](const PerformanceRow& row) {
    if (row.is_slowest_input) return false;
    return std::ranges::any_of(kHeadlines, [&](const Headline& headline) {
      return row.best->workload == headline.workload;
    });
  });
}

}  // namespace

Table headline_table(const std::vector<MachineRows>& machines, RunNames& runs,
                     ExceededLimits& exceeded) {
  Table table{"Highest rates of Millrace, beside the fastest other library or method, or a limit",
              {{"Work"}},
              {}};
  std::vector<const MachineRows*> shown;
  for (const MachineRows& each : machines) {
    if (!has_headline(each)) continue;
    shown.push_back(&each);
    table.columns.push_back({each.newest->machine().label});
  }
  for (const Headline& headline : kHeadlines) {
    std::vector<std::string> row = {title_of_workload(headline.workload) + headline.more};
    for (const MachineRows* each : shown) row.push_back(cell_of(headline, *each, runs, exceeded));
    const bool is_measured = std::any_of(row.begin() + 1, row.end(),
                                         [](const std::string& cell) { return !cell.empty(); });
    if (is_measured) table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace millrace::tools
