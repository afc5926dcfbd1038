// SPDX-License-Identifier: Apache-2.0

// Work shared by the workers of a parallel loop, in which no thread can be started later.
#ifndef MILLRACE_BACKENDS_KOKKOS_WORKER_GROUP_H_
#define MILLRACE_BACKENDS_KOKKOS_WORKER_GROUP_H_

#include <millrace/backends/cpu/host/cpu_threads.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>

namespace millrace::kokkos {

// The range 0..count-1, which workers take in pieces.
class SharedRanges {
 public:
  SharedRanges(std::size_t count, std::size_t grain, int concurrency,
               const cpu::CpuThreads::RangeWork& work);

  // Number of workers for which there is work, at most `concurrency`.
  int workers() const { return workers_; }

  // Takes and runs pieces until none is left. Each worker's thread calls it.
  void serve(int worker) noexcept;

  // Throws the first exception, if any. Called after all workers have returned.
  void rethrow() const;

 private:
  const std::size_t count_;
  const cpu::CpuThreads::RangeWork& work_;
  const int workers_;
  const std::size_t piece_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::exception_ptr error_;
};

// A Group whose workers wait for work until all of it has ended. A single worker can run it all.
class WorkerGroup final : public cpu::CpuThreads::Group {
 public:
  using Serve = std::function<void(int)>;

  // `start_workers` calls its argument once for each worker, and returns when all calls have
  // returned.
  explicit WorkerGroup(std::function<void(const Serve&)> start_workers);

  void run(cpu::CpuThreads::Work work) override;
  void wait() override;

 private:
  void serve();

  const std::function<void(const Serve&)> start_workers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<cpu::CpuThreads::Work> ready_;
  std::size_t unfinished_ = 0;
};

static_assert(cpu::GroupOfCpu<WorkerGroup>);

}  // namespace millrace::kokkos

#endif  // MILLRACE_BACKENDS_KOKKOS_WORKER_GROUP_H_
