// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/device_portions.h>

#include <cstdint>
#include <cstdio>

namespace millrace::tools {
namespace {

std::uint64_t items_of(const std::vector<DevicePortion>& portions) {
  std::uint64_t items = 0;
  for (const DevicePortion& portion : portions) items += portion.items;
  return items;
}

double fraction_of(const DevicePortion& portion, std::uint64_t items) {
  return items == 0 ? 0 : static_cast<double>(portion.items) / static_cast<double>(items);
}

}  // namespace

void add_portions(std::vector<DevicePortion>& all, const std::vector<DevicePortion>& more) {
  if (all.empty()) {
    all = more;
    return;
  }
  for (std::size_t i = 0; i < more.size(); ++i) {
    all[i].items += more[i].items;
    all[i].pieces += more[i].pieces;
    all[i].seconds += more[i].seconds;
    all[i].bytes_up += more[i].bytes_up;
    all[i].bytes_down += more[i].bytes_down;
  }
}

nlohmann::json portions_json(const std::vector<DevicePortion>& portions) {
  nlohmann::json devices = nlohmann::json::array();
  const std::uint64_t items = items_of(portions);
  for (const DevicePortion& portion : portions) {
    devices.push_back({{"device", portion.device},
                       {"share", fraction_of(portion, items)},
                       {"pieces", portion.pieces},
                       {"seconds", portion.seconds},
                       {"bytes_up", portion.bytes_up},
                       {"bytes_down", portion.bytes_down}});
  }
  return devices;
}

void print_device_portions(const std::vector<DevicePortion>& portions) {
  const std::uint64_t items = items_of(portions);
  for (const DevicePortion& portion : portions) {
    std::printf("  %-8s  %5.1f %% in %llu %s, %.4f s\n", portion.device.c_str(),
                100 * fraction_of(portion, items), static_cast<unsigned long long>(portion.pieces),
                portion.pieces == 1 ? "piece" : "pieces", portion.seconds);
  }
}

DeviceGroup open_group_or_default(const std::string& names) {
  return open_named_group(names.empty() ? default_device() : names);
}

}  // namespace millrace::tools
