// SPDX-License-Identifier: Apache-2.0

// The threads of a Kokkos execution space of the host: Serial, OpenMP.
#ifndef MILLRACE_BACKENDS_KOKKOS_KOKKOS_THREADS_H_
#define MILLRACE_BACKENDS_KOKKOS_KOKKOS_THREADS_H_

#include <millrace/backends/cpu/host/cpu_threads.h>
#include <millrace/backends/kokkos/kokkos_runtime.h>
#include <millrace/backends/kokkos/worker_group.h>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace millrace::kokkos {

// Every loop is a Kokkos::parallel_for over workers. One thread may run several workers one after
// another, so no worker waits for another that has not begun. An execution space runs one loop at a
// time, so loops of several queues of one space run one after another, and a task must not wait for
// another queue's.
template <class Space>
class KokkosThreads final : public cpu::CpuThreads {
 public:
  // `concurrency` is the largest number of threads, or 0 for that of the instance. Requires
  // initialize().
  KokkosThreads(Space instance, int concurrency)
      : concurrency_(concurrency == 0 ? instance.concurrency()
                                      : std::min<int>(concurrency, instance.concurrency())),
        one_at_a_time_(loop_mutex(Space::name())),
        instance_(std::move(instance)),
        at_finalize_([this] {
          const std::lock_guard lock(one_at_a_time_);
          instance_.reset();
        }) {}

  // Throws kDeviceLost after Kokkos has been finalized.
  Space instance() const {
    const std::lock_guard lock(one_at_a_time_);
    if (!instance_) throw_finalized();
    return *instance_;
  }

  void enter(const Work& work) override { work(); }
  void isolate(const Work& operation) override { operation(); }
  int concurrency() const override { return concurrency_; }

  void for_ranges(std::size_t count, std::size_t grain, const RangeWork& work) override {
    if (count == 0) return;
    SharedRanges ranges(count, grain, concurrency_, work);
    for_each_worker(ranges.workers(), [&ranges](int worker) { ranges.serve(worker); });
    ranges.rethrow();
  }

  std::unique_ptr<Group> make_group() override {
    return std::make_unique<WorkerGroup>(
        [this](const std::function<void(int)>& serve) { for_each_worker(concurrency_, serve); });
  }

 private:
  struct CallWorker {
    const std::function<void(int)>* work;
    void operator()(int worker) const { (*work)(worker); }
  };

  void for_each_worker(int workers, const std::function<void(int)>& work) {
    using Loop =
        Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Static>, Kokkos::IndexType<int>>;
    const std::lock_guard lock(one_at_a_time_);
    if (!instance_) throw_finalized();
    Kokkos::parallel_for("millrace", Loop(*instance_, 0, workers), CallWorker{&work});
    instance_->fence();
  }

  const int concurrency_;
  std::mutex& one_at_a_time_;
  std::optional<Space> instance_;
  const AtFinalize at_finalize_;
};

static_assert(cpu::ThreadsOfCpu<KokkosThreads<Kokkos::DefaultHostExecutionSpace>>);

}  // namespace millrace::kokkos

#endif  // MILLRACE_BACKENDS_KOKKOS_KOKKOS_THREADS_H_
