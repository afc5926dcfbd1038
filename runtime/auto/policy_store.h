// SPDX-License-Identifier: Apache-2.0

// Costs of policies kept from process to process: a file a device in $XDG_CACHE_HOME/millrace, else
// ~/.cache/millrace. Safe from any thread, and where several processes write.
#ifndef MILLRACE_RUNTIME_AUTO_POLICY_STORE_H_
#define MILLRACE_RUNTIME_AUTO_POLICY_STORE_H_

#include <filesystem>
#include <memory>
#include <string>

#include <millrace/runtime/auto/policy_model.h>
#include <millrace/runtime/core/device.h>

namespace millrace {

// Where the costs of a device like this are kept: devices of one backend, description and number of
// units share them. Empty where neither XDG_CACHE_HOME nor HOME is an absolute path.
std::filesystem::path policy_store_path(const DeviceInfo& device);

// What a store says of a device.
struct StoredCosts {
  std::shared_ptr<const DeviceCosts> costs;  // Null where there are none to be used.
  // Why a file that is there is not used: it is damaged, or of another version or device.
  std::string problem;
};
StoredCosts load_costs(const DeviceInfo& device);

// Throws what store_costs would throw if it were called now: kIo where the place cannot be written
// or has no space left. Leaves nothing behind.
void check_costs_can_be_stored(const DeviceInfo& device);

// Replaces what is stored, at once for whoever reads. Throws kIo.
void store_costs(const DeviceInfo& device, const DeviceCosts& costs);

// Removes what is stored; whether there was something. Throws kIo.
bool forget_costs(const DeviceInfo& device);

// What kAuto goes by on that device, in this process: what use_costs gave last, what was stored
// when it was first asked for, or default_costs.
std::shared_ptr<const DeviceCosts> costs_of(const DeviceInfo& device);

// Has kAuto go by these on the device of that name; null: by what is stored, read anew.
void use_costs(const DeviceInfo& device, std::shared_ptr<const DeviceCosts> costs);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_AUTO_POLICY_STORE_H_
