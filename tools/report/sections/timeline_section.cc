// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/trace_lanes.h>
#include <millrace/tools/report/chart/number_text.h>
#include <millrace/tools/report/sections/sections.h>

#include <algorithm>
#include <filesystem>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

// True if the trace is in the folder of the results file, or below it. Results may come from
// elsewhere and must not cause other files to be read.
bool is_beside(const fs::path& trace) {
  return trace.is_relative() && std::ranges::find(trace, fs::path("..")) == trace.end();
}

// Returns, for each device in the group, the entry of the largest size that has a timeline.
std::vector<Entry> traced(const Group& group) {
  std::vector<Entry> found;
  for (const Entry& entry : group.entries) {
    if (entry.measurement->trace.empty()) continue;
    auto same = std::ranges::find(found, entry.platform, &Entry::platform);
    if (same == found.end()) {
      found.push_back(entry);
    } else if (same->measurement->size < entry.measurement->size) {
      *same = entry;
    }
  }
  return found;
}

Figure figure_of(const std::string& title, std::vector<ChartLane> lanes) {
  const Overlap overlap = overlap_of(lanes);
  Table table{"Lanes of: " + title,
              {{"Lane"}, {"Spans", true}, {"At work", true}, {"Of the time", true}},
              {}};
  const auto percent = [&](double seconds) {
    return overlap.whole > 0 ? ratio_text(100 * seconds / overlap.whole) + " %" : "";
  };
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    table.rows.push_back({lanes[i].name, std::to_string(lanes[i].spans.size()),
                          quantity_text(overlap.of_lanes[i], "s"), percent(overlap.of_lanes[i])});
  }
  const std::string caption = "Of " + quantity_text(overlap.whole, "s") +
                              ", two or more lanes were at work in " + percent(overlap.overlap) +
                              " and one or more in " + percent(overlap.busy) + ".";
  return {LaneChart{title, "time", joined(std::move(lanes), overlap.whole)}, caption,
          std::move(table)};
}

Block block_of(const std::string& title, const Machine& machine, const std::string& trace) {
  const fs::path path = fs::path(machine.file).parent_path() / trace;
  if (!is_beside(trace) || !fs::exists(path)) {
    return Paragraph(title + ": its timeline, " + trace + ", is not beside the file of results.");
  }
  std::vector<ChartLane> lanes = read_trace_lanes(path.string());
  if (lanes.empty()) return Paragraph(title + ": its timeline is empty.");
  return figure_of(title, std::move(lanes));
}

}  // namespace

Section timeline_section(const MergedResults& merged, const std::vector<Group>& groups) {
  Section section{"Timelines", {}, {}};
  for (const Group& group : groups) {
    for (const Entry& entry : traced(group)) {
      const Measurement& measurement = *entry.measurement;
      const std::string title = group.name() + " on " + name_of(merged, entry.platform) + ": " +
                                contender_of(measurement) + ", size " +
                                si_text(static_cast<double>(measurement.size));
      section.blocks.push_back(
          block_of(title, merged.machines[entry.platform.machine], measurement.trace));
    }
  }
  return section;
}

}  // namespace millrace::tools
