// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/auto_ratio.h>
#include <millrace/tools/report/chart/number_text.h>
#include <millrace/tools/report/performance/headline.h>
#include <millrace/tools/report/performance/limit_share.h>
#include <millrace/tools/report/performance/newest_results.h>
#include <millrace/tools/report/performance/performance.h>
#include <millrace/tools/report/performance/performance_rows.h>
#include <millrace/tools/report/performance/run_names.h>
#include <millrace/tools/report/performance/stream_table.h>
#include <millrace/tools/report/performance/work_titles.h>
#include <millrace/tools/report/sections/auto_summary.h>
#include <millrace/tools/report/sections/encode_table.h>
#include <millrace/tools/report/sections/figures.h>
#include <millrace/tools/report/sections/sections.h>
#include <millrace/tools/report/streams/latency_table.h>
#include <millrace/tools/report/streams/live_streams.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

BarChart bar_chart(const std::string& title, const std::string& unit) {
  return {title, unit, {"figure"}, {}};
}

Table figure_table(const BarChart& chart, const std::string& of) {
  Table table{"Figures of: " + chart.title,
              {{"Work"}, {chart.unit, true}, {"95 % interval", true}, {of}, {"From run"}},
              {}};
  return table;
}

// A bar, and what is in its row of the table beside the figures.
struct Bar {
  std::string work;
  std::string of;  // Base of a relative figure.
  std::string run;
};

void add_bar(Figure& figure, const Bar& bar, const std::string& preposition, const Rate& rate) {
  std::get<BarChart>(figure.chart)
      .bars.push_back(
          {bar.work + ", " + preposition + " " + bar.of, {rate.value}, rate.low, rate.high});
  figure.table.rows.push_back({bar.work, ratio_text(rate.value),
                               ratio_text(rate.low) + " to " + ratio_text(rate.high), bar.of,
                               bar.run});
}

std::string size_text(std::uint64_t size) {
  return size < 1000 ? std::to_string(size) : si_text(static_cast<double>(size));
}

std::string bar_name(const PerformanceRow& row) {
  const Measurement& best = *row.best;
  return work_text(title_of_workload(best.workload), best.input, row.strategy) + ", size " +
         size_text(best.size) + ", " + best.device;
}

// A yardstick of many workloads, which a device beats by far: no library, and beside it the bars of
// libraries could not be seen.
constexpr char kOneThread[] = "one thread";

Figure peer_figure(const MachineRows& machine, RunNames& runs) {
  const NewestResults& newest = *machine.newest;
  const BarChart chart = bar_chart(
      "Speed over the fastest other library or method, " + newest.machine().label, "times");
  Figure figure{chart, "Millrace is faster where a bar is above 1.", figure_table(chart, "Over")};
  for (const PerformanceRow& row : machine.rows) {
    if (row.peer == nullptr || row.peer->peer == kOneThread) continue;
    add_bar(figure, {bar_name(row), row.peer->peer, runs.name_of(newest.run_of(*row.best))}, "over",
            ratio_to_peer(row));
  }
  return figure;
}

Figure limit_figure(const MachineRows& machine, RunNames& runs) {
  const NewestResults& newest = *machine.newest;
  const BarChart chart = bar_chart(
      "Share of the rate of a copy or transfer in the same run, " + newest.machine().label, "%");
  Figure figure{chart, "", figure_table(chart, "Of")};
  ExceededLimits exceeded;
  for (const PerformanceRow& row : machine.rows) {
    const Results& run = newest.run_of(*row.best);
    const std::optional<LimitShare> share = limit_share(*row.best, run);
    if (!share || !share->is_of_bytes || row.is_slowest_input) continue;
    exceeded.add(*share);
    const Rate rate = rate_of(*row.best);
    const double percent = 100 * share->fraction;
    add_bar(figure, {bar_name(row), limit_text(share->limit), runs.name_of(run)}, "of",
            {percent, percent * rate.low / rate.value, percent * rate.high / rate.value});
  }
  figure.caption = exceeded.text();
  return figure;
}

void add_figure(Section& section, Figure figure) {
  if (!figure.table.rows.empty()) section.blocks.emplace_back(std::move(figure));
}

void add_paragraph(Section& section, Paragraph text) {
  if (!text.empty()) section.blocks.emplace_back(std::move(text));
}

void add_table(Section& section, Table table) {
  if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
}

void add_section(std::vector<Section>& sections, Section section) {
  if (!section.is_empty()) sections.push_back(std::move(section));
}

// Says what shares above 100 % of the curves' points mean; "" if there is none.
std::string exceeded_text(const std::vector<NamedCurve>& curves) {
  ExceededLimits exceeded;
  for (const NamedCurve& each : curves) {
    for (const Measurement* const point : each.curve.points) {
      if (point->limit_fraction) exceeded.add({point->limit, *point->limit_fraction});
    }
  }
  return exceeded.text();
}

// Rates of Millrace's best and of all peers over sizes, where there are several sizes and a peer.
void add_size_figures(Section& section, const Group& group, const RunColumn& run_column) {
  for (const Platform& platform : platforms_of(group)) {
    for (const Contest& contest : contests_of(group, platform)) {
      const Curve best = best_of(contest.curves);
      std::vector<NamedCurve> curves = {{"Millrace", best}};
      for (const Curve& curve : contest.curves) {
        if (!curve.points.front()->peer.empty()) curves.push_back({curve.contender, curve});
      }
      if (best.points.size() < 2 || curves.size() < 2) continue;
      const std::string title =
          work_text(title_of_workload(group.workload), group.input, contest.strategy);
      Figure figure = rate_figure(title + ", " + platform.device, curves, {}, run_column);
      figure.caption = exceeded_text(curves);
      section.blocks.emplace_back(std::move(figure));
    }
  }
}

// Has the first input alone of each workload.
Section size_section(const std::vector<Group>& groups, const RunColumn& run_column) {
  Section section{"Rates over sizes", {}, {}};
  std::string before;
  for (const Group& group : groups) {
    if (is_on_page(group.workload) && group.workload != before) {
      add_size_figures(section, group, run_column);
    }
    before = group.workload;
  }
  return section;
}

Table machine_table(const Results& results) {
  Table table{"Machine", {{"What"}, {"Value"}}, {}};
  const MachineRecord& machine = results.machine;
  table.rows = {{"Processor", machine.cpu + ", " + std::to_string(machine.cores) + " cores"},
                {"System", machine.system}};
  for (const DeviceRecord& device : results.devices) {
    table.rows.push_back({"Device", device.name + ": " + device.description});
  }
  return table;
}

std::vector<std::string> row_of(const PerformanceRow& row, const std::optional<LimitShare>& share,
                                const std::string& run) {
  const Measurement& best = *row.best;
  const Rate rate = rate_of(best);
  return {
      work_text(named_title_of_workload(best.workload), best.input, row.strategy) +
          (row.is_slowest_input ? " (slowest input), " : ", ") + best.device,
      std::to_string(best.size),
      contender_of(best),
      quantity_text(rate.value, rate_unit(best)),
      si_text(rate.low) + " to " + si_text(rate.high),
      share ? share_text(*share) : "",
      row.peer == nullptr ? "" : ratio_text(ratio_to_peer(row).value) + " times " + row.peer->peer,
      run};
}

void add_rate_table(Section& section, const MachineRows& machine, RunNames& runs) {
  Table table{"Highest rates of Millrace, at the largest size",
              {{"Work"},
               {"Size", true},
               {"Policy, strategy"},
               {"Rate", true},
               {"95 % interval", true},
               {"Share of its limit", true},
               {"Speed over the fastest other"},
               {"From run"}},
              {}};
  ExceededLimits exceeded;
  for (const PerformanceRow& row : machine.rows) {
    const Results& run = machine.newest->run_of(*row.best);
    const std::optional<LimitShare> share = limit_share(*row.best, run);
    if (share) exceeded.add(*share);
    table.rows.push_back(row_of(row, share, runs.name_of(run)));
  }
  if (table.rows.empty()) return;
  section.blocks.emplace_back(std::move(table));
  add_paragraph(section, exceeded.text());
}

// Returns the ratios of `bench auto`, which times each run behind runs of its own policy.
std::vector<AutoRatio> measured_choices(const std::vector<Group>& groups) {
  std::vector<AutoRatio> ratios = auto_ratios(groups);
  std::erase_if(ratios,
                [](const AutoRatio& each) { return !each.group->workload.starts_with("auto-"); });
  return ratios;
}

Section machine_page(const MachineRows& machine, const std::vector<Group>& groups, RunNames& runs) {
  const NewestResults& newest = *machine.newest;
  const RunColumn run_column = [&](const Measurement& measurement) {
    return runs.name_of(newest.run_of(measurement));
  };
  Section section{newest.machine().label, {machine_table(newest.machine().results)}, {}};
  add_rate_table(section, machine, runs);
  add_table(section, stream_table(groups, run_column));
  add_table(section, live_table(newest.merged, groups, run_column));
  add_table(section, latency_table(newest.merged, groups, run_column));
  for (const Group& group : groups) {
    add_table(section, encode_table(newest.merged, group, run_column));
  }
  add_table(section, auto_summary_table(newest.merged, measured_choices(groups), run_column));
  add_section(section.sections, metg_section(newest.merged, groups, run_column));
  add_section(section.sections, size_section(groups, run_column));
  return section;
}

Section reading_section() {
  return {
      "How to read it",
      {Paragraph("Rates are medians. Programs that do one workload at one input and size were "
                 "timed in turns, and every result of Millrace was checked. Others are other "
                 "libraries, and plain loops or copies that do the same work. Where one of "
                 "them has a strategy, such as pinned memory, it is compared with Millrace "
                 "under the same one."),
       Paragraph(
           "A limit is a rate that the same run measured on the device at its start: a large copy "
           "(arrays past the caches), a small copy (arrays in a cache), an upload or a "
           "download over the link, or a flat queue of the smallest tasks. Work on small "
           "arrays is compared with the faster of the two copies."),
       Paragraph("The table of a machine has two rows of a workload: its usual input, and the "
                 "input on which Millrace is slowest. H.264 streams have a table of all inputs "
                 "besides. A first run under auto knows no earlier run. The results files have all "
                 "inputs of all workloads. A number in brackets is a run: the last table has its "
                 "date, commit and command.")},
      {}};
}

// "on 2026-11-22", or the first and the last day of several runs.
std::string days_text(const std::vector<const Results*>& runs) {
  const std::string first = runs.back()->started.substr(0, 10);
  const std::string last = runs.front()->started.substr(0, 10);
  return first == last ? "on " + last : "from " + first + " to " + last;
}

std::string subtitle_of(const std::vector<NewestResults>& machines) {
  std::string text;
  for (const NewestResults& each : machines) {
    text += (text.empty() ? "" : "; ") + each.machine().label + " " + days_text(each.runs);
  }
  return "Newest results of each machine: " + text;
}

Section summary_section(const std::vector<MachineRows>& machines, RunNames& runs) {
  Section section{"Summary", {}, {}};
  ExceededLimits exceeded;
  Table headline = headline_table(machines, runs, exceeded);
  if (!headline.rows.empty()) section.blocks.emplace_back(std::move(headline));
  add_paragraph(section, exceeded.text());
  for (const MachineRows& each : machines) {
    add_figure(section, peer_figure(each, runs));
    add_figure(section, limit_figure(each, runs));
  }
  if (section.is_empty()) {
    section.blocks.emplace_back(Paragraph("Nothing of Millrace that this page shows was timed."));
  }
  return section;
}

Section targets_of(const std::vector<NewestResults>& newest, const std::vector<TargetSet>& sets) {
  MergedResults merged;
  for (const NewestResults& each : newest) merged.machines.push_back(each.machine());
  return target_section(merged, sets);
}

Section run_section(const RunNames& runs) {
  Section section{"Runs", {}, {}};
  Table table = runs.table();
  if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
  return section;
}

}  // namespace

Document performance_of(const MergedResults& all, const ReportOptions& options) {
  const std::vector<NewestResults> newest = newest_results(all);
  std::vector<std::vector<Group>> groups;
  std::vector<MachineRows> machines;
  for (const NewestResults& each : newest) {
    groups.push_back(groups_of(each.merged));
    machines.push_back({&each, performance_rows(groups.back())});
  }
  RunNames runs;
  Document document{options.title.empty() ? "Performance" : options.title,
                    subtitle_of(newest),
                    {summary_section(machines, runs), reading_section()}};
  for (std::size_t i = 0; i < machines.size(); ++i) {
    document.sections.push_back(machine_page(machines[i], groups[i], runs));
  }
  add_section(document.sections, targets_of(newest, options.targets));
  add_section(document.sections, run_section(runs));
  return document;
}

}  // namespace millrace::tools
