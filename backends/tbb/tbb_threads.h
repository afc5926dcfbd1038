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
  // 0: the arena of the calling thread, with the limits its owner has set; where there are none and
  // a CPU quota allows fewer threads, an arena of that many.
  explicit TbbThreads(int concurrency);

  void enter(const Work& work) override;
  void isolate(const Work& operation) override;
  int concurrency() const override { return arena_.max_concurrency(); }
  void for_ranges(std::size_t count, std::size_t grain, const RangeWork& work) override;
  std::unique_ptr<Group> make_group() override;

 private:
  const bool is_makers_;   // The queue uses the arena of the thread that made it.
  tbb::task_arena arena_;  // The maker's, or one of the queue's own.
  // Other threads than the maker enter this one of the same size where the first is the maker's. It
  // has none of the maker's constraints, such as a NUMA node. It takes no memory until then.
  tbb::task_arena others_;
  const std::thread::id maker_;
};

}  // namespace millrace::tbb_backend

#endif  // MILLRACE_BACKENDS_TBB_TBB_THREADS_H_
