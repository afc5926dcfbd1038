// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/device_shares.h>

#include <cstdint>
#include <cstdio>

namespace millrace::tools {
namespace {

std::uint64_t items_of(const std::vector<DeviceShare>& shares) {
  std::uint64_t items = 0;
  for (const DeviceShare& share : shares) items += share.items;
  return items;
}

double part_of(const DeviceShare& share, std::uint64_t items) {
  return items == 0 ? 0 : static_cast<double>(share.items) / static_cast<double>(items);
}

}  // namespace

void add_shares(std::vector<DeviceShare>& all, const std::vector<DeviceShare>& more) {
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

nlohmann::json shares_json(const std::vector<DeviceShare>& shares) {
  nlohmann::json devices = nlohmann::json::array();
  const std::uint64_t items = items_of(shares);
  for (const DeviceShare& share : shares) {
    devices.push_back({{"device", share.device},
                       {"share", part_of(share, items)},
                       {"pieces", share.pieces},
                       {"seconds", share.seconds},
                       {"bytes_up", share.bytes_up},
                       {"bytes_down", share.bytes_down}});
  }
  return devices;
}

void print_device_shares(const std::vector<DeviceShare>& shares) {
  const std::uint64_t items = items_of(shares);
  for (const DeviceShare& share : shares) {
    std::printf("  %-8s  %5.1f %% in %llu %s, %.4f s\n", share.device.c_str(),
                100 * part_of(share, items), static_cast<unsigned long long>(share.pieces),
                share.pieces == 1 ? "piece" : "pieces", share.seconds);
  }
}

DeviceGroup open_group_or_default(const std::string& names) {
  return open_named_group(names.empty() ? default_device() : names);
}

}  // namespace millrace::tools
