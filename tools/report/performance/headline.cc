// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/number_text.h>
#include <millrace/tools/report/performance/headline.h>

#include <algorithm>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

// A workload, and the strategy that is shown if it was measured.
struct Headline {
  const char* what;
  const char* workload;
  const char* strategy;
};

constexpr Headline kHeadlines[] = {
    {"H.264 inverse transforms, host to host", "idct-host", ""},
    {"full search of motion to quarter samples", "motion-quarter", ""},
    {"features of H.264 streams, from bytes in host memory", "h264-streams", ""},
    {"the same, and pictures reconstructed", "h264-decoding", ""},
    {"H.264 encoding, from pictures in memory", "rd", ""},
    {"sort of u32 keys, host to host", "sort-keys", "pinned"},
    {"sort of u32 pairs, host to host", "sort-pairs", "pinned"},
    {"3-stars counted, of uniform points", "three-star-count", ""},
    {"tasks of an unbalanced tree", "tasks-geo", ""},
    {"a number of Fibonacci, a task with a join for each call", "joins-fibonacci", ""},
};

// Returns the name of a limit in a sentence.
std::string limit_text(const std::string& limit) {
  constexpr std::pair<const char*, const char*> kTexts[] = {
      {"copy", "what memory copies"},
      {"copy in cache", "what a cache copies"},
      {"upload", "the link"},
      {"download", "the link"},
      {"tasks", "an empty flat queue"}};
  for (const auto& [name, text] : kTexts) {
    if (limit == name) return text;
  }
  return limit;
}

bool is_better(const Headline& headline, const PerformanceRow& a, const PerformanceRow& b) {
  const bool is_shown = a.strategy == headline.strategy;
  if (is_shown != (b.strategy == headline.strategy)) return is_shown;
  return rate_of(*a.best).value > rate_of(*b.best).value;
}

std::string text_of(const PerformanceRow& row) {
  const Measurement& best = *row.best;
  std::string rate = quantity_text(rate_of(best).value, rate_unit(best)) + " on " + best.device;
  if (row.peer != nullptr) {
    return rate + ", " + ratio_text(ratio_to_peer(row).value) + " times " + row.peer->peer;
  }
  if (!best.limit_fraction) return rate;
  return rate + ", " + ratio_text(100 * *best.limit_fraction) + " % of " + limit_text(best.limit);
}

std::string cell_of(const Headline& headline, const std::vector<PerformanceRow>& rows) {
  const PerformanceRow* shown = nullptr;
  for (const PerformanceRow& row : rows) {
    if (row.best->workload != headline.workload || row.is_slowest_input) continue;
    if (shown == nullptr || is_better(headline, row, *shown)) shown = &row;
  }
  return shown == nullptr ? "" : text_of(*shown);
}

}  // namespace

Table headline_table(const std::vector<MachineRows>& machines) {
  Table table{"The fastest of Millrace at the largest size, beside the best other or the limit",
              {{"what"}},
              {}};
  for (const MachineRows& each : machines) {
    const Machine& machine = *each.machine;
    table.columns.push_back({machine.label + ", " + machine.results.started.substr(0, 10)});
  }
  for (const Headline& headline : kHeadlines) {
    std::vector<std::string> row = {headline.what};
    for (const MachineRows& each : machines) row.push_back(cell_of(headline, each.rows));
    const bool is_measured = std::any_of(row.begin() + 1, row.end(),
                                         [](const std::string& cell) { return !cell.empty(); });
    if (is_measured) table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace millrace::tools
