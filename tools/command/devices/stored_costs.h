// SPDX-License-Identifier: Apache-2.0

// Describes the stored costs of policies on a device.
#ifndef MILLRACE_TOOLS_COMMAND_DEVICES_STORED_COSTS_H_
#define MILLRACE_TOOLS_COMMAND_DEVICES_STORED_COSTS_H_

#include <millrace/runtime/core/device.h>

#include <string>

namespace millrace::tools {

// Returns a text such as "costs measured by tune, off by 12 % in the mean", or "defaults for CPUs",
// with the reason if there is a file that is not used.
std::string describe_costs(const DeviceInfo& device);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_DEVICES_STORED_COSTS_H_
