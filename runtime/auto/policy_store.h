// SPDX-License-Identifier: Apache-2.0

// Stores the costs of policies across processes: one file for each device in
// $XDG_CACHE_HOME/millrace, or else in ~/.cache/millrace. All functions may be called from any
// thread, and several processes may write at a time.
#ifndef MILLRACE_RUNTIME_AUTO_POLICY_STORE_H_
#define MILLRACE_RUNTIME_AUTO_POLICY_STORE_H_

#include <millrace/runtime/auto/policy_model.h>
#include <millrace/runtime/core/device.h>

#include <filesystem>
#include <memory>
#include <string>

namespace millrace {

// Returns the path of the device's file, which devices of the same backend, description and number
// of units share. Empty if neither XDG_CACHE_HOME nor HOME is an absolute path.
std::filesystem::path policy_store_path(const DeviceInfo& device);

// The stored costs of a device.
struct StoredCosts {
  std::shared_ptr<const DeviceCosts> costs;  // Null if there are none that can be used.

  // Reason why an existing file is not used: it is damaged, or of another version or device.
  std::string problem;
};

// Reads the device's file.
StoredCosts load_costs(const DeviceInfo& device);

// Throws what store_costs would throw now: kIo if the file cannot be written or the disk is full.
// It leaves no file.
void check_costs_can_be_stored(const DeviceInfo& device);

// Replaces the device's file atomically. Throws kIo.
void store_costs(const DeviceInfo& device, const DeviceCosts& costs);

// Removes the device's file. Returns true if there was one. Throws kIo.
bool forget_costs(const DeviceInfo& device);

// Returns the costs that kAuto uses on the device in this process: those of the last use_costs, or
// else those stored when this was first called, or else default_costs.
std::shared_ptr<const DeviceCosts> costs_of(const DeviceInfo& device);

// Sets the costs that kAuto uses on the device of that name. Null makes it read the file again.
void use_costs(const DeviceInfo& device, std::shared_ptr<const DeviceCosts> costs);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_AUTO_POLICY_STORE_H_
