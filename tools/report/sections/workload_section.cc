// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/crossover.h>
#include <millrace/tools/report/chart/number_text.h>
#include <millrace/tools/report/sections/encode_table.h>
#include <millrace/tools/report/sections/figures.h>
#include <millrace/tools/report/sections/sections.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace millrace::tools {
namespace {

constexpr std::size_t kMostMarks = 4;  // Limit of a figure; the table has all.

// A group on one device.
struct DeviceView {
  std::string name;
  std::vector<Curve> curves;
  std::vector<Crossover> crossovers;
};

std::vector<DeviceView> views_of(const MergedResults& merged, const Group& group) {
  std::vector<DeviceView> views;
  for (const Platform& platform : platforms_of(group)) {
    DeviceView view{name_of(merged, platform), curves_of(group, platform), {}};
    view.crossovers = crossovers_of(view.curves);
    views.push_back(std::move(view));
  }
  return views;
}

std::vector<NamedCurve> named(const std::vector<Curve>& curves) {
  std::vector<NamedCurve> result;
  for (const Curve& curve : curves) result.push_back({curve.contender, curve});
  return result;
}

// The best of Millrace and the best peer of each device.
std::vector<NamedCurve> best_curves(const std::vector<DeviceView>& views, bool with_peers) {
  std::vector<NamedCurve> result;
  for (const DeviceView& view : views) {
    const Curve best = best_of(view.curves);
    if (!best.points.empty()) result.push_back({view.name, best});
    const Curve peer = best_peer_of(view.curves);
    if (with_peers && !peer.points.empty()) result.push_back({view.name + ", best peer", peer});
  }
  return result;
}

void add_all(std::vector<Block>& blocks, std::vector<Figure> figures) {
  for (Figure& figure : figures) blocks.emplace_back(std::move(figure));
}

void add_rates(std::vector<Block>& blocks, const std::string& name,
               const std::vector<DeviceView>& views) {
  const std::vector<NamedCurve> best = best_curves(views, false);
  if (best.size() > 1) {
    blocks.emplace_back(rate_figure(name + ": the best of each device", best, {}));
  }
  for (const DeviceView& view : views) {
    std::vector<Crossover> marks = view.crossovers;
    if (marks.size() > kMostMarks) marks.resize(kMostMarks);
    blocks.emplace_back(rate_figure(name + " on " + view.name, named(view.curves), marks));
  }
}

void add_crossovers(std::vector<Block>& blocks, const std::string& name,
                    const std::vector<DeviceView>& views) {
  Table table{"Crossovers of " + name + ": what is faster below, and what above",
              {{"Device"},
               {"Below"},
               {"Above"},
               {"Crossover at", true},
               {"Surely faster up to", true},
               {"And from", true}},
              {}};
  for (const DeviceView& view : views) {
    for (const Crossover& each : view.crossovers) {
      table.rows.push_back({view.name, each.before, each.after, si_text(each.size, 2),
                            std::to_string(each.below), std::to_string(each.above)});
    }
  }
  if (!table.rows.empty()) blocks.emplace_back(std::move(table));
}

std::vector<Block> blocks_of(const MergedResults& merged, const Group& group,
                             const Baseline& baseline) {
  std::vector<Block> blocks;
  const std::vector<DeviceView> views = views_of(merged, group);
  if (views.empty()) {
    blocks.emplace_back(Paragraph("Nothing was timed; see what did not work below."));
    return blocks;
  }
  const std::string name = group.name();
  add_rates(blocks, name, views);
  Table encodes = encode_table(merged, group);
  if (!encodes.rows.empty()) blocks.emplace_back(std::move(encodes));
  const std::vector<NamedCurve> best = best_curves(views, true);
  add_all(blocks, limit_figures(name + ": fraction of the limit", best));
  add_all(blocks, energy_figures(name + ": energy of one of the " +
                                     item_of(*best.front().curve.points.front()),
                                 best));
  const std::string base_name = baseline_name(merged, baseline);
  add_all(blocks, speed_up_figures(name + ": speed-up over " + base_name, base_name,
                                   curve_of(group, baseline), best));
  add_crossovers(blocks, name, views);
  return blocks;
}

}  // namespace

Section workload_section(const MergedResults& merged, const std::vector<Group>& groups,
                         const Baseline& baseline) {
  Section section{groups.front().workload, {}, {}};
  section.blocks.emplace_back(Paragraph(
      "Rates are medians with their 95 % intervals: more is faster. Axes of rates and sizes "
      "are logarithmic where there are lines."));
  for (const Group& group : groups) {
    std::vector<Block> blocks = blocks_of(merged, group, baseline);
    if (groups.size() == 1) {
      std::ranges::move(blocks, std::back_inserter(section.blocks));
    } else {
      const std::string title = group.input.empty() ? "no input" : group.input;
      section.sections.push_back({group.workload + ": " + title, std::move(blocks), {}});
    }
  }
  return section;
}

}  // namespace millrace::tools
