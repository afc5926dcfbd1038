// SPDX-License-Identifier: Apache-2.0

// Reports of the fraction of the work that each device of a group did.
#ifndef MILLRACE_TOOLS_COMMAND_COMMON_DEVICE_SHARES_H_
#define MILLRACE_TOOLS_COMMAND_COMMON_DEVICE_SHARES_H_

#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/item_sharing.h>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace millrace::tools {

// Adds the work of each device in another call of the same group.
void add_shares(std::vector<DeviceShare>& all, const std::vector<DeviceShare>& more);

// Returns an object for each device, whose "share" is its fraction of all items; an empty array for
// one device.
nlohmann::json shares_json(const std::vector<DeviceShare>& shares);

// Prints a line for each device; nothing for one device.
void print_device_shares(const std::vector<DeviceShare>& shares);

// Opens the named devices, with commas between them, or the default device if `names` is empty.
// Throws as open_device_group() and default_device().
DeviceGroup open_group_or_default(const std::string& names);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_COMMON_DEVICE_SHARES_H_
