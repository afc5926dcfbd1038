// SPDX-License-Identifier: Apache-2.0

// Keeps the speeds at which devices have parsed streams, beside the costs of `millrace tune`
// (runtime/auto/policy_store.h): one file for each device.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_CHOICE_STREAM_SPEED_STORE_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_CHOICE_STREAM_SPEED_STORE_H_

#include <millrace/runtime/core/device.h>
#include <millrace/tools/command/features/choice/device_choice.h>

namespace millrace::tools {

// Returns the speed that is assumed of a device that has not been measured, by its number of
// multiprocessors. On an H200 a run of stored streams of CIF takes as long as on 17 to 35 of its
// host's cores (docs/experiments/how_many_slices_a_warp_parses.md).
DeviceSpeed assumed_stream_speed(const DeviceInfo& device);

// Returns the speed that was stored for the device on this host, or else the assumed one. A file
// that is damaged, or of another host, is not used.
DeviceSpeed stream_speed_of(const DeviceInfo& device);

// Returns the speed after a run in which the device took `seconds` for streams that take a core
// `core_seconds`, with `fraction` of its speed, from 0 to 1, at their pictures in flight. It is the
// mean of `before` and the measured speed, because a run may have been disturbed.
DeviceSpeed updated_stream_speed(DeviceSpeed before, double core_seconds, double seconds,
                                 double fraction);

// Stores the speed of the device. Does nothing where no file can be written.
void store_stream_speed(const DeviceInfo& device, const DeviceSpeed& speed);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_CHOICE_STREAM_SPEED_STORE_H_
