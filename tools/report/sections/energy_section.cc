// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/analysis/curve.h>
#include <millrace/tools/report/chart/number_text.h>
#include <millrace/tools/report/sections/sections.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

// Returns the point of the largest size whose energy is known; null if there is none.
const Measurement* largest_known(const Curve& curve) {
  const Measurement* last = nullptr;
  for (const Measurement* point : curve.points) {
    if (point->joules && point->items > 0) last = point;
  }
  return last;
}

void add_row(Table& table, const std::string& work, const std::string& device, const Curve& curve) {
  const Measurement* point = largest_known(curve);
  if (point == nullptr) return;
  table.rows.push_back(
      {work, device, std::to_string(point->size), contender_of(*point),
       quantity_text(*point->joules, "J"), quantity_text(*point->joules / point->items, "J"),
       quantity_text(*point->joules / point->median_seconds, "J/s"), item_of(*point)});
}

// Returns true if something on the device was timed, and the energy of none of it is known.
bool is_energy_unknown(const Results& results, const std::string& device) {
  const auto is_there = [&](bool needs_energy) {
    return std::ranges::any_of(results.measurements, [&](const Measurement& each) {
      return each.device == device && each.status == MeasurementStatus::kOk &&
             (!needs_energy || each.joules.has_value());
    });
  };
  return is_there(false) && !is_there(true);
}

bool is_quick(const Results& results) {
  std::istringstream words(results.command);
  return std::find(std::istream_iterator<std::string>(words), {}, "--quick") !=
         std::istream_iterator<std::string>();
}

// Returns the devices of quick runs, or of others, whose energy is not known.
std::string unknown_devices(const MergedResults& merged, bool of_quick) {
  std::string text;
  for (std::size_t i = 0; i < merged.machines.size(); ++i) {
    const Results& results = merged.machines[i].results;
    if (is_quick(results) != of_quick) continue;
    for (const DeviceRecord& device : results.devices) {
      if (!is_energy_unknown(results, device.name)) continue;
      text += (text.empty() ? "" : ", ") + name_of(merged, {i, device.name});
    }
  }
  return text;
}

}  // namespace

Section energy_section(const MergedResults& merged, const std::vector<Group>& groups) {
  Table table{"Energy of Millrace's fastest and of the fastest peer, at the largest size",
              {{"Work"},
               {"Device"},
               {"Size", true},
               {"Contender"},
               {"Of a run", true},
               {"Of an item", true},
               {"Power", true},
               {"Item"}},
              {}};
  for (const Group& group : groups) {
    for (const Platform& platform : platforms_of(group)) {
      const std::vector<Curve> curves = curves_of(group, platform);
      const std::string device = name_of(merged, platform);
      add_row(table, group.name(), device, best_of(curves));
      add_row(table, group.name(), device, best_peer_of(curves));
    }
  }
  Section section{"Energy", {}, {}};
  if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
  const std::string unknown = unknown_devices(merged, false);
  if (!unknown.empty()) {
    section.blocks.emplace_back(Paragraph("Not known on " + unknown +
                                          ": no counter could be read, or untimed phases took more "
                                          "than a tenth of each run. GPUs are read "
                                          "through NVML or ROCm SMI, CPUs through RAPL in "
                                          "/sys/class/powercap, which is often for root only."));
  }
  const std::string unmeasured = unknown_devices(merged, true);
  if (!unmeasured.empty()) {
    section.blocks.emplace_back(
        Paragraph("Not measured on " + unmeasured + ": the run was --quick."));
  }
  return section;
}

}  // namespace millrace::tools
