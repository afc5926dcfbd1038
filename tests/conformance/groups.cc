// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/backend.h>
#include <millrace/tests/conformance/groups.h>

#include <algorithm>
#include <cctype>
#include <map>

namespace millrace::conformance {
namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ",") + name;
  return all;
}

}  // namespace

std::vector<std::string> group_names() {
  std::vector<std::string> all;
  std::map<std::string, std::vector<std::string>> by_backend;
  for (const DeviceInfo& device : list_devices()) {
    all.push_back(device.name);
    by_backend[device.backend].push_back(device.name);
  }
  std::vector<std::string> groups = {joined(all), all.front()};
  for (const auto& [backend, names] : by_backend) {
    if (names.size() > 1 && names.size() < all.size()) groups.push_back(joined(names));
  }
  if (all.size() > 1) {
    std::reverse(all.begin(), all.end());
    groups.push_back(joined(all));
  }
  return groups;
}

std::vector<std::string> group_names_in_reach() {
  std::vector<std::string> names;
  for (const DeviceInfo& device : list_devices()) {
    if (device.shares_host_memory || device.is_simulated) names.push_back(device.name);
  }
  if (names.size() < 2) return {};
  std::vector<std::string> groups = {joined(names)};
  std::reverse(names.begin(), names.end());
  groups.push_back(joined(names));
  return groups;
}

bool GroupTest::has_simulated() const {
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (group.device(i)->info().is_simulated) return true;
  }
  return false;
}

std::string name_of_group(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

}  // namespace millrace::conformance
