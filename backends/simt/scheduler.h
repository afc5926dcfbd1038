// Which of a launch's threads runs next, and whether they get anywhere.
#ifndef MILLRACE_BACKENDS_SIMT_SCHEDULER_H_
#define MILLRACE_BACKENDS_SIMT_SCHEDULER_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <millrace/backends/simt/block_run.h>
#include <millrace/backends/simt/random.h>

namespace millrace::simt {

class Scheduler {
 public:
  explicit Scheduler(std::uint64_t seed);

  void reserve(std::size_t threads) { ready_.reserve(threads); }
  bool is_empty() const { return ready_.empty(); }

  void add(GpuThread& thread) {
    thread.place_in_queue = static_cast<std::uint32_t>(ready_.size());
    ready_.push_back(&thread);
  }

  void remove(GpuThread& thread) {
    GpuThread* last = ready_.back();
    ready_[thread.place_in_queue] = last;
    last->place_in_queue = thread.place_in_queue;
    ready_.pop_back();
  }

  // One of those added, at random; it stays. One must be there.
  GpuThread& pick() {
    ++idle_;
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
  void rotate();
  bool look_for_progress();

  Random random_;
  std::vector<GpuThread*> ready_;
  // Only the first so many are picked from, so that some threads get far ahead of others...
  std::uint32_t window_;
  int until_rotation_ = 1;  // ...until others take their places.
  std::uint64_t idle_ = 0;
  std::uint64_t meetings_ = 0;
  bool waits_for_host_ = false;
  std::uint64_t limit_;
  std::chrono::steady_clock::time_point idle_since_;
};

}  // namespace millrace::simt

#endif  // MILLRACE_BACKENDS_SIMT_SCHEDULER_H_
