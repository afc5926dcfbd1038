// SPDX-License-Identifier: Apache-2.0

// The devices that an example runs on: one, a group of several, or the ranks of an MPI run.
#ifndef MILLRACE_DOCS_EXAMPLES_COMMAND_EXAMPLE_DEVICES_H_
#define MILLRACE_DOCS_EXAMPLES_COMMAND_EXAMPLE_DEVICES_H_

#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/run_shared_tasks.h>
#include <millrace/runtime/ranks/distributed_queue.h>
#include <millrace/runtime/ranks/run_ranked_tasks.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace millrace::examples {

class ExampleDevices {
 public:
  // Opens the devices of a list of names separated by commas. If the process is one of several
  // ranks, each opens the one of its number among the ranks of its machine, beginning anew at the
  // end of the list. Throws what open_device() and world_communicator() throw.
  explicit ExampleDevices(const std::string& names);

  // Uses the devices that a caller has.
  explicit ExampleDevices(Queue& queue) : queue_(&queue) {}
  explicit ExampleDevices(const DeviceGroup& group) : group_(&group) {}
  explicit ExampleDevices(const DistributedQueue& ranks) : ranks_(&ranks) {}

  // True if the calling process prints and has the roots: always, but for ranks other than 0.
  bool is_first() const { return ranks_ == nullptr || ranks_->communicator.rank() == 0; }

  // Runs the tasks. Their roots count on one rank only, the first. Throws what run_tasks() throws.
  template <class Set>
  SharedRunReport run(const SharedTasks<Set>& tasks, const RunOptions& options) const {
    if (ranks_ != nullptr) return run_tasks(*ranks_, tasks, options);
    if (group_ != nullptr) return run_tasks(*group_, tasks, options);
    return run_tasks(*queue_, tasks, options);
  }

  // Calls `on_queue` with the one device's queue, or `on_group` with the group, and returns the
  // result. Throws kUnsupported if there are ranks.
  template <class OnQueue, class OnGroup>
  auto visit(const OnQueue& on_queue, const OnGroup& on_group) const {
    if (ranks_ != nullptr) {
      throw Error(ErrorCode::kUnsupported,
                  "this example runs in one process; start it without mpirun");
    }
    return group_ != nullptr ? on_group(*group_) : on_queue(*queue_);
  }

  // Replaces each value by its sum over all ranks, if there are any.
  void add_up(std::vector<std::uint64_t>& values) const {
    if (ranks_ != nullptr) ranks_->communicator.all_sum(values.data(), values.size());
  }

 private:
  std::unique_ptr<Queue> own_queue_;
  std::optional<DeviceGroup> own_group_;
  std::optional<DistributedQueue> own_ranks_;
  Queue* queue_ = nullptr;
  const DeviceGroup* group_ = nullptr;
  const DistributedQueue* ranks_ = nullptr;
};

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_COMMAND_EXAMPLE_DEVICES_H_
