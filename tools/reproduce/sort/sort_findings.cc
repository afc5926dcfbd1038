// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/reproduce/sort/sort_findings.h>
#include <millrace/tools/reproduce/tables/table_charts.h>

namespace millrace::tools {
namespace {

constexpr const char* kStreamingClaim = "Streaming of the output makes large sorts faster";

std::optional<double> quotient(std::optional<double> number, std::optional<double> by) {
  if (!number || !by || *by == 0) return std::nullopt;
  return *number / *by;
}

std::string for_keys(const std::string& count) { return "for " + count + " keys"; }

// The first size whose time an item is at most a quarter above the last size's; 0 of no sizes.
std::size_t levels_off_at(const SizeSeries& series) {
  for (const auto& [size, seconds] : series) {
    const auto& [last_size, last_seconds] = *series.rbegin();
    const double last = last_seconds / static_cast<double>(last_size);
    if (seconds / static_cast<double>(size) <= 1.25 * last) return size;
  }
  return 0;
}

Finding level_finding(const DataTable& here, const std::string& limit) {
  const std::string claim = "The device is not fully used below 1000000 keys";
  constexpr std::size_t kPaper = 1'000'000;
  const SizeSeries series = series_of(here, "computation");
  if (series.empty()) return untested(claim, limit);
  const std::size_t last = series.rbegin()->first;
  if (last <= kPaper) {
    return untested(claim, "the largest sort here is of " + std::to_string(last) + " keys");
  }
  const std::size_t level = levels_off_at(series);
  const bool is_alike = level >= kPaper / 10 && level <= kPaper * 10;
  return {claim, is_alike ? FindingVerdict::kHolds : FindingVerdict::kFails,
          "the time a key is within a quarter of that of " + std::to_string(last) + " keys from " +
              std::to_string(level) + " keys on (paper: 1000000)"};
}

// Returns the sum of the times of all operations except the scan: reduction, scatter and both
// copies.
std::optional<double> others(const DataTable& table, const std::string& column) {
  double sum = 0;
  for (const char* const row : {"reduction", "scatter", "copy to device", "copy to host"}) {
    const auto seconds = table.at(row, column);
    if (!seconds) return std::nullopt;
    sum += *seconds;
  }
  return sum;
}

std::optional<double> growth(const DataTable& table, const std::string& row) {
  return quotient(table.at(row, "modified"), table.at(row, "original"));
}

Finding scan_finding(const DataTable& paper, const DataTable& here, const std::string& limit) {
  const std::string claim = "The scan takes many times as long in the modified sort";
  const auto grown = growth(here, "scan");
  const auto of_paper = growth(paper, "scan");
  if (!grown || !of_paper) return untested(claim, limit);
  return {claim, verdict_of(*grown, *of_paper),
          "it takes " + in_words(*grown) + " times as long (paper: " + in_words(*of_paper) + ")"};
}

Finding same_finding(const DataTable& paper, const DataTable& here, const std::string& limit) {
  const std::string claim = "All other operations are as fast as in the original sort";
  const auto slower = quotient(others(here, "modified"), others(here, "original"));
  const auto of_paper = quotient(others(paper, "modified"), others(paper, "original"));
  if (!slower || !of_paper) return untested(claim, limit);
  return {claim, *slower < 1.1 ? FindingVerdict::kHolds : FindingVerdict::kFails,
          "they take " + in_words(*slower) +
              " times as long together (paper: " + in_words(*of_paper) + ")"};
}

Finding overlap_finding(const DataTable& paper, const DataTable& here, const std::string& limit) {
  const std::string claim = "Most of the time of the output is hidden behind sorting";
  const auto hidden = [](const DataTable& table) {
    return quotient(table.at("overlap of output", "modified"),
                    table.at("copy to host", "modified"));
  };
  const auto fraction = hidden(here);
  const auto of_paper = hidden(paper);
  if (!fraction || !of_paper) return untested(claim, limit);
  const std::string saved = *fraction > 0 ? "overlap saves " + in_words(100 * *fraction) +
                                                " % of the time of the copy to the host"
                                          : "overlap saves nothing";
  return {claim, *fraction > 0.5 ? FindingVerdict::kHolds : FindingVerdict::kFails,
          saved + " (paper: " + in_words(100 * *of_paper) + " %)"};
}

Finding balance_finding(const DataTable& here, const std::string& limit) {
  const std::string claim = "The time spent on load balance is negligible";
  const auto fraction = quotient(here.at("load balance", "modified"), here.at("total", "modified"));
  if (!fraction) return untested(claim, limit);
  return {claim, *fraction < 0.01 ? FindingVerdict::kHolds : FindingVerdict::kFails,
          "it is " + in_words(100 * *fraction) + " % of all (paper: 0.003 %)"};
}

Finding total_finding(const DataTable& paper, const DataTable& here, const std::string& row,
                      const std::string& paper_row, const std::string& where,
                      const std::string& limit) {
  const auto saved = [](const DataTable& table, const std::string& label) -> std::optional<double> {
    const auto left = growth(table, label);
    if (!left) return std::nullopt;
    return 100 * (1 - *left);
  };
  return saving_finding({.claim = kStreamingClaim,
                         .what = "the modified sort",
                         .base = "the original",
                         .where = where,
                         .paper_percent = saved(paper, paper_row).value_or(0),
                         .why_untested = limit},
                        saved(here, row));
}

}  // namespace

std::vector<Finding> sort_time_findings(const DataTable& paper, const DataTable& here,
                                        const std::string& limit) {
  const auto copies = [](const DataTable& table, const std::string& label) {
    return quotient(table.at(label, "communication"), table.at(label, "computation"));
  };
  const std::string largest = here.last_with({"computation", "communication"});
  const auto of_paper = copies(paper, paper.last_with({"computation", "communication"}));
  return {level_finding(here, limit),
          speed_up_finding({.claim = "Communication takes longer than computation",
                            .faster = "computation",
                            .slower = "communication",
                            .where = for_keys(largest),
                            .paper = of_paper,
                            .why_untested = limit},
                           copies(here, largest))};
}

std::vector<Finding> sort_fraction_findings(const DataTable& paper, const DataTable& here,
                                            const std::string& limit) {
  const std::string half = "Input and output take over half of the time";
  const std::string output = "Output alone takes less time than computation";
  const std::string largest = here.last_with({"computation", "input", "output"});
  if (largest.empty()) return {untested(half, limit), untested(output, limit)};
  const std::string of_paper = paper.last_with({"computation"});
  const auto percent = [&](const std::string& column) { return *here.at(largest, column); };
  const auto in_paper = [&](const std::string& column) { return *paper.at(of_paper, column); };
  const double both = percent("input") + percent("output");
  return {Finding{half, both > 50 ? FindingVerdict::kHolds : FindingVerdict::kFails,
                  "they take " + in_words(both) + " % " + for_keys(largest) +
                      " (paper: " + in_words(in_paper("input") + in_paper("output")) + " %)"},
          Finding{output,
                  percent("output") < percent("computation") ? FindingVerdict::kHolds
                                                             : FindingVerdict::kFails,
                  "output takes " + in_words(percent("output")) + " % and computation " +
                      in_words(percent("computation")) + " % " + for_keys(largest) +
                      " (paper: " + in_words(in_paper("output")) + " and " +
                      in_words(in_paper("computation")) + " %)"}};
}

std::vector<Finding> streaming_findings(const DataTable& paper, const DataTable& here,
                                        const std::string& limit) {
  const std::string largest = here.last_with({"original", "modified"});
  // A size that the paper has not is compared with its largest.
  const std::string of_paper =
      paper.at(largest, "original") ? largest : paper.last_with({"original"});
  const bool is_small = paper.at(of_paper, "modified") > paper.at(of_paper, "original");
  return {is_small ? untested(kStreamingClaim, "the largest sort here is of " + largest +
                                                   " keys, at which the paper's gets slower too")
                   : total_finding(paper, here, largest, of_paper, for_keys(largest), limit),
          crossover_finding(
              {.claim = "Small sorts get slower and large ones faster",
               .small = "the original",
               .large = "the modified",
               .paper = "the modified sort is faster from between 1000000 and 10000000 on",
               .why_untested = limit},
              series_of(here, "original"), series_of(here, "modified"))};
}

std::vector<Finding> sort_profile_findings(const DataTable& paper, const DataTable& here,
                                           std::size_t count, const std::string& limit) {
  std::vector<Finding> findings = {
      total_finding(paper, here, "total", "total", for_keys(std::to_string(count)), limit),
      overlap_finding(paper, here, limit), scan_finding(paper, here, limit),
      same_finding(paper, here, limit)};
  if (paper.at("load balance", "modified")) findings.push_back(balance_finding(here, limit));
  return findings;
}

}  // namespace millrace::tools
