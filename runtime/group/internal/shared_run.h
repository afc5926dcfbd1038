// SPDX-License-Identifier: Apache-2.0

// The run of SharedTasks, from its first segment to its report: runs over groups and over ranks
// have it in common.
#ifndef MILLRACE_RUNTIME_GROUP_INTERNAL_SHARED_RUN_H_
#define MILLRACE_RUNTIME_GROUP_INTERNAL_SHARED_RUN_H_

#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/group/internal/task_exchange.h>
#include <millrace/runtime/group/item_sharing.h>
#include <millrace/runtime/group/shared_tasks.h>
#include <millrace/runtime/host/clock/run_clock.h>
#include <millrace/runtime/host/seconds_since.h>
#include <millrace/runtime/tasks/internal/run_levels.h>
#include <millrace/runtime/tasks/run_failed.h>
#include <millrace/runtime/tasks/run_stopped.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace millrace {

// Why a run ends before all its tasks have run.
struct StopReason {
  ErrorCode code = ErrorCode::kCancelled;
  std::string text;
};

// Returns the exception being handled as the failure of a device: an Error that has no tasks.
inline Error current_failure() {
  try {
    throw;
  } catch (const RunFailed& failed) {
    return failed.failure();
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return Error(ErrorCode::kOutOfMemory, "the host's memory ran out");
  } catch (const std::exception& error) {
    return Error(ErrorCode::kTaskFailed, std::string("prepare or finish threw: ") + error.what());
  } catch (...) {
    return Error(ErrorCode::kTaskFailed,
                 "prepare or finish threw an exception that is not a std::exception");
  }
}

// Used by the threads of the devices.
//
// Unless the run keeps what is unfinished, it has no results once a device has failed: the function
// that fails throws. Else the failure is noted and stops the run, and what the other devices and,
// where it can be read, the failed one have not started is left like that of a stopped run.
template <class Set>
class SharedRun {
 public:
  SharedRun(TaskExchange<Set>& exchange, const RunOptions& options, std::size_t devices)
      : exchange_(exchange), options_(options), runs_(devices), on_request_(options.stop, [this] {
          stop({ErrorCode::kCancelled, kStoppedByRequest});
        }) {}

  // Runs segments on a device until the run has ended or was stopped. Returns true if the device
  // has results to take. Throws the device's failure, unless the run keeps what is unfinished.
  bool run_on(std::size_t device, Queue& queue, const SharedTasks<Set>& tasks) {
    bool is_prepared = false;
    try_on(device, [&] {
      std::optional<ArgumentsOf<Set>> arguments;
      if (tasks.prepare) arguments.emplace(tasks.prepare(queue));
      queue.wait();
      is_prepared = true;
      while (auto segment = exchange_.next(device)) {
        if constexpr (HasArguments<Set>) segment->set_arguments(*arguments);
        run_segment(device, queue, *segment);
      }
    });
    return is_prepared && !has_no_results_ && !queue.has_failed();
  }

  // Takes the results of a device for which run_on() has returned true. Throws as it does.
  void finish_on(std::size_t device, Queue& queue, const SharedTasks<Set>& tasks) {
    try_on(device, [&] { finish(queue, tasks); });
  }

  // Notes the exception being handled as the failure of a device, or of the group if there is no
  // device of this index, and stops the run. The first failure counts.
  void fail(std::size_t device) {
    {
      const std::lock_guard lock(mutex_);
      if (!failure_.has_value()) failure_ = DeviceFailure{device, current_failure()};
    }
    stop({ErrorCode::kCancelled, kStoppedByRequest});
  }

  // Ends the run because a device has failed. A run that keeps what is unfinished has results
  // still.
  void stop_by_failure() {
    has_no_results_ = !options_.keep_unfinished;
    stop({ErrorCode::kCancelled, kStoppedByRequest});
  }

  // Stops the segments that run; none begins any more. The first reason counts. Any thread may call
  // it.
  void stop(const StopReason& reason) {
    {
      const std::lock_guard lock(mutex_);
      if (!reason_.has_value()) reason_ = reason;
    }
    stop_.request_stop();
    exchange_.stop();
  }

  // Returns why the run was stopped, or nothing.
  std::optional<StopReason> reason() const {
    const std::lock_guard lock(mutex_);
    return reason_;
  }

  // The functions below are called when all devices have ended.

  // Returns the tasks and the joins that are left.
  TaskList<Set> take_rest() { return exchange_.take_rest(); }

  bool has_failed() const { return failure_.has_value(); }

  // Returns the failure. Called if has_failed(); `names` are those of the devices, or empty if the
  // message is to have none.
  Error failure(const std::vector<std::string>& names) const {
    const Error& error = failure_->error;
    if (failure_->device >= names.size()) return error;
    return {error.code(), names[failure_->device] + ": " + error.what(), error.detail(),
            error.where()};
  }

  // Throws FailedRun for a run that did `done` and leaves `rest`.
  [[noreturn]] void throw_failed(const Error& failure, const RunReport& done, TaskList<Set> rest) {
    RunProgress progress{done.tasks_by_type, rest.size(), std::move(workers_)};
    if (has_lost_tasks_) progress.tasks_left.reset();
    throw FailedRun<Set>(failure, std::move(progress), std::move(rest));
  }

  // Returns what the devices did.
  SharedRunReport report(const std::vector<DeviceInfo>& devices) const {
    SharedRunReport report;
    report.run.tasks_by_type.resize(Set::kTypes);
    for (std::size_t i = 0; i < devices.size(); ++i) {
      add_report(report.run, runs_[i]);
      report.devices.push_back({devices[i].name, runs_[i], exchange_.counts(i)});
    }
    report.run.seconds = seconds_between(first_begin_, last_end_);
    return report;
  }

  // Throws RunStopped or UnfinishedRun for a run that did `done` and leaves `rest`. Tasks for which
  // memory ran out are handed back without keep_unfinished, too, as by one device.
  [[noreturn]] void throw_stopped(const RunReport& done, TaskList<Set> rest) {
    const StopReason why = reason().value_or(StopReason{ErrorCode::kCancelled, kStoppedByRequest});
    RunProgress progress{done.tasks_by_type, rest.size(), std::move(workers_)};
    if (options_.keep_unfinished || why.code == ErrorCode::kOutOfMemory) {
      throw UnfinishedRun<Set>(why.code, why.text, std::move(progress), std::move(rest));
    }
    throw RunStopped(why.code, why.text, std::move(progress));
  }

 private:
  struct DeviceFailure {
    std::size_t device;
    Error error;
  };

  template <class Work>
  void try_on(std::size_t device, const Work& work) {
    try {
      work();
    } catch (...) {
      if (!options_.keep_unfinished) throw;
      fail(device);
    }
  }

  void run_segment(std::size_t device, Queue& queue, const TaskList<Set>& segment) {
    RunOptions options = options_since(options_, begin_);
    options.stop = stop_.get_token();
    options.keep_unfinished = true;
    if (options.policy == Policy::kAuto) options.policy = Policy::kPersistentThreads;
    const std::shared_ptr<const TaskList<Set>> roots(&segment, [](const TaskList<Set>*) {});
    const SegmentTime time(*this);
    try {
      const auto report = internal::launch(queue, roots, options, /*caller_waits=*/true,
                                           &exchange_.participant(device));
      queue.wait();
      add_report(runs_[device], *report);
    } catch (const UnfinishedRun<Set>& stopped) {
      exchange_.leave(stopped.remaining());
      note_stop(device, stopped);
    } catch (const FailedRun<Set>& failed) {
      end_failed_segment(device, &failed);
      if (!options_.keep_unfinished) throw Error(failed.failure());
      throw;
    } catch (...) {
      end_failed_segment(device, nullptr);
      throw;
    }
  }

  // Ends a segment that has failed, with the tasks of `failed`, if there are any.
  void end_failed_segment(std::size_t device, const FailedRun<Set>* failed) {
    // Before others see that this segment has ended.
    if (options_.keep_unfinished) {
      fail(device);
    } else {
      stop_by_failure();
    }
    bool has_lost_tasks = true;
    if (failed != nullptr) {
      exchange_.leave(failed->remaining());
      note_progress(device, failed->tasks_by_type(), failed->workers());
      has_lost_tasks = !failed->tasks_left().has_value();
    }
    if (has_lost_tasks) has_lost_tasks_ = true;
    exchange_.end_failed_segment(device, has_lost_tasks);
  }

  // Notes when a segment begins and ends.
  class SegmentTime {
   public:
    explicit SegmentTime(SharedRun& run) : run_(run) {
      const std::lock_guard lock(run_.mutex_);
      if (std::exchange(run_.has_begun_, true)) return;
      run_.first_begin_ = std::chrono::steady_clock::now();
      run_.last_end_ = run_.first_begin_;
    }
    ~SegmentTime() {
      const std::lock_guard lock(run_.mutex_);
      run_.last_end_ = std::chrono::steady_clock::now();
    }
    SegmentTime(const SegmentTime&) = delete;
    SegmentTime& operator=(const SegmentTime&) = delete;

   private:
    SharedRun& run_;
  };

  void note_progress(std::size_t device, const std::vector<std::uint64_t>& tasks_by_type,
                     const std::vector<WorkerTrace>& workers) {
    RunReport progress;
    progress.tasks_by_type = tasks_by_type;
    add_report(runs_[device], progress);
    const std::lock_guard lock(mutex_);
    workers_.insert(workers_.end(), workers.begin(), workers.end());
  }

  void note_stop(std::size_t device, const RunStopped& stopped) {
    note_progress(device, stopped.tasks_by_type(), stopped.workers());
    const bool is_cancelled = stopped.code() == ErrorCode::kCancelled;
    stop({stopped.code(), is_cancelled ? std::string(kStoppedByDeadline) : stopped.what()});
  }

  const RunClock::time_point begin_ = RunClock::now();
  TaskExchange<Set>& exchange_;
  const RunOptions options_;
  std::vector<RunReport> runs_;  // One report per device, written by that device's thread.
  std::stop_source stop_;
  std::atomic<bool> has_no_results_ = false;
  std::atomic<bool> has_lost_tasks_ = false;  // A failed device's tasks cannot be read.
  mutable std::mutex mutex_;
  bool has_begun_ = false;
  std::chrono::steady_clock::time_point first_begin_{};
  std::chrono::steady_clock::time_point last_end_{};
  std::optional<StopReason> reason_;
  std::optional<DeviceFailure> failure_;
  std::vector<WorkerTrace> workers_;
  const std::stop_callback<std::function<void()>> on_request_;
};

// Returns the speeds with those of devices of one model replaced by their mean: what they differ by
// is that one began later or ended earlier.
inline std::vector<double> speeds_by_model(const std::vector<double>& speeds,
                                           const std::vector<DeviceInfo>& infos) {
  std::vector<double> means;
  for (const DeviceInfo& own : infos) {
    double sum = 0;
    double count = 0;
    for (std::size_t i = 0; i < infos.size(); ++i) {
      if (infos[i].backend != own.backend || infos[i].description != own.description ||
          infos[i].compute_units != own.compute_units) {
        continue;
      }
      sum += speeds[i];
      ++count;
    }
    means.push_back(sum / count);
  }
  return means;
}

// Adds the devices' speeds in a run to those that later runs share their tasks by.
inline void note_speeds(const SharedRunReport& report, const std::string& operation) {
  for (const SharedDeviceReport& own : report.devices) {
    const auto count = static_cast<double>(own.run.tasks());
    if (count > 0 && own.run.seconds > 0) {
      DeviceSpeeds::shared().add(operation, own.device, count, own.run.seconds);
    }
  }
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_GROUP_INTERNAL_SHARED_RUN_H_
