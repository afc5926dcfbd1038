// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/number_text.h>
#include <millrace/tools/report/performance/headline.h>
#include <millrace/tools/report/performance/newest_results.h>
#include <millrace/tools/report/performance/performance.h>
#include <millrace/tools/report/performance/performance_rows.h>
#include <millrace/tools/report/sections/encode_table.h>
#include <millrace/tools/report/sections/figures.h>
#include <millrace/tools/report/sections/sections.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

std::string under(const PerformanceRow& row) {
  return row.strategy.empty() ? row.work : row.work + ", " + row.strategy;
}

BarChart bar_chart(const std::string& title, const std::string& unit) {
  return {title, unit, {"figure"}, {}};
}

Table figure_table(const BarChart& chart, const std::string& of) {
  Table table{"Figures of: " + chart.title,
              {{"Work"}, {chart.unit, true}, {"95 % interval", true}, {of}},
              {}};
  return table;
}

void add_bar(Figure& figure, const std::string& name, const Rate& rate, const std::string& of) {
  std::get<BarChart>(figure.chart).bars.push_back({name, {rate.value}, rate.low, rate.high});
  figure.table.rows.push_back(
      {name, ratio_text(rate.value), ratio_text(rate.low) + " to " + ratio_text(rate.high), of});
}

std::string size_text(std::uint64_t size) {
  return size < 1000 ? std::to_string(size) : si_text(static_cast<double>(size));
}

std::string bar_name(const MergedResults& merged, const PerformanceRow& row) {
  return under(row) + ", " + size_text(row.best->size) + " on " + name_of(merged, row.platform);
}

// Returns true if what bounds the row is memory or a link.
bool is_bound_by_bytes(const MergedResults& merged, const PerformanceRow& row) {
  const std::vector<LimitRecord>& limits = merged.machines[row.platform.machine].results.limits;
  return std::ranges::any_of(limits, [&](const LimitRecord& limit) {
    return limit.device == row.platform.device && limit.name == row.best->limit &&
           limit.unit == "B/s";
  });
}

// A yardstick of many workloads, which a device beats by far: no library, and beside it the bars of
// libraries could not be seen.
constexpr char kOneThread[] = "one thread";

Figure peer_figure(const MergedResults& merged, const std::vector<MachineRows>& machines) {
  const BarChart chart = bar_chart("Speed over the best other library or method", "times");
  Figure figure{chart, "A bar above 1 is in favour of Millrace.", figure_table(chart, "Over")};
  for (const MachineRows& each : machines) {
    for (const PerformanceRow& row : each.rows) {
      if (row.peer == nullptr || row.peer->peer == kOneThread) continue;
      add_bar(figure, bar_name(merged, row) + ", over " + row.peer->peer, ratio_to_peer(row),
              contender_of(*row.peer));
    }
  }
  return figure;
}

Figure limit_figure(const MergedResults& merged, const std::vector<MachineRows>& machines) {
  const BarChart chart = bar_chart("Share of what memory or the link carried in the same run", "%");
  Figure figure{chart, "", figure_table(chart, "Of")};
  for (const MachineRows& each : machines) {
    for (const PerformanceRow& row : each.rows) {
      if (!row.best->limit_fraction || row.is_slowest_input) continue;
      if (!is_bound_by_bytes(merged, row)) continue;
      const Rate rate = rate_of(*row.best);
      const double percent = 100 * *row.best->limit_fraction;
      add_bar(figure, bar_name(merged, row) + ", of " + row.best->limit,
              {percent, percent * rate.low / rate.value, percent * rate.high / rate.value},
              row.best->limit);
    }
  }
  return figure;
}

void add_figure(Section& section, Figure figure) {
  if (!figure.table.rows.empty()) section.blocks.emplace_back(std::move(figure));
}

// Rates of Millrace's best and of all peers over sizes, where there are several sizes and a peer.
void add_size_figures(Section& section, const MergedResults& merged, const Group& group) {
  for (const Platform& platform : platforms_of(group)) {
    for (const Contest& contest : contests_of(group, platform)) {
      const Curve best = best_of(contest.curves);
      std::vector<NamedCurve> curves = {{"Millrace", best}};
      for (const Curve& curve : contest.curves) {
        if (!curve.points.front()->peer.empty()) curves.push_back({curve.contender, curve});
      }
      if (best.points.size() < 2 || curves.size() < 2) continue;
      const std::string name =
          group.name() + (contest.strategy.empty() ? "" : ", " + contest.strategy);
      section.blocks.emplace_back(
          rate_figure(name + " on " + name_of(merged, platform), curves, {}));
    }
  }
}

// Of each workload the first input alone.
void add_size_figures(Section& section, const MergedResults& merged,
                      const std::vector<Group>& groups) {
  std::string before;
  for (const Group& group : groups) {
    if (is_on_page(group.workload) && group.workload != before) {
      add_size_figures(section, merged, group);
    }
    before = group.workload;
  }
}

// Describes the machine and its runs, the newest first.
Table run_table(const Results& results, const std::vector<const Results*>& runs) {
  Table table{"Machine and run", {{"what"}, {"value"}}, {}};
  const MachineRecord& machine = results.machine;
  table.rows = {{"Processor", machine.cpu + ", " + std::to_string(machine.cores) + " cores"},
                {"System", machine.system}};
  for (const DeviceRecord& device : results.devices) {
    table.rows.push_back(
        {"Device", device.name + ": " + device.description +
                       (device.driver.empty() ? "" : ", driver " + device.driver)});
  }
  for (const auto& [name, version] : results.build.toolkits) {
    table.rows.push_back({"Toolkit", std::string(name).append(" ").append(version)});
  }
  for (const Results* const run : runs) {
    table.rows.push_back({"Date", run->started.substr(0, 10)});
    table.rows.push_back({"Version", run->build.version});
    table.rows.push_back({"Commit", run->build.commit.empty() ? "not known" : run->build.commit});
    table.rows.push_back(
        {"Command",
         run->command + (run->is_complete ? "" : " (not finished: it measured a part)")});
  }
  return table;
}

std::vector<std::string> row_of(const PerformanceRow& row) {
  const Measurement& best = *row.best;
  const Rate rate = rate_of(best);
  return {under(row) + (row.is_slowest_input ? " (slowest input)" : ""),
          best.device,
          std::to_string(best.size),
          contender_of(best),
          quantity_text(rate.value, rate_unit(best)),
          si_text(rate.low) + " to " + si_text(rate.high),
          best.limit_fraction ? ratio_text(100 * *best.limit_fraction) + " % of " + best.limit : "",
          row.peer == nullptr
              ? ""
              : ratio_text(ratio_to_peer(row).value) + " times " + contender_of(*row.peer)};
}

// Adds the bit rates and qualities of what the machine has encoded.
void add_encodes(Section& section, const MergedResults& merged, const Machine& machine,
                 const std::vector<Group>& groups) {
  for (Group group : groups) {
    std::erase_if(group.entries, [&](const Entry& entry) {
      return &merged.machines[entry.platform.machine] != &machine;
    });
    Table table = encode_table(merged, group);
    if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
  }
}

Section machine_page(const MergedResults& merged, const MachineRows& each,
                     const std::vector<const Results*>& runs, const std::vector<Group>& groups) {
  const Machine& machine = *each.machine;
  Section section{machine.label, {run_table(machine.results, runs)}, {}};
  Table table{"The fastest of Millrace at the largest size",
              {{"Work"},
               {"Device"},
               {"Size", true},
               {"Fastest"},
               {"Rate", true},
               {"95 % interval", true},
               {"Of its limit", true},
               {"Against the best other"}},
              {}};
  for (const PerformanceRow& row : each.rows) table.rows.push_back(row_of(row));
  if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
  add_encodes(section, merged, machine, groups);
  return section;
}

Section reading_section() {
  return {"How to read it",
          {Paragraph("Rates are medians. Contenders of one workload, input and size were timed in "
                     "turns, and every result was checked. Limits are rates that the same run "
                     "measured on the device: copies, transfers, tasks of a flat queue. Others "
                     "are other libraries, and plain loops or copies that do the same work. Where "
                     "one of them has a strategy, such as pinned memory, it is compared with "
                     "Millrace under the same one."),
           Paragraph("Of each workload the table of a machine has its usual input and the one on "
                     "which Millrace is slowest. The results files have all others.")},
          {}};
}

std::string subtitle_of(const MergedResults& merged) {
  std::string text;
  for (const Machine& machine : merged.machines) {
    text +=
        (text.empty() ? "" : "; ") + machine.label + " on " + machine.results.started.substr(0, 10);
  }
  return "Newest results of each machine: " + text;
}

}  // namespace

Document performance_of(const MergedResults& all, const ReportOptions& options) {
  const NewestResults newest = newest_results(all);
  const MergedResults& merged = newest.merged;
  const std::vector<Group> groups = groups_of(merged);
  std::vector<MachineRows> machines;
  for (std::size_t i = 0; i < merged.machines.size(); ++i) {
    machines.push_back({&merged.machines[i], performance_rows(groups, i)});
  }
  Section summary{"Summary", {}, {}};
  Table headline = headline_table(machines);
  if (!headline.rows.empty()) summary.blocks.emplace_back(std::move(headline));
  add_figure(summary, peer_figure(merged, machines));
  add_figure(summary, limit_figure(merged, machines));
  if (summary.is_empty()) {
    summary.blocks.emplace_back(Paragraph("Nothing of Millrace that this page shows was timed."));
  }
  Document document{options.title.empty() ? "Performance" : options.title,
                    subtitle_of(merged),
                    {std::move(summary), reading_section()}};
  for (std::size_t i = 0; i < machines.size(); ++i) {
    document.sections.push_back(machine_page(merged, machines[i], newest.runs[i], groups));
  }
  Section metg = metg_section(merged, groups);
  if (!metg.is_empty()) document.sections.push_back(std::move(metg));
  Section sizes{"Over sizes", {}, {}};
  add_size_figures(sizes, merged, groups);
  if (!sizes.is_empty()) document.sections.push_back(std::move(sizes));
  Section targets = target_section(merged, options.targets);
  if (!targets.is_empty()) document.sections.push_back(std::move(targets));
  return document;
}

}  // namespace millrace::tools
