// The threads of a oneTBB arena.
#ifndef MILLRACE_BACKENDS_TBB_TBB_THREADS_H_
#define MILLRACE_BACKENDS_TBB_TBB_THREADS_H_

#include <tbb/task_arena.h>

#include <memory>
#include <thread>

#include <millrace/backends/cpu/cpu_threads.h>

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
  tbb::task_arena arena_;   // The maker's, or one of `concurrency`.
  tbb::task_arena others_;  // Entered by every other thread; the same size, a slot of it for them.
  const bool is_makers_;    // The arena was the maker's before the queue was made.
  const std::thread::id maker_;
};

}  // namespace millrace::tbb_backend

#endif  // MILLRACE_BACKENDS_TBB_TBB_THREADS_H_
