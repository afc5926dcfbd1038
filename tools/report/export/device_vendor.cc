// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/export/device_vendor.h>

#include <algorithm>
#include <utility>

namespace millrace::tools {
namespace {

constexpr std::pair<const char*, const char*> kWords[] = {
    {"NVIDIA", "NVIDIA"}, {"AMD", "AMD"},    {"Radeon", "AMD"},  {"Intel", "Intel"}, {"ARM", "Arm"},
    {"Neoverse", "Arm"},  {"Cortex", "Arm"}, {"Apple", "Apple"}, {"POWER", "IBM"},
};

std::string vendor_in(const std::string& description) {
  for (const auto& [word, vendor] : kWords) {
    if (description.find(word) != std::string::npos) return vendor;
  }
  return "";
}

}  // namespace

std::string vendor_of(const DeviceRecord& device, const Results& results) {
  if (device.is_simulated) return "";
  if (device.members.empty()) return vendor_in(device.description);
  std::string vendor;
  for (const std::string& name : device.members) {
    const auto member = std::ranges::find(results.devices, name, &DeviceRecord::name);
    if (member == results.devices.end()) return "";
    const std::string of_member = vendor_of(*member, results);
    if (!vendor.empty() && of_member != vendor) return "several";
    vendor = of_member;
  }
  return vendor;
}

}  // namespace millrace::tools
