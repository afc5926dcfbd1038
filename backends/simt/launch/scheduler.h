// SPDX-License-Identifier: Apache-2.0

// Selects the thread of a launch that runs next, and detects lack of progress.
#ifndef MILLRACE_BACKENDS_SIMT_LAUNCH_SCHEDULER_H_
#define MILLRACE_BACKENDS_SIMT_LAUNCH_SCHEDULER_H_

#include <millrace/backends/simt/launch/block_run.h>
#include <millrace/runtime/host/splitmix64.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::simt {

class Scheduler {
 public:
  explicit Scheduler(std::uint64_t seed);

  bool is_empty() const { return ready_.empty() && resting_.empty(); }

  void add(GpuThread& thread) { insert(ready_, thread); }

  // Removes a thread that was picked and has not rested since.
  void remove(GpuThread& thread) { erase(ready_, thread); }

  // Makes a thread rest: it is picked less often than the others, this time.
  void rest(GpuThread& thread) {
    erase(ready_, thread);
    insert(resting_, thread);
  }

  // Returns one of the added threads, at random, and keeps it. There must be one.
  GpuThread& pick() {
    ++idle_;
    if (!resting_.empty() && (ready_.empty() || --until_wake_ <= 0)) return wake();
    const auto count = static_cast<std::uint32_t>(ready_.size());
    if (count <= window_) return *ready_[random_.below(count)];
    if (--until_rotation_ == 0) rotate();
    return *ready_[random_.below(window_)];
  }

  __attribute__((no_sanitize("thread"))) void note_progress() {
    idle_ = 0;
    collectives_ = 0;
  }
  void note_collective() { ++collectives_; }
  __attribute__((no_sanitize("thread"))) void note_wait_for_host() { waits_for_host_ = true; }

  // Returns true if there has been no progress for so long that there will be none. Called at each
  // pick.
  bool is_stuck() { return idle_ % 1024 == 0 && idle_ != 0 && check_progress(); }

 private:
  using Threads = std::vector<GpuThread*>;

  static void insert(Threads& threads, GpuThread& thread) {
    thread.queue_index = static_cast<std::uint32_t>(threads.size());
    threads.push_back(&thread);
  }

  static void erase(Threads& threads, const GpuThread& thread) {
    GpuThread* last = threads.back();
    threads[thread.queue_index] = last;
    last->queue_index = thread.queue_index;
    threads.pop_back();
  }

  GpuThread& wake();
  void rotate();
  bool check_progress();

  SplitMix64 random_;
  Threads ready_;
  Threads resting_;
  // Threads are picked from the first `window_` only, so that some get far ahead of others.
  std::uint32_t window_;
  int until_rotation_ = 1;  // Picks until the threads in the window are exchanged.
  std::uint32_t wake_spread_;
  int until_wake_ = 1;  // Picks until a resting thread gets a turn.
  std::uint64_t idle_ = 0;
  std::uint64_t collectives_ = 0;
  bool waits_for_host_ = false;
  std::uint64_t limit_;
  std::chrono::steady_clock::time_point idle_since_;
};

}  // namespace millrace::simt

#endif  // MILLRACE_BACKENDS_SIMT_LAUNCH_SCHEDULER_H_
