// SPDX-License-Identifier: Apache-2.0

// Gives tasks of a run on the CPU to other devices that take part in the run: the run is stopped as
// for a sample, gives a fraction of what waits, and goes on where it was.
#ifndef MILLRACE_BACKENDS_CPU_RUN_TASK_SHARING_H_
#define MILLRACE_BACKENDS_CPU_RUN_TASK_SHARING_H_

#include <millrace/backends/cpu/status/run_status.h>
#include <millrace/backends/cpu/status/run_watch.h>
#include <millrace/runtime/tasks/internal/participant.h>
#include <millrace/runtime/tasks/task_list.h>

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace millrace::cpu {

// A run that had no task to give runs at least so long before it is stopped again.
inline constexpr auto kShareAgain = std::chrono::microseconds(500);

// Returns how many of `waiting` tasks a device gives when this fraction is requested: some, but not
// all, or a single task might go from device to device for ever.
inline std::size_t tasks_to_give(float fraction, std::size_t waiting) {
  if (waiting < 2) return 0;
  const auto count =
      static_cast<std::size_t>(static_cast<double>(fraction) * static_cast<double>(waiting));
  return std::clamp<std::size_t>(count, 1, waiting - 1);
}

// Gives a fraction of `waiting`, if other devices wait.
template <class Set>
void give_some(Participant<Set>& participant, TaskList<Set>& waiting) {
  const float fraction = participant.wanted();
  if (fraction > 0) participant.give(waiting.take_last(tasks_to_give(fraction, waiting.size())));
}

// Stops a run as for a sample as soon as other devices wait for tasks, while this object lives.
template <class Set>
class TaskSharing {
 public:
  // Does nothing if `participant` is null.
  TaskSharing(Participant<Set>* participant, RunStatus& status) : participant_(participant) {
    if (participant_ == nullptr) return;
    participant_->set_on_wanted([&status] { status.cancel(kStoppedToSample, /*keeps=*/true); });
  }
  ~TaskSharing() {
    if (participant_ != nullptr) participant_->set_on_wanted({});
  }
  TaskSharing(const TaskSharing&) = delete;
  TaskSharing& operator=(const TaskSharing&) = delete;

 private:
  Participant<Set>* const participant_;
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_RUN_TASK_SHARING_H_
