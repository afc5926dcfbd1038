// SPDX-License-Identifier: Apache-2.0

// One launch on a simulated GPU: all its threads take turns on the calling host thread, in an order
// that a seed fixes.
//
// A thread runs until it waits for others, ends, or comes to a place where it may be interrupted:
// interleave(), which every atomic operation calls. Whoever stops picks the next at random.
#ifndef MILLRACE_BACKENDS_SIMT_LAUNCH_KERNEL_RUN_H_
#define MILLRACE_BACKENDS_SIMT_LAUNCH_KERNEL_RUN_H_

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <source_location>
#include <string>
#include <vector>

#include <millrace/backends/gpu/api_types.h>
#include <millrace/backends/simt/launch/block_run.h>
#include <millrace/backends/simt/launch/fiber.h>
#include <millrace/backends/simt/launch/scheduler.h>
#include <millrace/runtime/host/splitmix.h>

namespace millrace::simt {

// Which launch this is, for its seed and for messages.
struct LaunchName {
  int device = 0;
  std::uint64_t stream = 0;
  std::uint64_t number = 0;  // In its stream.
};

class KernelRun {
 public:
  // `body` is the kernel with its arguments. The shape is one that the device can run, and of a
  // cooperative launch has at most `resident_blocks`, which is how many there can be at once.
  KernelRun(std::function<void()> body, const gpu::LaunchShape& shape, const LaunchName& name,
            int warp_width, int resident_blocks);

  // Runs the kernel to its end. Throws what a thread of it did wrong or threw; the others are then
  // abandoned where they are.
  void execute();

  // --- Called by the kernel's threads. ---

  // Waits for the block's other threads that have not exited.
  void sync_block(const std::source_location& place);

  // Waits for the warp's other lanes that have not exited. Gives `value` to them, and returns that
  // of lane `source`.
  std::uint64_t exchange(Meeting meeting, std::uint64_t value, int source,
                         const std::source_location& place);
  void sync_warp(const std::source_location& place);
  gpu::LaneMask ballot(bool predicate, const std::source_location& place);

  // Ends the calling thread; barriers go on without it.
  [[noreturn]] void exit_thread();

  // Stops the launch with an Error that says what the calling thread does wrong: "calls ...".
  [[noreturn]] void fail(std::string what);

  // Lets another thread run, perhaps.
  [[gnu::no_sanitize("thread")]] void interleave() {
    if (--until_yield_ <= 0) yield();
  }

  // Lets another thread run.
  void yield() { take_turns(false); }

  // Lets others run for a while.
  void pause() { take_turns(true); }

  // The grid is not stuck: a value has changed.
  [[gnu::no_sanitize("thread")]] void note_progress() { scheduler_.note_progress(); }

  // The kernel may be waiting for something outside.
  [[gnu::no_sanitize("thread")]] void note_wait_for_host() { scheduler_.note_wait_for_host(); }

  int grid_blocks() const { return shape_.blocks; }
  int block_threads() const { return shape_.threads; }
  int warp_width() const { return warp_width_; }

 private:
  static Fiber& run_thread(void* thread);

  void run_threads();
  void start_blocks();
  void retire_blocks();
  void abandon_threads();
  void stop(std::exception_ptr error);
  void take_turns(bool rests);
  GpuThread& pick_next();
  void suspend();
  void resume(GpuThread& thread);
  Fiber& end(GpuThread& thread, bool has_returned);
  void leave_warp_and_block(GpuThread& thread, bool has_returned);
  void wake(GpuThread& thread);
  void wake_block(BlockRun& block);
  void wake_warp(WarpRun& warp);
  bool arrive_at_block(const std::source_location& place);
  bool arrive_at_warp(Meeting meeting, std::uint64_t value, int source,
                      const std::source_location& place);
  void join(MeetingPoint& point, Meeting meeting, const std::source_location& place);
  void check_sources(const WarpRun& warp);
  [[noreturn]] void fail_returned(int returned_thread, Meeting meeting,
                                  const std::source_location& place);
  [[noreturn]] void fail_apart(const MeetingPoint& point, std::string what);
  std::exception_ptr make_error(const std::string& what) const;
  std::string describe_launch() const;

  std::function<void()> body_;
  gpu::LaunchShape shape_;
  LaunchName name_;
  int warp_width_;
  std::uint64_t seed_;
  SplitMix64 random_;
  Scheduler scheduler_;
  int until_yield_ = 1;
  int yield_spread_ = 1;
  Fiber host_;
  std::vector<int> blocks_to_start_;
  std::size_t resident_ = 1;
  std::vector<std::unique_ptr<BlockRun>> blocks_;
  bool is_stopping_ = false;
  std::exception_ptr error_;
  char start_ = 0,
       end_ = 0;  // For ThreadSanitizer: the launch is ordered with the stream's other work.
};

// For messages: a collective that reads a lane the warp does not have.
std::string describe_bad_source(Meeting meeting, int source, const std::source_location& place);

// The GPU thread that runs on this host thread; null outside a kernel. It is not inline: what is
// would be shared by all copies of the library in a process, none of which could then be unloaded.
extern constinit thread_local GpuThread* this_thread;

}  // namespace millrace::simt

#endif  // MILLRACE_BACKENDS_SIMT_LAUNCH_KERNEL_RUN_H_
