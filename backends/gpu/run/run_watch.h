// SPDX-License-Identifier: Apache-2.0

// The host's part in a run: it takes in spilled tasks, and requests stops.
#ifndef MILLRACE_BACKENDS_GPU_RUN_RUN_WATCH_H_
#define MILLRACE_BACKENDS_GPU_RUN_RUN_WATCH_H_

#include <millrace/backends/gpu/device/control/stop.h>
#include <millrace/backends/gpu/device/control/worker_record.h>
#include <millrace/backends/gpu/run/run_buffers.h>
#include <millrace/backends/gpu/run/spill_bound.h>
#include <millrace/runtime/auto/automatic_run.h>
#include <millrace/runtime/host/clock/run_clock.h>
#include <millrace/runtime/tasks/internal/level_queue.h>
#include <millrace/runtime/tasks/internal/participant.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/runtime/tasks/task_list.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <utility>

namespace millrace::MILLRACE_GPU {

// A RunWatch has these of its run.
struct WatchedRun {
  const RunOptions& options;
  // Set if kernels of the run may wait for the host to take tasks in; such kernels also poll for a
  // stop.
  bool may_spill;
  // If not null, it is consulted at the times it chooses, unless the host may be unable to take in
  // all tasks.
  AutomaticRun* automatic;
  const HeldTasks& held;  // The tasks of later levels before the first launch.
};

// The part of a RunWatch that does not depend on the set.
class RunWatchBase {
 public:
  // A spilled task takes `slot_bytes`.
  RunWatchBase(GpuQueue& queue, RunBuffers& buffers, const WatchedRun& run, std::size_t slot_bytes);
  RunWatchBase(const RunWatchBase&) = delete;
  RunWatchBase& operator=(const RunWatchBase&) = delete;

  // Returns true if a caller may request the workers' last tasks.
  bool is_recorded() const {
    return options_.deadline.count() > 0 || options_.stop.stop_possible();
  }

  // Returns the records for the next launch, of `workers`, if is_recorded(); `all_write` as for
  // WorkerRecords.
  RecordedWorkers records_for(int workers, bool all_write) {
    if (!is_recorded()) return {};
    return buffers_.records.of_launch(workers, all_write);
  }

  // Returns true if the run was stopped to be sampled or to continue under another policy.
  bool is_sample() const { return is_sample_; }

  // The reason for which the run was stopped; empty if it was not.
  const std::string& reason() const { return reason_; }
  ErrorCode code() const { return code_; }

  // Returns true if the host had no memory for tasks that the device gave back. Tasks given back
  // earlier are lost too.
  bool has_lost_tasks() const { return has_lost_tasks_; }

  // Called before each launch. Decides whether the run is to be stopped at its start.
  void poll();

  // Sets the number of roots that launches after the next one begin with. A run with such launches
  // is not sampled.
  void set_later_roots(std::size_t roots);
  // Sets the number of tasks that wait on the device beside those of the next launch.
  void set_tasks_aside(std::uint64_t tasks) { tasks_aside_ = tasks; }

  // Called between two waves that the host launches, with the number of tasks in the next. Stops
  // the run as for a sample if other devices wait for tasks, unless too many wait here to be moved.
  void poll_between_waves(std::size_t tasks);

  // Ends the run between two launches, for the next of which there is no memory. `error` is the
  // message of the allocation or of the launch.
  void end_for_lack_of_memory(const std::string& error);

  // Returns the reason of a run that ends so.
  static std::string lack_of_memory(const std::string& error) {
    return "a run ended for lack of memory: " + error;
  }

  // Ends the run because a task has failed. The tasks of later launches are handed back if `keeps`.
  void end_by_failure(bool keeps);

  // The stop that has been requested from kernels so far.
  Stop stop() const;

  // Returns true if kernels must poll for a stop, or may send tasks to the host.
  bool is_on() const {
    return may_spill_ || is_recorded() || keeps_unfinished() || !reason_.empty();
  }
  bool keeps_unfinished() const { return options_.keep_unfinished; }

  // Returns when the launches so far have ended and, unless one was aborted, have given the host
  // their results. Throws the device's error; tasks that have come by then are kept, if the run's
  // are.
  void await();

 protected:
  ~RunWatchBase() = default;

  // Returns true if chunks have been requested of the device.
  bool has_requested() const { return requested_at_ != std::chrono::steady_clock::time_point(); }

  // Forgets all tasks, for which the host's memory did not suffice.
  void lose_tasks();

 private:
  // Number of tasks taken in.
  virtual std::size_t spilled_tasks() const = 0;
  // Takes in the tasks that have arrived in the ring; returns their number.
  virtual std::uint64_t drain(const SpillRing& ring) = 0;
  virtual void drop_spilled() = 0;
  // Returns the fraction of the tasks that other devices request, or 0.
  virtual float wanted() const { return 0; }

  bool must_sample();
  void request_chunks();
  bool has_ended();
  void wait_for_end();
  void give_up();
  void end(ErrorCode code, const std::string& reason, bool keeps);

  const bool may_spill_;
  AutomaticRun* const automatic_;
  const bool is_persistent_;
  std::chrono::steady_clock::time_point requested_at_{};  // Last request of chunks.
  const std::size_t slot_bytes_;
  const std::size_t held_tasks_;  // Spilled tasks of earlier levels.
  std::size_t later_roots_ = 0;
  std::uint64_t tasks_aside_ = 0;
  bool may_sample_ = true;  // Samples may be taken.
  bool is_sample_ = false;
  std::uint64_t last_word_ = 0;  // The last WaveProgress word.
  double tasks_reported_ = 0;    // Sum over all reports.
  int reports_ = 0;
  GpuQueue& queue_;
  RunBuffers& buffers_;
  const RunOptions& options_;
  SpillBound spill_bound_;
  const RunClock::time_point begin_;  // The deadline and samples count from it.
  ErrorCode code_ = ErrorCode::kCancelled;
  std::string reason_;
  bool has_lost_tasks_ = false;
};

template <class Set>
class RunWatch final : public RunWatchBase {
 public:
  // `participant` is null if no other device takes part in the run.
  RunWatch(GpuQueue& queue, RunBuffers& buffers, const WatchedRun& run,
           Participant<Set>* participant)
      : RunWatchBase(queue, buffers, run, sizeof(TaskSlot<Set>)), participant_(participant) {}

  // Tasks that did not fit on the device, or were not run because of the stop.
  TaskList<Set>& spilled() { return spilled_; }

  // Tasks of later levels that did not fit on the device. For sets with levels.
  LevelQueue<Set>& later() { return later_; }

  // Adds tasks of a list that will not be run.
  void keep(const TaskList<Set>& roots, std::size_t begin, std::size_t count) {
    if (has_lost_tasks()) return;
    const auto items = roots.view();
    try {
      for (std::size_t i = begin; i < begin + count; ++i) {
        visit_type<Set>(items.tag(i), [&]<class T>() { spilled_.push(items.template get<T>(i)); });
      }
    } catch (const std::bad_alloc&) {
      lose_tasks();
    }
  }

 private:
  std::size_t spilled_tasks() const override { return spilled_.size() + later_.size(); }
  std::uint64_t drain(const SpillRing& ring) override {
    if constexpr (Set::kHasLevels) return ring.drain(spilled_, later_);
    if constexpr (Set::kTravels) {
      if (participant_ != nullptr) return drain_shared(ring);
    }
    return ring.drain(spilled_);
  }
  // Gives all tasks away that have come, once chunks have been requested.
  std::uint64_t drain_shared(const SpillRing& ring) {
    const std::uint64_t count = ring.drain(spilled_, *participant_);
    if (!spilled_.empty() && reason().empty() && has_requested()) {
      participant_->give(std::exchange(spilled_, {}));
    }
    return count;
  }
  float wanted() const override { return participant_ == nullptr ? 0 : participant_->wanted(); }
  void drop_spilled() override {
    spilled_ = {};
    later_.clear();
  }

  Participant<Set>* const participant_;
  TaskList<Set> spilled_;
  LevelQueue<Set> later_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_RUN_RUN_WATCH_H_
