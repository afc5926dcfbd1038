#include <algorithm>
#include <filesystem>

#include <millrace/runtime/error.h>
#include <millrace/tools/chart/number_text.h>
#include <millrace/tools/report/sections.h>
#include <millrace/tools/report/trace_lanes.h>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

// Beside the file of results, or in a folder there: results may come from elsewhere, and are not to
// have other files read.
std::string trace_path(const Machine& machine, const std::string& trace) {
  const fs::path path(trace);
  const bool leads_away =
      path.is_absolute() || std::ranges::find(path, fs::path("..")) != path.end();
  if (leads_away) {
    throw Error(ErrorCode::kInvalidArgument,
                machine.file + ": a trace is '" + trace + "', which is not in the file's folder");
  }
  return (fs::path(machine.file).parent_path() / path).string();
}

// Of each device in the group, the entry of the largest size that has a timeline.
std::vector<Entry> traced(const Group& group) {
  std::vector<Entry> found;
  for (const Entry& entry : group.entries) {
    if (entry.measurement->trace.empty()) continue;
    auto same = std::ranges::find(found, entry.place, &Entry::place);
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
  const auto share = [&](double seconds) {
    return overlap.whole > 0 ? ratio_text(100 * seconds / overlap.whole) + " %" : "";
  };
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    table.rows.push_back({lanes[i].name, std::to_string(lanes[i].spans.size()),
                          quantity_text(overlap.of_lanes[i], "s"), share(overlap.of_lanes[i])});
  }
  const std::string caption = "Of " + quantity_text(overlap.whole, "s") +
                              ", two or more lanes were at work in " + share(overlap.overlap) +
                              " and one or more in " + share(overlap.busy) + ".";
  return {LaneChart{title, "time", joined(std::move(lanes), overlap.whole)}, caption,
          std::move(table)};
}

}  // namespace

Section timeline_section(const MergedResults& merged, const std::vector<Group>& groups) {
  Section section{"Timelines", {}, {}};
  for (const Group& group : groups) {
    for (const Entry& entry : traced(group)) {
      const Measurement& measurement = *entry.measurement;
      const std::string title = group.name() + " on " + name_of(merged, entry.place) + ": " +
                                contender_of(measurement) + ", size " +
                                si_text(static_cast<double>(measurement.size));
      const std::string path = trace_path(merged.machines[entry.place.machine], measurement.trace);
      if (fs::exists(path)) {
        section.blocks.emplace_back(figure_of(title, read_trace_lanes(path)));
      } else {
        section.blocks.emplace_back(
            Paragraph(title + ": its timeline, " + measurement.trace + ", is not there."));
      }
    }
  }
  return section;
}

}  // namespace millrace::tools
