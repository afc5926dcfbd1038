// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/kokkos/worker_group.h>

#include <algorithm>
#include <utility>

namespace millrace::kokkos {
namespace {

// Approximate number of pieces per worker: enough for balance, but not so many that there is
// contention at the counter.
constexpr std::size_t kPiecesEach = 16;

}  // namespace

SharedRanges::SharedRanges(std::size_t count, std::size_t grain, int concurrency,
                           const cpu::CpuThreads::RangeWork& work)
    : count_(count),
      work_(work),
      workers_(static_cast<int>(std::min<std::size_t>((count + grain - 1) / grain,
                                                      static_cast<std::size_t>(concurrency)))),
      piece_(std::max(grain, count / (kPiecesEach * static_cast<std::size_t>(workers_)))) {}

void SharedRanges::serve(int worker) noexcept {
  try {
    for (std::size_t begin = next_.fetch_add(piece_); begin < count_;
         begin = next_.fetch_add(piece_)) {
      work_(begin, std::min(begin + piece_, count_), worker);
    }
  } catch (...) {
    next_.store(count_);
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
  }
}

void SharedRanges::rethrow() const {
  if (error_) std::rethrow_exception(error_);
}

WorkerGroup::WorkerGroup(std::function<void(const Serve&)> start_workers)
    : start_workers_(std::move(start_workers)) {}

void WorkerGroup::run(cpu::CpuThreads::Work work) {
  {
    const std::lock_guard lock(mutex_);
    ready_.push_back(std::move(work));
    ++unfinished_;
  }
  changed_.notify_one();
}

void WorkerGroup::wait() {
  start_workers_([this](int /*worker*/) { serve(); });
}

void WorkerGroup::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return !ready_.empty() || unfinished_ == 0; });
    if (ready_.empty()) return;
    const cpu::CpuThreads::Work work = std::move(ready_.front());
    ready_.pop_front();
    lock.unlock();
    work();
    lock.lock();
    if (--unfinished_ == 0) changed_.notify_all();
  }
}

}  // namespace millrace::kokkos
