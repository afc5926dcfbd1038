// SPDX-License-Identifier: Apache-2.0

// The threads on which CPU work runs: those of a oneTBB arena, or of a Kokkos execution space.
#ifndef MILLRACE_BACKENDS_CPU_HOST_CPU_THREADS_H_
#define MILLRACE_BACKENDS_CPU_HOST_CPU_THREADS_H_

#include <millrace/backends/cpu/host/kept_objects.h>

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>

namespace millrace::cpu {

// The interface to a CPU backend's threads, as a vendor's API is to a GPU. Each queue has one
// object. Calls of one queue are sequential, but come from any thread.
class CpuThreads {
 public:
  using Work = std::function<void()>;
  // Processes items begin..end-1. `thread`, from 0 to concurrency(), is a number that no two calls
  // have at the same time.
  using RangeWork = std::function<void(std::size_t begin, std::size_t end, int thread)>;

  // Work that is joined as a whole and may add more work to itself.
  class Group {
   public:
    virtual ~Group() = default;
    // Adds work. Called from any thread that runs work of the group, or before wait(). `work` must
    // not throw, and must not wait for other work of the group, which may run before, beside or
    // after it.
    virtual void run(Work work) = 0;
    // Runs work on the calling thread too, and returns when none is left.
    virtual void wait() = 0;
  };

  virtual ~CpuThreads() = default;

  // Calls `work` on the calling thread, from which work can then be distributed to the others.
  virtual void enter(const Work& work) = 0;

  // Calls one operation of the queue, inside enter(). While the operation waits for the other
  // threads, its thread gets no work that may wait for this queue.
  virtual void isolate(const Work& operation) = 0;

  // Used in operations only:
  virtual int concurrency() const = 0;

  // Calls work(begin, end, thread) for ranges that cover 0..count-1. All ranges but the last have
  // `grain` items or more. When all calls have ended, throws the first exception.
  virtual void for_ranges(std::size_t count, std::size_t grain, const RangeWork& work) = 0;

  virtual std::unique_ptr<Group> make_group() = 0;

  // Used in operations only. Returns the objects that operations leave to later ones.
  KeptObjects& kept() { return kept_; }

 private:
  KeptObjects kept_;
};

// True if T is a complete implementation of CpuThreads.
template <class T>
concept ThreadsOfCpu = std::derived_from<T, CpuThreads> && !std::is_abstract_v<T>;

// True if T is a complete implementation of CpuThreads::Group.
template <class T>
concept GroupOfCpu = std::derived_from<T, CpuThreads::Group> && !std::is_abstract_v<T>;

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_HOST_CPU_THREADS_H_
