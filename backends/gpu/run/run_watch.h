// SPDX-License-Identifier: Apache-2.0

// The host's part in a run: takes in what spills, and says when it is to stop.
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
  // `may_spill`: kernels of the run may wait for the host to take tasks in, and so look for a stop
  // too. `automatic`, if any, is asked when it wants to be, unless the host may not take in all.
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

  // Whether the workers' last tasks may be asked for.
  bool is_asked_for() const {
    return options_.deadline.count() > 0 || options_.stop.stop_possible();
  }

  // Whether the run was stopped to be looked at or to go on under another policy.
  bool is_for_a_look() const { return is_for_a_look_; }

  // Why the run was told to stop; empty when it was not.
  const std::string& reason() const { return reason_; }
  ErrorCode code() const { return code_; }

  // Tasks that found no room on the device, or were not run because of the stop.
  TaskList<Set>& spilled() { return spilled_; }

  // Adds those of a list that will not be run.
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

  // Whether there was no memory for tasks that the device gave back. Those before are gone too.
  bool has_lost_tasks() const { return has_lost_tasks_; }

  // To be called before each launch: whether the run is to be stopped at its start.
  void look() {
    if (!reason_.empty()) return;
    if (options_.stop.stop_requested()) {
      end(ErrorCode::kCancelled, kStoppedByRequest, options_.keep_unfinished);
    } else if (options_.deadline.count() > 0 &&
               std::chrono::steady_clock::now() - begin_ >= options_.deadline) {
      end(ErrorCode::kCancelled, kStoppedByDeadline, options_.keep_unfinished);
    } else if (spill_bound_.is_reached(spilled_.size() * sizeof(TaskSlot<Set>))) {
      end(ErrorCode::kOutOfMemory,
          "the run's tasks found no room in " + std::to_string(buffers_.task_bytes()) +
              " bytes of device memory and " + spill_bound_.text(),
          /*keeps=*/true);
    } else if (must_look()) {
      is_for_a_look_ = true;
      end(ErrorCode::kCancelled, "the run was stopped to be looked at", /*keeps=*/true);
    }
  }

  // What kernels have been told so far.
  Stop stop() const {
    return static_cast<Stop>(std::atomic_ref(buffers_.host().stop).load(std::memory_order_relaxed));
  }

  // Whether kernels are to look for a stop.
  bool is_on() const { return may_spill_ || is_asked_for(); }
  bool keeps_unfinished() const { return options_.keep_unfinished; }

  // Returns when the launches so far have ended and, if all is well, told the host their results.
  void await() {
    try {
      if (is_on()) wait_for_end();
      // Only a kernel that looks for a stop has put down its results before it says that it ended.
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
  // Persistent threads tell nothing until they are stopped; waves do, now and then.
  bool must_look() {
    if (automatic_ == nullptr || spilled_.size() > AutomaticRun::kMostMoved) return false;
    const auto passed = std::chrono::steady_clock::now() - begin_;
    if (passed < automatic_->look_after()) return false;
    if (is_persistent_) return true;
    const std::uint64_t word =
        std::atomic_ref(buffers_.host().sight).load(std::memory_order_relaxed);
    if (word == seen_) return false;
    seen_ = word;
    tasks_seen_ += WaveSight::tasks(word);
    ++sights_;
    // Waves between those that were seen are taken to be like them.
    const double waves = WaveSight::waves(word);
    const RunSight sight{.seconds = std::chrono::duration<double>(passed).count(),
                         .tasks = tasks_seen_ / sights_ * waves,
                         .waves = waves,
                         .pending = WaveSight::tasks(word)};
    return sight.pending > 0 && automatic_->changes_policy(sight);
  }

  bool has_ended() {
    return std::atomic_ref(buffers_.host().finished).load(std::memory_order_acquire) != 0;
  }

  void wait_for_end() {
    for (unsigned round = 0; !has_ended(); ++round) {
      const bool is_busy = buffers_.ring().drain(spilled_) > 0;
      look();
      if (is_busy) round = 0;
      if (round % 64 == 63 && is_idle(queue_.stream())) return;
      pause(round);
    }
  }

  // There is no memory to take tasks in, or the device is lost: has the kernel end, if it still
  // can.
  void give_up() {
    std::atomic_ref(buffers_.host().stop).store(kDropped, std::memory_order_relaxed);
    while (!is_idle(queue_.stream())) {
      buffers_.ring().discard();
      std::this_thread::yield();
    }
    buffers_.ring().discard();  // Or the next run would take what came last for its own.
  }

  void lose_tasks() {
    spilled_ = {};
    has_lost_tasks_ = true;
    is_for_a_look_ = false;
    end(ErrorCode::kOutOfMemory, "the host's memory ran out in a run", /*keeps=*/false);
  }

  // A run of some microseconds is met by spinning.
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
  bool is_for_a_look_ = false;
  std::uint64_t seen_ = 0;  // The last WaveSight.
  double tasks_seen_ = 0;   // Of all of them.
  int sights_ = 0;
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
