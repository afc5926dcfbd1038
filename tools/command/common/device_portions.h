// SPDX-License-Identifier: Apache-2.0

// Reports of the fraction of the work that each device of a group did.
#ifndef MILLRACE_TOOLS_COMMAND_COMMON_DEVICE_PORTIONS_H_
#define MILLRACE_TOOLS_COMMAND_COMMON_DEVICE_PORTIONS_H_

#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/item_sharing.h>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace millrace::tools {

// Adds the work of each device in another call of the same group.
void add_portions(std::vector<DevicePortion>& all, const std::vector<DevicePortion>& more);

// Returns an object for each device, whose "share" is its fraction of all items; an empty array for
// one device.
nlohmann::json portions_json(const std::vector<DevicePortion>& portions);

// Prints a line for each device; nothing for one device.
void print_device_portions(const std::vector<DevicePortion>& portions);

// Opens the named devices, with commas between them, or the default device if `names` is empty.
// Throws as open_device_group() and default_device().
DeviceGroup open_group_or_default(const std::string& names);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_COMMON_DEVICE_PORTIONS_H_
