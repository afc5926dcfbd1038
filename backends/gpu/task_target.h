// Compiles task sets for a GPU (see runtime/run_tasks.h). Each target's own task_target.h says
// which.
#ifndef MILLRACE_BACKENDS_GPU_TASK_TARGET_H_
#define MILLRACE_BACKENDS_GPU_TASK_TARGET_H_

#include <new>
#include <utility>

#include <millrace/backends/gpu/gpu_queue.h>
#include <millrace/backends/gpu/task_runner.h>
#include <millrace/runtime/error.h>
#include <millrace/runtime/run_tasks.h>

namespace millrace::MILLRACE_GPU {

// kAuto, for now by rule. A flat queue is one wave. Of queues that grow, waves win above about
// 27,000 tasks a wave and persistent threads below about 4,000 (prototypes on an H200, 2026-11-20);
// how many roots there are is all that is known at the start.
template <class Set>
Policy automatic_policy(std::size_t roots) {
  constexpr std::size_t kManyRoots = 16'384;
  return !Set::kSpawns || roots >= kManyRoots ? Policy::kUberkernel : Policy::kPersistentThreads;
}

template <class Roots>
void run_on_gpu(Queue& queue, TaskRun<Roots> run) {
  auto& gpu_queue = static_cast<GpuQueue&>(queue);
  const auto start = run.caller_waits ? GpuQueue::Start::kAtWait : GpuQueue::Start::kNow;
  const char* const name = to_string(run.options.policy);
  gpu_queue.enqueue(
      [&gpu_queue, run = std::move(run)] {
        using Set = typename Roots::Set;
        const Policy asked = run.options.policy;
        const Policy policy =
            asked == Policy::kAuto ? automatic_policy<Set>(run.roots->size()) : asked;
        try {
          *run.report = TaskRunner<Set>(gpu_queue, policy, run.options).run(*run.roots);
        } catch (const std::bad_alloc&) {
          throw Error(ErrorCode::kOutOfMemory, "the host's memory ran out in a run");
        }
      },
      start, name);
}

// Makes run_tasks work for a set on this target: one object of static storage in a source compiled
// for it.
template <class Set>
struct RegisterTasks {
  static_assert(Set::kTypes <= kMaxTypes, "sets that run on GPUs have at most 32 types");

  RegisterTasks() {
    OpTable<RunTasksOp<TaskList<Set>>>::add(kBackend, &run_on_gpu<TaskList<Set>>);
    if constexpr (requires { typename Set::Arguments; }) {
      OpTable<RunTasksOp<IndexedTasks<Set>>>::add(kBackend, &run_on_gpu<IndexedTasks<Set>>);
    }
  }
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_TASK_TARGET_H_
