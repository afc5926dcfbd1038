// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/simt/launch/kernel_run.h>
#include <millrace/backends/simt/launch/sanitizers.h>
#include <millrace/backends/simt/launch/settings.h>
#include <millrace/runtime/core/error.h>

#include <cstddef>
#include <iterator>
#include <utility>

namespace millrace::simt {
namespace {

constexpr std::uint32_t kYieldSpreads[] = {4, 32, 256};

std::uint64_t mix(std::uint64_t seed, const LaunchName& name) {
  const std::uint64_t stream_seed =
      splitmix64(name.stream) + static_cast<std::uint64_t>(name.device);
  return splitmix64(splitmix64(seed ^ stream_seed) + name.number);
}

}  // namespace

constinit thread_local GpuThread* this_thread = nullptr;

KernelRun::KernelRun(std::function<void()> body, const gpu::LaunchShape& shape,
                     const LaunchName& name, int warp_width, int resident_blocks)
    : body_(std::move(body)),
      shape_(shape),
      name_(name),
      warp_width_(warp_width),
      seed_(seed()),
      random_(mix(seed_, name)),
      scheduler_(random_.next()),
      yield_spread_(kYieldSpreads[random_.below(std::size(kYieldSpreads))]),
      resident_(static_cast<std::size_t>(shape.blocks)) {
  // Non-cooperative launches may rely on one resident block only.
  if (!shape.cooperative) {
    resident_ = 1 + random_.below(static_cast<std::uint32_t>(resident_blocks));
  }
  for (int i = 0; i < shape.blocks; ++i) blocks_to_start_.push_back(i);
}

void KernelRun::execute() {
  release(&start_);
  {
    const IgnoreAccesses ignore;
    start_blocks();
  }
  while (!blocks_.empty() && !is_stopping_) {
    run_threads();
    const IgnoreAccesses ignore;
    if (is_stopping_) break;
    retire_blocks();
    start_blocks();
  }
  if (is_stopping_) abandon_threads();
  acquire(&end_);
  const IgnoreAccesses ignore;
  this_thread = nullptr;
  blocks_.clear();
  if (error_ != nullptr) std::rethrow_exception(error_);
}

// Runs threads until a block has ended, or the launch must stop.
void KernelRun::run_threads() {
  Fiber* first = nullptr;
  {
    const IgnoreAccesses ignore;
    this_thread = &scheduler_.pick();
    first = this_thread->fiber;
  }
  host_.switch_to(*first);
}

void KernelRun::start_blocks() {
  while (blocks_.size() < resident_ && !blocks_to_start_.empty()) {
    const auto count = static_cast<std::uint32_t>(blocks_to_start_.size());
    std::swap(blocks_to_start_[random_.below(count)], blocks_to_start_.back());
    blocks_.push_back(
        std::make_unique<BlockRun>(*this, blocks_to_start_.back(), shape_, warp_width_));
    blocks_to_start_.pop_back();
    for (GpuThread& thread : blocks_.back()->threads) {
      thread.fiber->prepare(&run_thread, &thread);
      scheduler_.add(thread);
    }
  }
}

void KernelRun::retire_blocks() {
  std::erase_if(blocks_, [](const auto& block) { return block->alive == 0; });
}

// Resumes each suspended fiber so that it leaves in a way that ASan knows.
void KernelRun::abandon_threads() {
  for (const auto& block : blocks_) {
    for (GpuThread& thread : block->threads) {
      if (thread.has_started && !thread.has_ended) host_.switch_to(*thread.fiber);
    }
  }
}

void KernelRun::stop(std::exception_ptr error) {
  const IgnoreAccesses ignore;
  is_stopping_ = true;
  error_ = std::move(error);
  this_thread->has_ended = true;
}

Fiber& KernelRun::run_thread(void* argument) {
  GpuThread& thread = *static_cast<GpuThread*>(argument);
  KernelRun& run = *thread.run;
  acquire(&run.start_);
  {
    const IgnoreAccesses ignore;
    thread.has_started = true;
  }
  try {
    run.body_();
  } catch (...) {
    run.stop(std::current_exception());
    release(&run.end_);
    return run.host_;
  }
  return run.end(thread, true);
}

void KernelRun::exit_thread() {
  GpuThread& thread = *this_thread;
  release_to_barriers(thread);
  thread.fiber->leave_to(end(thread, false));
}

Fiber& KernelRun::end(GpuThread& thread, bool has_returned) {
  release(&end_);
  const IgnoreAccesses ignore;
  scheduler_.note_progress();
  scheduler_.remove(thread);
  thread.has_ended = true;
  leave_warp_and_block(thread, has_returned);
  if (thread.block->alive == 0) return host_;
  this_thread = &pick_next();
  return *this_thread->fiber;
}

void KernelRun::switch_thread(bool rests) {
  GpuThread* next = nullptr;
  {
    const IgnoreAccesses ignore;
    until_yield_ = 1 + static_cast<int>(random_.below(yield_spread_));
    // The C++ runtime's record of exceptions in flight is per host thread, not per fiber.
    if (std::uncaught_exceptions() != 0) return;
    if (rests) scheduler_.rest(*this_thread);
    next = &pick_next();
  }
  if (next != this_thread) resume(*next);
}

void KernelRun::suspend() {
  GpuThread* next = nullptr;
  {
    const IgnoreAccesses ignore;
    next = &pick_next();
  }
  resume(*next);
}

GpuThread& KernelRun::pick_next() {
  if (scheduler_.is_empty()) fail("waits for others, and so do all other threads");
  GpuThread& next = scheduler_.pick();
  if (scheduler_.is_stuck()) fail("and the rest of the grid make no progress");
  return next;
}

__attribute__((no_sanitize("thread"))) void KernelRun::resume(GpuThread& thread) {
  Fiber& own = *this_thread->fiber;
  this_thread = &thread;
  own.switch_to(*thread.fiber);
  if (!is_stopping_) return;
  release(&end_);
  own.leave_to(host_);
}

void KernelRun::wake(GpuThread& thread) {
  thread.is_waiting = false;
  scheduler_.add(thread);
}

// The fiber is left without unwinding, so no string of this function or its callers may own memory
// at that point.
void KernelRun::fail(std::string what) {
  {
    const std::string sentence = std::move(what);
    stop(make_error(sentence));
  }
  Fiber& own = *this_thread->fiber;
  IgnoreAccesses::end_all();
  release(&end_);
  own.leave_to(host_);
}

std::exception_ptr KernelRun::make_error(const std::string& what) const {
  const GpuThread& thread = *this_thread;
  return std::make_exception_ptr(
      Error(ErrorCode::kInternal, "thread " + std::to_string(thread.index) + " of block " +
                                      std::to_string(thread.block->index) + " " + what + "; " +
                                      describe_launch()));
}

std::string KernelRun::describe_launch() const {
  return "kernel of " + std::to_string(shape_.blocks) + " blocks of " +
         std::to_string(shape_.threads) + " threads with " + std::to_string(shape_.shared_bytes) +
         " bytes of shared memory" + (shape_.cooperative ? ", cooperative" : "") + ", launch " +
         std::to_string(name_.number) + " of stream " + std::to_string(name_.stream) +
         " of simt:" + std::to_string(name_.device) +
         ", MILLRACE_SIMT_SEED=" + std::to_string(seed_);
}

}  // namespace millrace::simt
