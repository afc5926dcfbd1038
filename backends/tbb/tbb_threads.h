// SPDX-License-Identifier: Apache-2.0

// The threads of a oneTBB arena.
#ifndef MILLRACE_BACKENDS_TBB_TBB_THREADS_H_
#define MILLRACE_BACKENDS_TBB_TBB_THREADS_H_

#include <tbb/task_arena.h>

#include <memory>
#include <thread>

#include <millrace/backends/cpu/host/cpu_threads.h>

namespace millrace::tbb_backend {

class TbbThreads final : public cpu::CpuThreads {
 public:
  // With 0, uses the arena of the calling thread, with the limits its owner has set. If none are
  // set and a CPU quota allows fewer threads, uses an arena of that size.
  explicit TbbThreads(int concurrency);

  void enter(const Work& work) override;
  void isolate(const Work& operation) override;
  int concurrency() const override { return arena_.max_concurrency(); }
  void for_ranges(std::size_t count, std::size_t grain, const RangeWork& work) override;
  std::unique_ptr<Group> make_group() override;

 private:
  const bool is_makers_;   // True if the queue uses the arena of the thread that made it.
  tbb::task_arena arena_;  // The maker's, or the queue's own.
  // An arena of the same size for threads other than the maker, if `arena_` is the maker's. It
  // lacks the maker's constraints, such as a NUMA node. It takes no memory until it is used.
  tbb::task_arena others_;
  const std::thread::id maker_;
};

static_assert(cpu::ThreadsOfCpu<TbbThreads>);

}  // namespace millrace::tbb_backend

#endif  // MILLRACE_BACKENDS_TBB_TBB_THREADS_H_
