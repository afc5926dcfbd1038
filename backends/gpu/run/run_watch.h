// SPDX-License-Identifier: Apache-2.0

// The host's part in a run: it takes in spilled tasks, and requests stops.
#ifndef MILLRACE_BACKENDS_GPU_RUN_RUN_WATCH_H_
#define MILLRACE_BACKENDS_GPU_RUN_RUN_WATCH_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <thread>

#include <millrace/backends/gpu/run/run_buffers.h>
#include <millrace/backends/gpu/run/spill_bound.h>
#include <millrace/runtime/auto/automatic_run.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/runtime/tasks/task_list.h>

namespace millrace::MILLRACE_GPU {

template <class Set>
class RunWatch {
 public:
  // `may_spill` is set if kernels of the run may wait for the host to take tasks in; such kernels
  // also poll for a stop. `automatic`, if not null, is consulted at the times it chooses, unless
  // the host may be unable to take in all tasks.
  RunWatch(GpuQueue& queue, RunBuffers& buffers, const RunOptions& options, bool may_spill,
           AutomaticRun* automatic)
      : may_spill_(may_spill),
        automatic_(may_spill && options.spill_bytes == 0 ? automatic : nullptr),
        is_persistent_(automatic != nullptr && automatic->policy() == Policy::kPersistentThreads),
        queue_(queue),
        buffers_(buffers),
        options_(options),
        spill_bound_(options.spill_bytes, buffers.task_bytes()),
        begin_(std::chrono::steady_clock::now()) {}

  // Returns true if a caller may request the workers' last tasks.
  bool is_recorded() const {
    return options_.deadline.count() > 0 || options_.stop.stop_possible();
  }

  // Returns true if the run was stopped to be sampled or to continue under another policy.
  bool is_sample() const { return is_sample_; }

  // The reason for which the run was stopped; empty if it was not.
  const std::string& reason() const { return reason_; }
  ErrorCode code() const { return code_; }

  // Tasks that did not fit on the device, or were not run because of the stop.
  TaskList<Set>& spilled() { return spilled_; }

  // Adds tasks of a list that will not be run.
  void keep(const TaskList<Set>& roots, std::size_t begin, std::size_t count) {
    if (has_lost_tasks_) return;
    const auto items = roots.view();
    try {
      for (std::size_t i = begin; i < begin + count; ++i) {
        visit_type<Set>(items.tag(i), [&]<class T>() { spilled_.push(items.template get<T>(i)); });
      }
    } catch (const std::bad_alloc&) {
      lose_tasks();
    }
  }

  // Returns true if the host had no memory for tasks that the device gave back. Tasks given back
  // earlier are lost too.
  bool has_lost_tasks() const { return has_lost_tasks_; }

  // Called before each launch. Decides whether the run is to be stopped at its start.
  void poll() {
    if (!reason_.empty()) return;
    if (options_.stop.stop_requested()) {
      end(ErrorCode::kCancelled, kStoppedByRequest, options_.keep_unfinished);
    } else if (options_.deadline.count() > 0 &&
               std::chrono::steady_clock::now() - begin_ >= options_.deadline) {
      end(ErrorCode::kCancelled, kStoppedByDeadline, options_.keep_unfinished);
    } else if (spill_bound_.is_reached(spilled_.size() * sizeof(TaskSlot<Set>))) {
      end(ErrorCode::kOutOfMemory,
          "the run's tasks do not fit in " + std::to_string(buffers_.task_bytes()) +
              " bytes of device memory and " + spill_bound_.text() +
              "; make the queue with more task_memory_bytes",
          /*keeps=*/true);
    } else if (must_sample()) {
      is_sample_ = true;
      end(ErrorCode::kCancelled, "the run was stopped to be sampled", /*keeps=*/true);
    }
  }

  // The stop that has been requested from kernels so far.
  Stop stop() const {
    return static_cast<Stop>(std::atomic_ref(buffers_.host().stop).load(std::memory_order_relaxed));
  }

  // Returns true if kernels must poll for a stop.
  bool is_on() const { return may_spill_ || is_recorded(); }
  bool keeps_unfinished() const { return options_.keep_unfinished; }

  // Returns when the launches so far have ended and, unless one was aborted, have given the host
  // their results.
  void await() {
    try {
      if (is_on()) wait_for_end();
      // Only a kernel that polls for a stop writes its results before it sets `finished`.
      if (!is_on() || !has_ended()) synchronize(queue_.stream());
      buffers_.ring().drain(spilled_);
    } catch (const std::bad_alloc&) {
      give_up();
      lose_tasks();
    } catch (...) {
      give_up();
      throw;
    }
  }

 private:
  // Persistent threads report nothing until they are stopped; waves report at intervals.
  bool must_sample() {
    if (automatic_ == nullptr || spilled_.size() > AutomaticRun::kMostMoved) return false;
    const auto passed = std::chrono::steady_clock::now() - begin_;
    if (passed < automatic_->look_after()) return false;
    if (is_persistent_) return true;
    const std::uint64_t word =
        std::atomic_ref(buffers_.host().progress).load(std::memory_order_relaxed);
    if (word == last_word_) return false;
    last_word_ = word;
    tasks_reported_ += WaveProgress::tasks(word);
    ++reports_;
    // Waves between the reported ones are assumed to be like them.
    const double waves = WaveProgress::waves(word);
    const RunSight sight{.seconds = std::chrono::duration<double>(passed).count(),
                         .tasks = tasks_reported_ / reports_ * waves,
                         .waves = waves,
                         .pending = WaveProgress::tasks(word)};
    return sight.pending > 0 && automatic_->changes_policy(sight);
  }

  bool has_ended() {
    return std::atomic_ref(buffers_.host().finished).load(std::memory_order_acquire) != 0;
  }

  void wait_for_end() {
    for (unsigned round = 0; !has_ended(); ++round) {
      const bool is_busy = buffers_.ring().drain(spilled_) > 0;
      poll();
      if (is_busy) round = 0;
      if (round % 64 == 63 && is_idle(queue_.stream())) return;
      pause(round);
    }
  }

  // Makes the kernel end, if it still can. Called if the host has no memory for tasks, or the
  // device is lost.
  void give_up() {
    std::atomic_ref(buffers_.host().stop).store(kDropped, std::memory_order_relaxed);
    while (!is_idle(queue_.stream())) {
      buffers_.ring().discard();
      std::this_thread::yield();
    }
    buffers_.ring().discard();  // Otherwise the next run would take these tasks for its own.
  }

  void lose_tasks() {
    spilled_ = {};
    has_lost_tasks_ = true;
    is_sample_ = false;
    end(ErrorCode::kOutOfMemory, "the host's memory ran out in a run", /*keeps=*/false);
  }

  // Spins first, so that the end of a run of some microseconds is noticed at once.
  static void pause(unsigned round) {
    constexpr unsigned kSpins = 1000;
    constexpr unsigned kYields = 3000;
    if (round < kSpins) return;
    if (round < kYields) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  }

  void end(ErrorCode code, const std::string& reason, bool keeps) {
    code_ = code;
    reason_ = reason;
    std::atomic_ref(buffers_.host().stop)
        .store(keeps ? kKept : kDropped, std::memory_order_relaxed);
  }

  const bool may_spill_;
  AutomaticRun* const automatic_;
  const bool is_persistent_;
  bool is_sample_ = false;
  std::uint64_t last_word_ = 0;  // The last WaveProgress word.
  double tasks_reported_ = 0;    // Sum over all reports.
  int reports_ = 0;
  GpuQueue& queue_;
  RunBuffers& buffers_;
  const RunOptions& options_;
  SpillBound spill_bound_;
  const std::chrono::steady_clock::time_point begin_;
  ErrorCode code_ = ErrorCode::kCancelled;
  std::string reason_;
  bool has_lost_tasks_ = false;
  TaskList<Set> spilled_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_RUN_RUN_WATCH_H_
