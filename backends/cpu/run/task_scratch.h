// SPDX-License-Identifier: Apache-2.0

// The scratch of one task (Context::scratch in runtime/tasks/task.h) on the CPU.
#ifndef MILLRACE_BACKENDS_CPU_RUN_TASK_SCRATCH_H_
#define MILLRACE_BACKENDS_CPU_RUN_TASK_SCRATCH_H_

#include <millrace/backends/cpu/run/worker_state.h>
#include <millrace/runtime/tasks/internal/scratch_cursor.h>

#include <cstddef>
#include <memory>

namespace millrace::cpu {

// Takes a block of the worker with the first call of take(), until release().
class TaskScratch {
 public:
  // Returns `count` elements. Throws kInvalidArgument if all calls together request more than
  // `most` bytes.
  template <class T, class Set>
  T* take(WorkerState<Set>& worker, std::size_t count, std::size_t most) {
    const std::size_t begin = cursor_.place<T>(count, most);
    return reinterpret_cast<T*>(block_of(worker) + begin);
  }

  template <class Set>
  void release(WorkerState<Set>& worker) {
    if (Set::kScratchBytes == 0 || block_ == nullptr) return;
    --worker.scratch_in_use;
    block_ = nullptr;
    cursor_.reset();
  }

 private:
  template <class Set>
  std::byte* block_of(WorkerState<Set>& worker) {
    if (block_ == nullptr) {
      const std::size_t mine = worker.scratch_in_use++;
      if (mine == worker.scratch.size()) {
        worker.scratch.push_back(std::make_unique<std::byte[]>(Set::kScratchBytes));
      }
      block_ = worker.scratch[mine].get();
    }
    return block_;
  }

  std::byte* block_ = nullptr;
  ScratchCursor cursor_;
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_RUN_TASK_SCRATCH_H_
