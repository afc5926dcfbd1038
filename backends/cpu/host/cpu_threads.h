// SPDX-License-Identifier: Apache-2.0

// The threads that work on the CPU runs on: those of a oneTBB arena, or of a Kokkos execution
// space.
#ifndef MILLRACE_BACKENDS_CPU_HOST_CPU_THREADS_H_
#define MILLRACE_BACKENDS_CPU_HOST_CPU_THREADS_H_

#include <cstddef>
#include <functional>
#include <memory>

namespace millrace::cpu {

// What a backend of the CPU has instead of a vendor's API. One object a queue; calls of one queue
// follow each other, but come from any thread.
class CpuThreads {
 public:
  using Work = std::function<void()>;
  // Items begin..end-1, by thread number `thread`, from 0 to concurrency(): no two run at a time
  // that have the same.
  using RangeWork = std::function<void(std::size_t begin, std::size_t end, int thread)>;

  // Work that is joined together and may add to itself.
  class Group {
   public:
    virtual ~Group() = default;
    // From any thread that is part of the group, or before wait(). `work` must not throw and must
    // not wait for other work of the group, which may be run before, beside or after it.
    virtual void run(Work work) = 0;
    // Lends the calling thread, and returns when nothing is left.
    virtual void wait() = 0;
  };

  virtual ~CpuThreads() = default;

  // Calls `work` on the calling thread, for which the others are then within reach.
  virtual void enter(const Work& work) = 0;

  // Calls one operation of the queue, inside enter(). Where it waits for the other threads its
  // thread is given no work that may wait for this queue.
  virtual void isolate(const Work& operation) = 0;

  // The rest is for operations.
  virtual int concurrency() const = 0;

  // Calls work(begin, end, thread) for ranges that make up 0..count-1, of `grain` items or more
  // but for the last. The first exception is thrown when all have ended.
  virtual void for_ranges(std::size_t count, std::size_t grain, const RangeWork& work) = 0;

  virtual std::unique_ptr<Group> make_group() = 0;
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_HOST_CPU_THREADS_H_
