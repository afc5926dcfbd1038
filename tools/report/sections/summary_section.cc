// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/number_text.h>
#include <millrace/tools/report/sections/sections.h>

namespace millrace::tools {
namespace {

// At the size of `best`, which may be none of the peers'.
std::string against_peer(const Measurement& best, const Curve& peers) {
  const Measurement* peer = peers.at(best.size);
  if (peer == nullptr) return "";
  return ratio_text(peer->median_seconds / best.median_seconds) + " times " + contender_of(*peer);
}

std::vector<std::string> row_of(const MergedResults& merged, const Group& group,
                                const Platform& platform) {
  const std::vector<Curve> curves = curves_of(group, platform);
  const Curve best = best_of(curves);
  if (best.points.empty()) return {};
  const Measurement& point = *best.points.back();
  const Rate rate = rate_of(point);
  return {
      group.name(),
      name_of(merged, platform),
      std::to_string(point.size),
      contender_of(point),
      quantity_text(rate.value, rate_unit(point)),
      si_text(rate.low) + " to " + si_text(rate.high),
      point.limit_fraction ? ratio_text(100 * *point.limit_fraction) + " % of " + point.limit : "",
      against_peer(point, best_peer_of(curves))};
}

}  // namespace

Section summary_section(const MergedResults& merged, const std::vector<Group>& groups) {
  Table table{"The fastest of Millrace on each device, at the largest size measured there",
              {{"Work"},
               {"Device"},
               {"Size", true},
               {"Fastest"},
               {"Rate", true},
               {"95 % interval", true},
               {"Of its limit", true},
               {"Against the best peer"}},
              {}};
  for (const Group& group : groups) {
    for (const Platform& platform : platforms_of(group)) {
      std::vector<std::string> row = row_of(merged, group, platform);
      if (!row.empty()) table.rows.push_back(std::move(row));
    }
  }
  Section section{"Summary", {}, {}};
  if (table.rows.empty()) {
    section.blocks.emplace_back(Paragraph("Nothing of Millrace was timed."));
  } else {
    section.blocks.emplace_back(std::move(table));
  }
  for (const Machine& machine : merged.machines) {
    if (machine.results.is_complete) continue;
    section.blocks.emplace_back(Paragraph(
        "The run on " + machine.label + " was not finished: what it did not measure is missing."));
  }
  return section;
}

}  // namespace millrace::tools
