// SPDX-License-Identifier: Apache-2.0

// The sums of a run that several devices share: each device adds to an array of its own, and the
// totals are added up at the end.
//
//   SharedSums sums(2);
//   run_tasks(group, SharedTasks<Tasks>{
//       .roots = roots,
//       .prepare = [&](Queue& queue) { return Arguments{sums.on(queue)}; },
//       .finish = [&](Queue& queue) { sums.take(queue); }});
//   sums.totals()[0] ...
#ifndef MILLRACE_RUNTIME_GROUP_SHARED_SUMS_H_
#define MILLRACE_RUNTIME_GROUP_SHARED_SUMS_H_

#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace millrace {

// Thread-safe for different queues. Runs one after another add to the totals.
class SharedSums {
 public:
  explicit SharedSums(std::size_t count) : totals_(count) {}

  // Returns the array of the queue's device, all zero, in its memory. Valid until the next call for
  // this queue. Throws what Queue::wait throws.
  std::uint64_t* on(Queue& queue);

  // Adds the array of the queue's device to the totals. Throws what Queue::wait throws.
  void take(Queue& queue);

  // Valid when the run has ended.
  const std::vector<std::uint64_t>& totals() const { return totals_; }
  std::vector<std::uint64_t>& totals() { return totals_; }

 private:
  std::mutex mutex_;
  std::map<const Queue*, Buffer<std::uint64_t>> sums_;
  std::vector<std::uint64_t> totals_;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_GROUP_SHARED_SUMS_H_
