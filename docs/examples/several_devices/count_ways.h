// SPDX-License-Identifier: Apache-2.0
#ifndef MILLRACE_DOCS_EXAMPLES_SEVERAL_DEVICES_COUNT_WAYS_H_
#define MILLRACE_DOCS_EXAMPLES_SEVERAL_DEVICES_COUNT_WAYS_H_

#include <millrace/docs/examples/several_devices/choose_tasks.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/group/run_shared_tasks.h>
#include <millrace/runtime/group/shared_sums.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <vector>

namespace millrace::examples {

// Returns the number of subsets of `weights` that have this sum. `Devices` is a Queue, a
// DeviceGroup or a DistributedQueue; with ranks, each returns its portion.
template <class Devices>
std::uint64_t count_ways(Devices& devices, const std::vector<std::uint32_t>& weights,
                         std::uint32_t sum, bool has_root = true) {
  SharedSums ways(1);
  std::mutex mutex;
  std::map<Queue*, Buffer<std::uint32_t>> copies;
  SharedTasks<ChooseTasks> tasks;
  if (has_root) tasks.roots.push(Choose{0, sum});
  tasks.prepare = [&](Queue& queue) {
    Buffer<std::uint32_t> own(queue.device().shared_from_this(), MemorySpace::kDevice,
                              weights.size());
    copy(queue, own.span(), BufferSpan<const std::uint32_t>(std::span(weights)));
    const auto count = static_cast<std::uint32_t>(weights.size());
    const Weights arguments{own.data(), count, ways.on(queue)};
    const std::lock_guard lock(mutex);
    copies[&queue] = std::move(own);
    return arguments;
  };
  tasks.finish = [&](Queue& queue) { ways.take(queue); };
  run_tasks(devices, tasks);
  return ways.totals()[0];
}

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_SEVERAL_DEVICES_COUNT_WAYS_H_
