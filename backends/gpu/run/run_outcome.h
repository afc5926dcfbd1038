// SPDX-License-Identifier: Apache-2.0

// The outcome of a run's launches.
#ifndef MILLRACE_BACKENDS_GPU_RUN_RUN_OUTCOME_H_
#define MILLRACE_BACKENDS_GPU_RUN_RUN_OUTCOME_H_

#include <millrace/backends/gpu/device/control/failure_word.h>
#include <millrace/backends/gpu/run/run_buffers.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/run_report.h>
#include <millrace/runtime/tasks/run_stopped.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace millrace::MILLRACE_GPU {

class RunOutcome {
 public:
  // Adds to the report of earlier segments of the run.
  RunOutcome(std::size_t types, RunReport before) : report_(std::move(before)) {
    report_.tasks_by_type.resize(types);
  }

  // Adds the results of a launch. The stream must be idle.
  void add(GpuQueue& queue, RunBuffers& buffers);

  // Notes that tasks are left that no worker has taken.
  void drop() { was_dropped_ = true; }

  // Adds a wave that the device has not counted.
  void add_wave() { ++report_.waves; }

  RunReport report(Policy policy, double seconds) const;

  // Returns true if workers have left tasks behind.
  bool was_dropped() const { return was_dropped_; }

  // Returns the number of joins that the launches have opened, less those that have ended.
  std::int64_t opened_joins() const { return opened_joins_; }

  // Returns the number of records of joins, from the first, that launches may have used.
  std::uint64_t used_joins() const { return used_joins_; }

  // Returns true if a task was not run, since the last call, because there was no record for its
  // joins.
  bool take_joins_ran_out() { return std::exchange(joins_ran_out_, false); }

  // Returns true if a task has failed, or the roots are wrong.
  bool has_failed() const { return failure_ != 0; }

  // Returns the error of a run that has failed: kTaskFailed or kInvalidArgument.
  template <class Set>
  Error failure() const {
    std::size_t scratch_bytes = 0;
    const TaskTag tag = failed_tag(failure_);
    if (tag < Set::kTypes) {
      visit_type<Set>(tag, [&]<class T>() { scratch_bytes = scratch_bytes_of<T>(); });
    }
    return failure(Set::kTypes, scratch_bytes);
  }

  // Reads the workers' records.
  template <class Set>
  RunProgress progress(GpuQueue& queue) const {
    std::vector<std::size_t> task_bytes(Set::kTypes);
    for (std::size_t tag = 0; tag < Set::kTypes; ++tag) {
      visit_type<Set>(static_cast<TaskTag>(tag), [&]<class T>() { task_bytes[tag] = sizeof(T); });
    }
    return progress(queue, task_bytes);
  }

 private:
  RunProgress progress(GpuQueue& queue, const std::vector<std::size_t>& task_bytes) const;
  Error failure(std::size_t types, std::size_t scratch_bytes) const;

  RunReport report_;
  std::uint64_t failure_ = 0;
  std::int64_t opened_joins_ = 0;
  std::uint64_t used_joins_ = 0;
  bool joins_ran_out_ = false;
  bool was_dropped_ = false;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_RUN_RUN_OUTCOME_H_
