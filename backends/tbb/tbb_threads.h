// SPDX-License-Identifier: Apache-2.0

// The threads of a oneTBB arena.
#ifndef MILLRACE_BACKENDS_TBB_TBB_THREADS_H_
#define MILLRACE_BACKENDS_TBB_TBB_THREADS_H_

#include <millrace/backends/cpu/host/cpu_threads.h>

#include <tbb/task_arena.h>

#include <memory>
#include <thread>

namespace millrace::tbb_backend {

// In a child of fork() whose parent has used oneTBB the calling thread does all work, and oneTBB is
// not called: it has none of its workers there, and a call waits for ever for one that was about to
// change the number of workers.
class TbbThreads final : public cpu::CpuThreads {
 public:
  // With 0, uses the arena of the calling thread, with the limits its owner has set. If none are
  // set and a CPU quota allows fewer threads, uses an arena of that size.
  explicit TbbThreads(int concurrency);
  ~TbbThreads() override;
  TbbThreads(const TbbThreads&) = delete;
  TbbThreads& operator=(const TbbThreads&) = delete;

  void enter(const Work& work) override;
  void isolate(const Work& operation) override;
  int concurrency() const override;
  void for_ranges(std::size_t count, std::size_t grain, const RangeWork& work) override;
  std::unique_ptr<Group> make_group() override;

 private:
  struct Arenas {
    explicit Arenas(int size);

    const bool is_makers;  // True if the queue uses the arena of the thread that made it.
    tbb::task_arena own;   // The maker's, or the queue's own.
    // An arena of the same size for threads other than the maker, if `own` is the maker's. It is
    // without the maker's constraints, such as a NUMA node. It takes no memory until it is used.
    tbb::task_arena others;
    const std::thread::id maker;
  };

  // Null in a child of fork() that does without oneTBB; the parent's arenas are left behind there.
  std::unique_ptr<Arenas> arenas_;
};

static_assert(cpu::ThreadsOfCpu<TbbThreads>);

}  // namespace millrace::tbb_backend

#endif  // MILLRACE_BACKENDS_TBB_TBB_THREADS_H_
