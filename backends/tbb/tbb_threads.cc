// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/tbb/tbb_threads.h>
#include <millrace/runtime/host/host_cores.h>
#include <millrace/runtime/host/process/process.h>
#include <millrace/runtime/host/process/unload.h>

#include <dlfcn.h>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>
#include <tbb/version.h>

#include <deque>
#include <memory>
#include <new>
#include <utility>

namespace millrace::tbb_backend {
namespace {

class TbbGroup final : public cpu::CpuThreads::Group {
 public:
  ~TbbGroup() noexcept override = default;

  void run(cpu::CpuThreads::Work work) override { group_.run(std::move(work)); }
  void wait() override { group_.wait(); }

 private:
  tbb::task_group group_;
};

static_assert(cpu::GroupOfCpu<TbbGroup>);

// Runs on the thread that waits.
class SerialGroup final : public cpu::CpuThreads::Group {
 public:
  void run(cpu::CpuThreads::Work work) override { waiting_.push_back(std::move(work)); }

  void wait() override {
    while (!waiting_.empty()) {
      const cpu::CpuThreads::Work work = std::move(waiting_.front());
      waiting_.pop_front();
      work();
    }
  }

 private:
  std::deque<cpu::CpuThreads::Work> waiting_;
};

// Returns true in the process in which this library first used oneTBB, and false in its children.
// The library does not know whether the application has used oneTBB.
bool can_use_tbb() {
  static const int first_user = process_generation();
  return process_generation() == first_user;
}

// Returns the number of threads of the queue's own arena, or 0 if the queue uses its maker's.
// oneTBB counts the cores of the affinity mask, and ignores quotas. If the caller's arena has been
// given another size, that size is kept.
int own_size(int concurrency) {
  const int cores = tbb::info::default_concurrency();
  const int usable = host_cores().usable;
  const bool is_limited =
      concurrency == 0 && usable < cores && tbb::this_task_arena::max_concurrency() == cores;
  return is_limited ? usable : concurrency;
}

tbb::task_arena make_arena(int concurrency) {
  return concurrency == 0 ? tbb::task_arena(tbb::task_arena::attach())
                          : tbb::task_arena(concurrency);
}

int initialized_size(tbb::task_arena& arena) {
  arena.initialize();
  return arena.max_concurrency();
}

// Joins oneTBB's workers, because oneTBB may be unloaded with this library. If others in the
// process use it, it stays loaded, and so do its workers.
void end_workers(tbb::task_scheduler_handle& scheduler) {
  if (tbb::finalize(scheduler, std::nothrow)) return;
  Dl_info tbb_library{};
  if (dladdr(reinterpret_cast<void*>(&TBB_runtime_version), &tbb_library) == 0) return;
  dlopen(tbb_library.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

// Keeps oneTBB's workers until the library is unloaded. Without a handle the last arena that goes
// signals them to end and detaches them: nobody can then wait until they have left oneTBB's code.
// The end of the process releases nothing.
void keep_workers() {
  auto scheduler = std::make_unique<tbb::task_scheduler_handle>(tbb::attach{});
  at_unload(UnloadStep::kSchedulers, [held = scheduler.get()] {
    const std::unique_ptr<tbb::task_scheduler_handle> owned(held);
    end_workers(*owned);
  });
  [[maybe_unused]] const auto* const released = scheduler.release();
}

}  // namespace

TbbThreads::Arenas::Arenas(int size)
    : is_makers(size == 0),
      own(make_arena(size)),
      others(initialized_size(own)),
      maker(std::this_thread::get_id()) {
  static const bool kept = (keep_workers(), true);
  static_cast<void>(kept);
}

TbbThreads::TbbThreads(int concurrency) {
  if (can_use_tbb()) arenas_ = std::make_unique<Arenas>(own_size(concurrency));
}

TbbThreads::~TbbThreads() {
  if (can_use_tbb()) return;
  [[maybe_unused]] const Arenas* const left_behind = arenas_.release();
}

// The maker holds a slot of its own arena on whatever thread the work runs. Another thread that
// entered that arena would take a worker's slot, so one core less would be used while the maker is
// elsewhere.
void TbbThreads::enter(const Work& work) {
  if (!can_use_tbb()) return work();
  const bool is_at_home = !arenas_->is_makers || std::this_thread::get_id() == arenas_->maker;
  (is_at_home ? arenas_->own : arenas_->others).execute(work);
}

void TbbThreads::isolate(const Work& operation) {
  if (!can_use_tbb()) return operation();
  // Isolation keeps its thread from taking another task of the arena, which may wait for this
  // queue.
  tbb::this_task_arena::isolate(operation);
}

int TbbThreads::concurrency() const { return can_use_tbb() ? arenas_->own.max_concurrency() : 1; }

// An arena of one admits a second thread for enqueued work, so numbers go up to concurrency().
void TbbThreads::for_ranges(std::size_t count, std::size_t grain, const RangeWork& work) {
  if (count == 0) return;
  if (!can_use_tbb()) return work(0, count, 0);
  if (count == 1) {
    work(0, 1, tbb::this_task_arena::current_thread_index());
    return;
  }
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, grain),
                    [&work](const tbb::blocked_range<std::size_t>& range) {
                      work(range.begin(), range.end(),
                           tbb::this_task_arena::current_thread_index());
                    });
}

std::unique_ptr<cpu::CpuThreads::Group> TbbThreads::make_group() {
  if (!can_use_tbb()) return std::make_unique<SerialGroup>();
  return std::make_unique<TbbGroup>();
}

}  // namespace millrace::tbb_backend
