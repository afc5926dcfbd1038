// SPDX-License-Identifier: Apache-2.0

// One launch on a simulated GPU. All of its threads take turns on the calling host thread, in an
// order that a seed determines.
//
// A thread runs until it waits for others, ends, or reaches a point where it may be interrupted:
// interleave(), which every atomic operation calls. It then picks the next thread at random.
#ifndef MILLRACE_BACKENDS_SIMT_LAUNCH_KERNEL_RUN_H_
#define MILLRACE_BACKENDS_SIMT_LAUNCH_KERNEL_RUN_H_

#include <millrace/backends/gpu/api_types.h>
#include <millrace/backends/simt/launch/block_run.h>
#include <millrace/backends/simt/launch/fiber.h>
#include <millrace/backends/simt/launch/scheduler.h>
#include <millrace/runtime/host/splitmix64.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <source_location>
#include <string>
#include <vector>

namespace millrace::simt {

// Identifies the launch, for its seed and for messages.
struct LaunchName {
  int device = 0;
  std::uint64_t stream = 0;
  std::uint64_t number = 0;  // Number of the launch in its stream.
};

class KernelRun {
 public:
  // `body` is the kernel with its arguments. The device must be able to run the shape. At most
  // `resident_blocks` blocks are resident at once, and a cooperative launch has no more.
  KernelRun(std::function<void()> body, const gpu::LaunchShape& shape, const LaunchName& name,
            int warp_width, int resident_blocks);

  // Runs the kernel to its end. Throws the error or exception of one of its threads; the other
  // threads are then abandoned.
  void execute();

  // --- Called by the kernel's threads. ---

  // Waits for the block's other threads that have not exited.
  void sync_block(const std::source_location& location);

  // Waits for the warp's other lanes that have not exited. Gives them `value`, and returns that of
  // lane `source`.
  std::uint64_t exchange(Collective collective, std::uint64_t value, int source,
                         const std::source_location& location);
  void sync_warp(const std::source_location& location);
  gpu::LaneMask ballot(bool predicate, const std::source_location& location);

  // Ends the calling thread; barriers no longer wait for it, and order its accesses.
  [[noreturn]] void exit_thread();

  // Stops the launch with an Error that describes the calling thread's mistake: "calls ...".
  [[noreturn]] void fail(std::string what);

  // May let another thread run.
  __attribute__((no_sanitize("thread"))) void interleave() {
    if (--until_yield_ <= 0) yield();
  }

  // Lets another thread run.
  void yield() { switch_thread(false); }

  // Lets others run for a while.
  void pause() { switch_thread(true); }

  // Notes that a value has changed, so the grid is not stuck.
  __attribute__((no_sanitize("thread"))) void note_progress() { scheduler_.note_progress(); }

  // Notes that the kernel may be waiting for the host.
  __attribute__((no_sanitize("thread"))) void note_wait_for_host() {
    scheduler_.note_wait_for_host();
  }

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
  void switch_thread(bool rests);
  GpuThread& pick_next();
  void suspend();
  void resume(GpuThread& thread);
  Fiber& end(GpuThread& thread, bool has_returned);
  void release_to_barriers(GpuThread& thread);
  void leave_warp_and_block(GpuThread& thread, bool has_returned);
  void wake(GpuThread& thread);
  void wake_block(BlockRun& block);
  void wake_warp(WarpRun& warp);
  bool arrive_at_block(const std::source_location& location);
  bool arrive_at_warp(Collective collective, std::uint64_t value, int source,
                      const std::source_location& location);
  void join(BarrierPoint& point, Collective collective, const std::source_location& location);
  void check_sources(const WarpRun& warp);
  [[noreturn]] void fail_returned(int returned_thread, Collective collective,
                                  const std::source_location& location);
  [[noreturn]] void fail_divergent(const BarrierPoint& point, std::string what);
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
  // For ThreadSanitizer: order the launch with the stream's other work.
  char start_ = 0;
  char end_ = 0;
};

// Describes a collective that reads a lane the warp does not have.
std::string describe_bad_source(Collective collective, int source,
                                const std::source_location& location);

// The GPU thread that runs on this host thread; null outside a kernel. It is not inline, because
// all copies of the library in a process would share an inline variable, and none of them could
// then be unloaded.
extern constinit thread_local GpuThread* this_thread;

}  // namespace millrace::simt

#endif  // MILLRACE_BACKENDS_SIMT_LAUNCH_KERNEL_RUN_H_
