// SPDX-License-Identifier: Apache-2.0

// Who makes a device.
#ifndef MILLRACE_TOOLS_REPORT_EXPORT_DEVICE_VENDOR_H_
#define MILLRACE_TOOLS_REPORT_EXPORT_DEVICE_VENDOR_H_

#include <millrace/tools/report/results/results.h>

#include <string>

namespace millrace::tools {

// Returns "NVIDIA", "AMD", "Intel", "Arm", "Apple" or "IBM" by the device's description, "several"
// for a group of different makers, and nothing where it is not known. A simulated device has no
// maker.
std::string vendor_of(const DeviceRecord& device, const Results& results);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_EXPORT_DEVICE_VENDOR_H_
