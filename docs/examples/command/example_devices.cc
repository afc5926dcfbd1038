// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/command/example_devices.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/ranks/world.h>

#include <utility>
#include <vector>

namespace millrace::examples {

ExampleDevices::ExampleDevices(const std::string& names) {
  DeviceGroup group = open_device_group(names);
  Communicator& world = world_communicator();
  if (world.size() > 1) {
    const auto mine = static_cast<std::size_t>(world.local_rank()) % group.size();
    own_queue_ = group.device(mine)->make_queue();
    own_ranks_.emplace(DistributedQueue{world, *own_queue_});
    ranks_ = &*own_ranks_;
  } else if (group.size() > 1) {
    own_group_.emplace(std::move(group));
    group_ = &*own_group_;
  } else {
    own_queue_ = group.device(0)->make_queue();
    queue_ = own_queue_.get();
  }
}

}  // namespace millrace::examples
