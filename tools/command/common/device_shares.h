// SPDX-License-Identifier: Apache-2.0

// Reports of the work that each device of a group did.
#ifndef MILLRACE_TOOLS_COMMAND_COMMON_DEVICE_SHARES_H_
#define MILLRACE_TOOLS_COMMAND_COMMON_DEVICE_SHARES_H_

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/work_sharing.h>

namespace millrace::tools {

// Adds each device's part of another call of the same group.
void add_shares(std::vector<DeviceShare>& all, const std::vector<DeviceShare>& more);

// An object a device, of which "share" is the part of all items; an empty array for one device.
nlohmann::json shares_json(const std::vector<DeviceShare>& shares);

// A line a device; nothing for one.
void print_device_shares(const std::vector<DeviceShare>& shares);

// The devices named, commas between them, or the default device where none is. Throws as
// open_device_group() and default_device().
DeviceGroup open_group_or_default(const std::string& names);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_COMMON_DEVICE_SHARES_H_
