// The threads of a oneTBB arena.
#ifndef MILLRACE_BACKENDS_TBB_TBB_THREADS_H_
#define MILLRACE_BACKENDS_TBB_TBB_THREADS_H_

#include <tbb/task_arena.h>

#include <memory>

#include <millrace/backends/cpu/cpu_threads.h>

namespace millrace::tbb_backend {

class TbbThreads final : public cpu::CpuThreads {
 public:
  // 0: the arena of the calling thread, with the limits its owner has set; where there are none and
  // a CPU quota allows fewer threads, an arena of that many.
  explicit TbbThreads(int concurrency);

  void enter(const Work& work) override { arena_.execute(work); }
  void isolate(const Work& operation) override;
  int concurrency() const override { return arena_.max_concurrency(); }
  void for_ranges(std::size_t count, std::size_t grain, const RangeWork& work) override;
  std::unique_ptr<Group> make_group() override;

 private:
  tbb::task_arena arena_;
};

}  // namespace millrace::tbb_backend

#endif  // MILLRACE_BACKENDS_TBB_TBB_THREADS_H_
