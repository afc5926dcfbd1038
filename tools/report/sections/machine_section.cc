// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/number_text.h>
#include <millrace/tools/report/sections/sections.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace millrace::tools {
namespace {

std::string memory_text(std::uint64_t bytes) {
  if (bytes == 0) return "";
  return ratio_text(static_cast<double>(bytes) / (1ULL << 30)) + " GiB";
}

std::string count_text(int count) { return count == 0 ? "" : std::to_string(count); }

// A row for each fact, a column for each machine.
Table machine_table(const MergedResults& merged) {
  Table table{"Machines, and what was run on them", {{"Machine"}}, {}};
  std::vector<std::vector<std::string>> rows = {
      {"Processor"}, {"Cores"}, {"Memory"},   {"System"}, {"Millrace"},
      {"Compiler"},  {"Flags"}, {"Toolkits"}, {"Run"},    {"Started"}};
  for (const auto& [label, file, results] : merged.machines) {
    table.columns.push_back({label});
    std::string toolkits;
    for (const auto& [name, version] : results.build.toolkits) {
      if (!toolkits.empty()) toolkits += ", ";
      toolkits.append(name).append(" ").append(version);
    }
    const std::string commit =
        results.build.commit.empty() ? "" : ", commit " + results.build.commit;
    const std::string cells[] = {results.machine.cpu,
                                 count_text(results.machine.cores),
                                 memory_text(results.machine.memory_bytes),
                                 results.machine.system,
                                 results.build.version + commit,
                                 results.build.compiler,
                                 results.build.flags,
                                 toolkits,
                                 results.command,
                                 results.started};
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].push_back(cells[i]);
  }
  table.rows = std::move(rows);
  return table;
}

Table device_table(const MergedResults& merged) {
  Table table{"Devices",
              {{"Device"},
               {"What it is"},
               {"Driver"},
               {"Units", true},
               {"Warp", true},
               {"Memory", true},
               {"Simulated"}},
              {}};
  for (std::size_t i = 0; i < merged.machines.size(); ++i) {
    for (const DeviceRecord& device : merged.machines[i].results.devices) {
      table.rows.push_back({name_of(merged, {i, device.name}), device.description, device.driver,
                            count_text(device.compute_units), count_text(device.warp_width),
                            memory_text(device.memory_bytes), device.is_simulated ? "yes" : "no"});
    }
  }
  return table;
}

Table limit_table(const MergedResults& merged) {
  Table table{"Limits, measured in the same runs", {{"Device"}, {"Limit"}, {"Measured", true}}, {}};
  for (std::size_t i = 0; i < merged.machines.size(); ++i) {
    for (const LimitRecord& limit : merged.machines[i].results.limits) {
      table.rows.push_back(
          {name_of(merged, {i, limit.device}), limit.name, quantity_text(limit.value, limit.unit)});
    }
  }
  return table;
}

// The interval of all values that were added.
class Seen {
 public:
  void add(std::optional<double> value) {
    if (!value) return;
    low_ = std::min(low_, *value);
    high_ = std::max(high_, *value);
  }
  std::string text(const std::string& unit) const {
    if (low_ > high_) return "";
    const std::string high = quantity_text(high_, unit);
    return low_ == high_ ? high : quantity_text(low_, unit) + " to " + high;
  }

 private:
  double low_ = std::numeric_limits<double>::max();
  double high_ = std::numeric_limits<double>::lowest();
};

std::vector<std::string> condition_row(const MergedResults& merged, const Platform& platform) {
  Seen clocks, temperatures;
  int throttled = 0;
  int known = 0;
  for (const Measurement& each : merged.machines[platform.machine].results.measurements) {
    if (each.device != platform.device) continue;
    for (const ConditionRecord* condition : {&each.before, &each.after}) {
      clocks.add(condition->clock_hz);
      temperatures.add(condition->temperature_c);
    }
    const bool is_known = each.before.is_throttled || each.after.is_throttled;
    known += is_known ? 1 : 0;
    throttled +=
        each.before.is_throttled.value_or(false) || each.after.is_throttled.value_or(false);
  }
  return {name_of(merged, platform), clocks.text("Hz"), temperatures.text("°C"),
          known == 0 ? "" : std::to_string(throttled) + " of " + std::to_string(known)};
}

Table condition_table(const MergedResults& merged) {
  Table table{
      "Devices while they were measured",
      {{"Device"}, {"Clock", true}, {"Temperature", true}, {"Throttled measurements", true}},
      {}};
  for (std::size_t i = 0; i < merged.machines.size(); ++i) {
    for (const DeviceRecord& device : merged.machines[i].results.devices) {
      const std::vector<std::string> row = condition_row(merged, {i, device.name});
      const bool is_known = !row[1].empty() || !row[2].empty() || !row[3].empty();
      if (is_known) table.rows.push_back(row);
    }
  }
  return table;
}

}  // namespace

Section machine_section(const MergedResults& merged) {
  Section section{"Machines", {}, {}};
  for (Table table : {machine_table(merged), device_table(merged), limit_table(merged),
                      condition_table(merged)}) {
    if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
  }
  return section;
}

}  // namespace millrace::tools
