// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/gpu/device/control/host_control.h>
#include <millrace/backends/gpu/device/control/run_control.h>
#include <millrace/backends/gpu/device/control/stop.h>
#include <millrace/backends/gpu/device/control/worker_record.h>
#include <millrace/backends/gpu/run/run_outcome.h>
#include <millrace/runtime/core/error.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace millrace::MILLRACE_GPU {

void RunOutcome::add(GpuQueue& queue, RunBuffers& buffers) {
  HostControl result = buffers.host();
  if (result.finished == 0) {
    // Threads of a block exited early, so the last block did not write the results for the host.
    const auto control = std::make_unique<RunControl>();
    copy(control.get(), buffers.control(), sizeof(RunControl), queue.stream());
    synchronize(queue.stream());
    std::memcpy(result.tasks_run, control->tasks_run, sizeof(result.tasks_run));
    result.steals = control->steals;
    result.waves = control->waves;
    result.failure = control->failure;
    result.was_stopped = control->stop;
    result.opened_joins = control->opened_joins;
    result.used_joins = control->used_joins;
    result.joins_ran_out = control->joins_ran_out;
  }
  for (std::size_t tag = 0; tag < report_.tasks_by_type.size(); ++tag) {
    report_.tasks_by_type[tag] += result.tasks_run[tag];
  }
  report_.steals += result.steals;
  report_.waves += result.waves;
  opened_joins_ += static_cast<std::int64_t>(result.opened_joins);
  used_joins_ = std::max(used_joins_, result.used_joins);
  joins_ran_out_ = joins_ran_out_ || result.joins_ran_out != 0;
  if (failure_ == 0) failure_ = result.failure;
  was_dropped_ = was_dropped_ || result.was_stopped == kDropped;
}

RunReport RunOutcome::report(Policy policy, double seconds) const {
  RunReport report = report_;
  report.policy = policy;
  report.seconds += seconds;
  return report;
}

RunProgress RunOutcome::progress(GpuQueue& queue,
                                 const std::vector<std::size_t>& task_bytes) const {
  RunProgress progress{.tasks_by_type = report_.tasks_by_type, .tasks_left = {}, .workers = {}};
  for (const WorkerRecord& record : RunBuffers::of(queue).records.read()) {
    WorkerTrace trace{.heartbeat = record.heartbeat,
                      .last_type = static_cast<TaskTag>(record.tag),
                      .last_task = {},
                      .is_running = false};
    if (record.heartbeat > 0) {
      const auto* const bytes = reinterpret_cast<const std::byte*>(record.words);
      trace.last_task.assign(bytes, bytes + task_bytes.at(trace.last_type));
    }
    progress.workers.push_back(std::move(trace));
  }
  return progress;
}

Error RunOutcome::failure(std::size_t types, std::size_t scratch_bytes) const {
  const std::string tag = std::to_string(failed_tag(failure_));
  const int code = failure_code(failure_);
  switch (failure_of(failure_)) {
    case Failure::kTask:
      return Error(ErrorCode::kTaskFailed,
                   "a task of type " + tag + " of its set failed with code " + std::to_string(code),
                   code);
    case Failure::kScratch:
      return Error(ErrorCode::kInvalidArgument,
                   "a task of type " + tag + " requested " + std::to_string(code) +
                       " bytes of scratch, more than is left of its type's kScratchBytes, " +
                       std::to_string(scratch_bytes) + "; increase kScratchBytes");
    case Failure::kArrival:
      return Error(ErrorCode::kInvalidArgument,
                   "a task of type " + tag + " has arrived at a " +
                       (code == 0 ? "counter that is 0" : "join that has ended") +
                       "; there are more arrivals than were stated");
    case Failure::kJoin:
      return Error(ErrorCode::kInvalidArgument,
                   "a task of type " + tag + " has opened a join of " + std::to_string(code) +
                       " arrivals; it may open as many as its type's kJoins, of 1 to " +
                       std::to_string(JoinState::kMaxArrivals) + " arrivals, in lane 0");
    case Failure::kTag:
      return Error(ErrorCode::kInvalidArgument,
                   failed_tag(failure_) < types
                       ? "a root has tag " + tag + ", a type that only tasks spawn; use a root type"
                       : "a root has tag " + tag + "; tags of the set are 0 to " +
                             std::to_string(types - 1));
    case Failure::kNone: break;
  }
  return Error(ErrorCode::kInternal, "a run on a GPU ended with the unknown failure word " +
                                         std::to_string(failure_) +
                                         "; report it as a defect of Millrace");
}

}  // namespace millrace::MILLRACE_GPU
