// SPDX-License-Identifier: Apache-2.0

// Which of a launch's threads runs next, and whether they get anywhere.
#ifndef MILLRACE_BACKENDS_SIMT_LAUNCH_SCHEDULER_H_
#define MILLRACE_BACKENDS_SIMT_LAUNCH_SCHEDULER_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <millrace/backends/simt/launch/block_run.h>
#include <millrace/runtime/host/splitmix.h>

namespace millrace::simt {

class Scheduler {
 public:
  explicit Scheduler(std::uint64_t seed);

  bool is_empty() const { return ready_.empty() && resting_.empty(); }

  void add(GpuThread& thread) { insert(ready_, thread); }

  // Threads that were picked and have not rested since can be removed.
  void remove(GpuThread& thread) { erase(ready_, thread); }

  // It is picked less often than the others, this time.
  void rest(GpuThread& thread) {
    erase(ready_, thread);
    insert(resting_, thread);
  }

  // One of those added, at random; it stays. One must be there.
  GpuThread& pick() {
    ++idle_;
    if (!resting_.empty() && (ready_.empty() || --until_wake_ <= 0)) return wake();
    const auto count = static_cast<std::uint32_t>(ready_.size());
    if (count <= window_) return *ready_[random_.below(count)];
    if (--until_rotation_ == 0) rotate();
    return *ready_[random_.below(window_)];
  }

  [[gnu::no_sanitize("thread")]] void note_progress() {
    idle_ = 0;
    meetings_ = 0;
  }
  void note_meeting() { ++meetings_; }
  [[gnu::no_sanitize("thread")]] void note_wait_for_host() { waits_for_host_ = true; }

  // To be asked at each pick: whether there has been no progress for so long that there will be
  // none.
  bool is_stuck() { return idle_ % 1024 == 0 && idle_ != 0 && look_for_progress(); }

 private:
  using Threads = std::vector<GpuThread*>;

  static void insert(Threads& threads, GpuThread& thread) {
    thread.place_in_queue = static_cast<std::uint32_t>(threads.size());
    threads.push_back(&thread);
  }

  static void erase(Threads& threads, const GpuThread& thread) {
    GpuThread* last = threads.back();
    threads[thread.place_in_queue] = last;
    last->place_in_queue = thread.place_in_queue;
    threads.pop_back();
  }

  GpuThread& wake();
  void rotate();
  bool look_for_progress();

  SplitMix64 random_;
  Threads ready_;
  Threads resting_;
  // Only the first so many are picked from, so that some threads get far ahead of others...
  std::uint32_t window_;
  int until_rotation_ = 1;  // ...until others take their places.
  std::uint32_t wake_spread_;
  int until_wake_ = 1;  // Picks until one that rests gets a turn.
  std::uint64_t idle_ = 0;
  std::uint64_t meetings_ = 0;
  bool waits_for_host_ = false;
  std::uint64_t limit_;
  std::chrono::steady_clock::time_point idle_since_;
};

}  // namespace millrace::simt

#endif  // MILLRACE_BACKENDS_SIMT_LAUNCH_SCHEDULER_H_
