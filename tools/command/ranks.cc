#include <millrace/tools/command/ranks.h>

#include <algorithm>
#include <span>
#include <sstream>
#include <utility>
#include <vector>

#include <millrace/runtime/backend.h>
#include <millrace/tools/command/common_options.h>

namespace millrace::tools {
namespace {

std::vector<std::string> parts_of(const std::string& names) {
  std::vector<std::string> parts;
  std::istringstream in(names);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

// The names of the devices of a backend.
std::vector<std::string> devices_of(const std::string& backend) {
  std::vector<std::string> names;
  for (const DeviceInfo& device : list_devices()) {
    if (device.backend == backend) names.push_back(device.name);
  }
  return names;
}

std::vector<std::string> preferred_devices() {
  const std::string first = default_device();
  return devices_of(first.substr(0, first.find(':')));
}

// Of these each rank of a machine has one of its own.
std::string own_device(const Communicator& communicator, const std::vector<std::string>& devices,
                       const std::string& names) {
  const auto place = static_cast<std::size_t>(communicator.local_rank());
  if (place < devices.size()) return devices[place];
  throw Error(ErrorCode::kInvalidArgument, "--device " + names + " names fewer devices, " +
                                               std::to_string(devices.size()) +
                                               ", than there are ranks on the machine, " +
                                               std::to_string(communicator.local_size()));
}

}  // namespace

std::shared_ptr<Device> open_rank_device(const Communicator& communicator,
                                         const std::string& names) {
  if (names.empty()) {
    const std::vector<std::string> devices = preferred_devices();
    return open_device(
        devices[static_cast<std::size_t>(communicator.local_rank()) % devices.size()]);
  }
  const std::vector<std::string> parts = parts_of(names);
  if (parts.size() > 1) return open_device(own_device(communicator, parts, names));
  const std::vector<std::string> devices = devices_of(names);
  if (devices.size() < 2) return open_device(names);  // Or throws with the names there are.
  return open_device(own_device(communicator, devices, names));
}

QueueOptions rank_queue_options(const Communicator& communicator, const Device& device) {
  const DeviceInfo& info = device.info();
  if (!info.shares_host_memory) return {};
  return {.concurrency = std::max(1, info.compute_units / communicator.local_size())};
}

DeviceGroup open_rank_group(const Communicator& communicator, const std::string& names) {
  std::vector<std::shared_ptr<Device>> devices = {open_rank_device(communicator, names)};
  const QueueOptions options = rank_queue_options(communicator, *devices[0]);
  return DeviceGroup(std::move(devices), std::span(&options, 1));
}

}  // namespace millrace::tools
