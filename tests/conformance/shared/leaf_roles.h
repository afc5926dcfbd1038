// SPDX-License-Identifier: Apache-2.0

// Makes tasks travel without waiting for time to pass: leaves of a run wait on some devices until
// others have run some, or until the test stops the run.
#ifndef MILLRACE_TESTS_CONFORMANCE_SHARED_LEAF_ROLES_H_
#define MILLRACE_TESTS_CONFORMANCE_SHARED_LEAF_ROLES_H_

#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/shared_tasks.h>
#include <millrace/tests/conformance/shared/shared_tasks.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace millrace::conformance {

// The roles of the leaves on the devices of these queues, whose devices all reach the host's
// memory. Exists until the runs have ended.
class LeafRoles {
 public:
  LeafRoles(std::vector<const Queue*> queues, LeafRole role)
      : queues_(std::move(queues)), roles_(queues_.size(), role), absent_(queues_.size(), 1) {}
  LeafRoles(const DeviceGroup& group, LeafRole role) : LeafRoles(queues_of(group), role) {}

  void set(std::size_t device, LeafRole role) { roles_[device] = role; }

  // Returns the tasks with the roles in their arguments.
  template <class Set>
  SharedTasks<Set> give_to(SharedTasks<Set> tasks) {
    tasks.prepare = [this, prepare = tasks.prepare](Queue& queue) {
      const auto own =
          static_cast<std::size_t>(std::ranges::find(queues_, &queue) - queues_.begin());
      DeviceSums arguments = prepare(queue);
      arguments.role = roles_[own];
      arguments.absent = absent_.data();
      arguments.devices = static_cast<std::uint32_t>(absent_.size());
      arguments.own = static_cast<std::uint32_t>(own);
      return arguments;
    };
    return tasks;
  }

  // Waits until leaves have begun on `count` devices, or until `stop`. Returns true in the first
  // case.
  bool await(std::ptrdiff_t count, const std::stop_token& stop) {
    const auto has_begun = [](std::uint32_t& absent) {
      return std::atomic_ref(absent).load(std::memory_order_relaxed) == 0;
    };
    while (std::ranges::count_if(absent_, has_begun) < count) {
      if (stop.stop_requested()) return false;
      std::this_thread::yield();
    }
    return true;
  }

 private:
  static std::vector<const Queue*> queues_of(const DeviceGroup& group) {
    std::vector<const Queue*> queues;
    for (std::size_t i = 0; i < group.size(); ++i) queues.push_back(&group.queue(i));
    return queues;
  }

  const std::vector<const Queue*> queues_;
  std::vector<LeafRole> roles_;
  std::vector<std::uint32_t> absent_;  // DeviceSums::absent.
};

// Calls a function on a thread of its own once leaves have begun on `count` devices. Destroyed, it
// waits for the call, or does without.
class OnceLeavesHaveBegun {
 public:
  template <class Function>
  OnceLeavesHaveBegun(LeafRoles& roles, std::ptrdiff_t count, Function function)
      : thread_([&roles, count, function](const std::stop_token& stop) {
          if (roles.await(count, stop)) function();
        }) {}

 private:
  std::jthread thread_;
};

}  // namespace millrace::conformance

#endif  // MILLRACE_TESTS_CONFORMANCE_SHARED_LEAF_ROLES_H_
