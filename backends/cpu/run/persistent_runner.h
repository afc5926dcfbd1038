// SPDX-License-Identifier: Apache-2.0

// kPersistentThreads on the CPU: each worker has its own deque; workers take, run and spawn items
// until none is pending, and steal from each other.
//
// A worker's spawned items are on a private stack without atomics. Its shard is the items that
// others may steal. Whenever the shard is empty, the worker moves the oldest half of its stack
// there; if the last worker that stole from it waits for work, it gives that one its oldest item
// instead, which moves fewer cache lines (hand_off.h). A worker that finds no work returns its
// thread, and a worker that shares items calls one back. So the run can end without all threads
// being present, and no thread spins while another runs a long task. A stopped run leaves all items
// where they are, and can be resumed.
#ifndef MILLRACE_BACKENDS_CPU_RUN_PERSISTENT_RUNNER_H_
#define MILLRACE_BACKENDS_CPU_RUN_PERSISTENT_RUNNER_H_

#include <millrace/backends/cpu/host/cpu_threads.h>
#include <millrace/backends/cpu/run/hand_off.h>
#include <millrace/backends/cpu/run/join_pool.h>
#include <millrace/backends/cpu/run/pending_sums.h>
#include <millrace/backends/cpu/run/prioritized_stack.h>
#include <millrace/backends/cpu/run/root_items.h>
#include <millrace/backends/cpu/run/task_context.h>
#include <millrace/backends/cpu/run/task_sharing.h>
#include <millrace/backends/cpu/run/waiting_work.h>
#include <millrace/backends/cpu/run/work_range.h>
#include <millrace/backends/cpu/status/run_status.h>
#include <millrace/runtime/auto/automatic_run.h>
#include <millrace/runtime/host/clock/run_clock.h>
#include <millrace/runtime/host/pause_core.h>
#include <millrace/runtime/host/seconds_since.h>
#include <millrace/runtime/tasks/run_report.h>
#include <millrace/runtime/tasks/task_list.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace millrace::cpu {

template <class Roots>
class PersistentRunner {
  using Set = typename Roots::Set;

 public:
  // Is used in an operation of `threads`.
  PersistentRunner(CpuThreads& threads, const Roots& roots, RunStatus& status,
                   WaitingWork<Set>& waiting)
      : threads_(threads),
        roots_(roots),
        status_(status),
        waiting_(waiting),
        workers_(static_cast<std::size_t>(threads.concurrency())) {
    const std::size_t portion = roots.size() / workers_.size();
    const std::size_t extra = roots.size() % workers_.size();
    std::size_t begin = 0;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      const std::size_t end = begin + portion + (i < extra ? 1 : 0);
      workers_[i].has_others = workers_.size() > 1;
      workers_[i].last_thief = &workers_[(i + 1) % workers_.size()];
      workers_[i].roots.assign(
          {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
      workers_[i].status = &status;
      workers_[i].state.use(waiting);
      begin = end;
    }
    if constexpr (Set::kOpensJoins) {
      status.set_on_stop([this] {
        for (Worker& worker : workers_) worker.stop_nesting();
      });
    }
  }
  ~PersistentRunner() { status_.set_on_stop({}); }
  PersistentRunner(const PersistentRunner&) = delete;
  PersistentRunner& operator=(const PersistentRunner&) = delete;

  void run() {
    // Workers without roots are called back when there is work to steal.
    const std::size_t started = std::clamp<std::size_t>(roots_.size(), 1, workers_.size());
    for (std::size_t i = started; i < workers_.size(); ++i) retired_.push_back(&workers_[i]);
    run_workers(started);
  }

  // Resumes a run that was cancelled with its unstarted items kept, after the cancellation was
  // withdrawn.
  void resume() {
    for (Worker& worker : workers_) {
      take_back(worker);
      worker.state.trace.last_task.clear();
      worker.state.trace.is_running = false;
    }
    retired_.clear();
    run_workers(workers_.size());
  }

  // Returns the progress of the run so far. Called between run() and resume().
  RunSample take_sample() const {
    RunSample sample{.seconds = seconds_between(begin_, RunClock::now())};
    for (const Worker& worker : workers_) {
      for (const std::uint64_t tasks : worker.state.tasks_run) {
        sample.tasks += static_cast<double>(tasks);
      }
      sample.pending += static_cast<double>(worker.pending());
    }
    return sample;
  }

  // Gives the oldest tasks to other devices; returns false if there are none to give. Called
  // between run() and resume().
  bool give(Participant<Set>& participant) {
    std::size_t waiting = 0;
    for (Worker& worker : workers_) {
      take_back(worker);
      waiting += worker.pending();
    }
    std::size_t left = tasks_to_give(participant.wanted(), waiting);
    TaskList<Set> given;
    for (Worker& worker : workers_) {
      // From each worker its portion of those left, rounded up.
      const std::size_t own = worker.pending();
      std::size_t count = own == 0 ? 0 : (own * left + waiting - 1) / waiting;
      count = std::min({count, own, left});
      waiting -= own;
      left -= count;
      take_oldest(worker, count, given);
    }
    participant.give(given);
    return !given.empty();
  }

  void add_to(RunReport& report) {
    for (Worker& worker : workers_) {
      if constexpr (Set::kOpensJoins) {
        PendingSums::flush(worker.state.adds, std::exchange(worker.sums, {}));
      }
      worker.state.adds.flush();
      worker.state.give_back(waiting_);
      report.steals += worker.steals;
      for (std::size_t tag = 0; tag < Set::kTypes; ++tag) {
        report.tasks_by_type[tag] += worker.state.tasks_run[tag];
      }
    }
  }

  // Called after run().
  void add_to(StoppedWork<Set>& stopped) {
    for (Worker& worker : workers_) {
      const WorkRange::Items items = worker.roots.take_all();
      leave_batch(roots_.view(), Batch{items.begin, items.end}, worker.state, status_);
      leave_stack(worker.own, worker.state);
      leave_stack(worker.shared, worker.state);
      stopped.add(worker.state);
    }
  }

 private:
  static constexpr std::uintptr_t kNestedBytes = 32 << 10;  // Part of a thread's stack.

  static std::uintptr_t address_on_stack() {
    return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  }

  struct alignas(128) Worker {
    template <class T>
    void spawn(const T& task) {
      if constexpr (Set::kHasPriorities) stop_nesting_before(Set::template tag_of<T>());
      own.push(task);
    }

    // Used only by sets that open joins, like all that is about nesting.
    void start(JoinRecord<Set>& record) {
      if constexpr (Set::kHasPriorities) stop_nesting_before(record.tag);
      own.push(record.tag, record.continuation);
      state.joins.give_back(record);
    }

    bool may_nest() const {
#if defined(__x86_64__)
      // The same in one instruction, and without the register that a frame's address needs.
      bool may;
      asm("cmp %%rsp, %1"
          : "=@ccb"(may)
          : "m"(reinterpret_cast<const std::uintptr_t&>(nests_above)));
      return may;
#else
      return address_on_stack() > nests_above.load(std::memory_order_relaxed);
#endif
    }
    void stop_nesting() { nests_above.store(kNever, std::memory_order_relaxed); }

    // Lets tasks nest if this worker has tasks to share, and the others have tasks to steal.
    void update_nesting(std::uintptr_t lowest) {
      constexpr std::size_t kEnough = 4;
      const bool may = own.size() >= kEnough && others_have_work();
      const std::uintptr_t now = may ? lowest : kNever;
      if (nests_above.load(std::memory_order_relaxed) == now) return;
      nests_above.store(now, std::memory_order_relaxed);
      if (!may) return;
      // Pairs with the fences of take_shared() and RunStatus: either the store of kNever there
      // comes after the one here, or this thread observes its reason.
      std::atomic_thread_fence(std::memory_order_seq_cst);
      if (status->stopped() || !others_have_work()) stop_nesting();
    }
    bool others_have_work() const {
      return !has_others || shared_count.load(std::memory_order_relaxed) > 0;
    }

    // Tests first what is in the cache of this worker's core.
    bool stopped() const {
      return nests_above.load(std::memory_order_relaxed) == kNever && status->stopped();
    }

    std::size_t pending() const {
      return roots.size() + state.unstarted.size() + own.size() + shared.size();
    }

    // Called before a task is pushed. If the task is urgent, no other runs before it inside a
    // spawner.
    void stop_nesting_before(TaskTag tag) {
      if (Set::kPriorities[tag] != Set::kPriorities[Set::kByPriority.back()]) stop_nesting();
    }

    static constexpr std::uintptr_t kNever = std::numeric_limits<std::uintptr_t>::max();

    WorkerState<Set> state;
    RunStatus* status = nullptr;
    PendingSums sums;
    TaskStackOf<Set> own;
    // A spawned task runs inside its spawner if the thread's stack has not grown below this
    // address. Thieves set it to kNever when they have taken all shared tasks, and whoever stops
    // the run.
    std::atomic<std::uintptr_t> nests_above = kNever;
    bool has_others = false;  // The run has other workers.
    std::uint64_t steals = 0;
    HandOff<Set> hand_off;
    alignas(128) WorkRange roots;
    std::atomic<std::size_t> shared_count = 0;  // shared.size(), readable without the lock.
    std::mutex mutex;
    TaskStackOf<Set> shared;
    std::atomic<Worker*> last_thief = nullptr;  // Initially the next worker.
  };

  // Starts the first `count` workers; the others have retired.
  void run_workers(std::size_t count) {
    retired_count_.store(retired_.size(), std::memory_order_relaxed);
    group_ = threads_.make_group();
    for (std::size_t i = 0; i < count; ++i) start(workers_[i]);
    group_->wait();
  }

  void start(Worker& worker) {
    group_->run([this, &worker] { work(worker); });
  }

  void work(Worker& self) {
    try {
      do {
        while (!status_.stopped() &&
               (run_own(self) || take_shared(self, self) || run_roots(self) || steal(self))) {
        }
      } while (!status_.stopped() && find_more(self));
    } catch (...) {
      status_.stop_with_current_exception();
    }
  }

  // Runs items until the private stack is empty; returns false if it was empty.
  bool run_own(Worker& self) {
    if (self.own.empty()) return false;
    const std::uintptr_t lowest = address_on_stack() - kNestedBytes;
    run_burst<Set>(self, status_, [&](auto& context) {
      while (!self.own.empty()) {
        bool is_stopped = false;
        self.own.pop_to([&]<class T>(const T& task) {
          if (self.has_others && !self.own.empty() &&
              self.shared_count.load(std::memory_order_relaxed) == 0) {
            if (!give_to_last_thief(self)) share(self);
          }
          if constexpr (Set::kOpensJoins) self.update_nesting(lowest);
          self.state.trace.last_type = Set::template tag_of<T>();
          context.run(task);
          is_stopped = status_.stopped();
          // A copy: the members of a task whose address no call gets stay in registers.
          if (is_stopped) self.state.was_running(T(task));
        });
        if (is_stopped) break;
      }
    });
    if constexpr (Set::kOpensJoins) self.stop_nesting();
    return true;
  }

  // Takes back the rest, which is short, of the last batch that a worker ran.
  void take_back(Worker& worker) {
    const TaskList<Set> rest = std::exchange(worker.state.unstarted, {});
    const auto items = rest.view();
    for (std::size_t i = 0; i < rest.size(); ++i) {
      visit_type<Set>(items.tag(i), [&]<class T>() { worker.own.push(items.template get<T>(i)); });
    }
    worker.state.tasks_left = {};
  }

  // Moves `count` of the worker's tasks to a list: those it shares, its own, then its roots.
  void take_oldest(Worker& worker, std::size_t count, TaskList<Set>& list) {
    for (TaskStackOf<Set>* const stack : {&worker.shared, &worker.own}) {
      TaskStackOf<Set> oldest;
      const std::size_t taken = std::min(count, stack->size());
      stack->move_oldest_to(oldest, taken);
      count -= taken;
      while (!oldest.empty()) {
        const auto item = oldest.pop();
        list.push(item.tag, item.slot);
      }
    }
    worker.shared_count.store(worker.shared.size(), std::memory_order_relaxed);
    if (count == 0) return;
    WorkRange::Items roots = worker.roots.take_all();
    const auto items = roots_.view();
    for (; count > 0; --count) {
      const std::uint32_t index = --roots.end;
      visit_type<Set>(items.tag(index), [&]<class T>() {
        if constexpr (Roots::template kIsRoot<T>) list.push(items.template get<T>(index));
      });
    }
    worker.roots.assign(roots);
  }

  void leave_stack(TaskStackOf<Set>& stack, WorkerState<Set>& state) {
    while (!stack.empty()) {
      const auto item = stack.pop();
      ++state.tasks_left[item.tag];
      if (status_.keeps_unfinished()) state.unstarted.push(item.tag, item.slot);
    }
  }

  bool run_roots(Worker& self) {
    if constexpr (Set::kHasPriorities) return push_roots(self);
    const WorkRange::Items items = self.roots.take();
    if (items.empty()) return false;
    if (!self.roots.empty()) call_back_worker();
    run_batch(roots_, Batch{items.begin, items.end}, self, status_);
    return true;
  }

  // Moves this worker's roots to its stack, so that they run in order of priority with what they
  // spawn. Returns false if there are none.
  bool push_roots(Worker& self) {
    const WorkRange::Items roots = self.roots.take_all();
    const auto items = roots_.view();
    for (std::uint32_t i = roots.begin; i < roots.end; ++i) {
      visit_type<Set>(items.tag(i), [&]<class T>() {
        if constexpr (Roots::template kIsRoot<T>) self.own.push(items.template get<T>(i));
      });
    }
    return !roots.empty();
  }

  // Moves the oldest half of the private stack to the shard, but at most kMaxShared items: more
  // would only be copied back and forth.
  void share(Worker& self) {
    {
      const std::lock_guard lock(self.mutex);
      self.own.move_oldest_to(self.shared, std::min((self.own.size() + 1) / 2, kMaxShared));
      self.state.joins.let_others_know();
      self.shared_count.store(self.shared.size(), std::memory_order_relaxed);
    }
    call_back_worker();
  }

  // Gives the oldest item of the private stack to the last thief. Returns false if that does not
  // wait.
  bool give_to_last_thief(Worker& self) {
    HandOff<Set>& hand_off = self.last_thief.load(std::memory_order_relaxed)->hand_off;
    if (!hand_off.reserve()) return false;
    self.state.joins.let_others_know();
    hand_off.give(self.own.take_oldest());
    return true;
  }

  // Takes the older half of a shard, the worker's own or another's.
  bool take_shared(Worker& self, Worker& victim) {
    if (victim.shared_count.load(std::memory_order_relaxed) == 0) return false;
    const std::lock_guard lock(victim.mutex);
    if (victim.shared.empty()) return false;
    victim.shared.move_oldest_to(self.own, (victim.shared.size() + 1) / 2);
    victim.shared_count.store(victim.shared.size(), std::memory_order_relaxed);
    if (&victim != &self) victim.last_thief.store(&self, std::memory_order_relaxed);
    if constexpr (Set::kOpensJoins) {
      if (victim.shared.empty()) {
        std::atomic_thread_fence(std::memory_order_seq_cst);
        victim.stop_nesting();
      }
    }
    return true;
  }

  bool steal(Worker& self) {
    const std::size_t first = static_cast<std::size_t>(&self - workers_.data());
    for (std::size_t i = 1; i < workers_.size(); ++i) {
      Worker& victim = workers_[(first + i) % workers_.size()];
      bool found = take_shared(self, victim);
      if (!found) {
        const WorkRange::Items items = victim.roots.steal();
        found = !items.empty();
        if (found) self.roots.assign(items);
      }
      if (found) {
        ++self.steals;
        return true;
      }
    }
    return false;
  }

  bool anything_to_steal() const {
    return std::any_of(workers_.begin(), workers_.end(), [](const Worker& worker) {
      return worker.shared_count.load(std::memory_order_relaxed) > 0 || !worker.roots.empty();
    });
  }

  // Searches a little longer, then retires. Returns false if the thread is to leave: either there
  // is no work, or another thread has been called to act as this worker.
  bool find_more(Worker& self) {
    // Polls for some microseconds, which is less than calling a worker back takes. It does not
    // yield, because a yield on a busy machine loses milliseconds. Where all others have retired,
    // nobody could give it work.
    const bool is_last = retired_count_.load(std::memory_order_relaxed) + 1 == workers_.size();
    const int polls = is_last ? 0 : 100;
    bool found = false;
    self.hand_off.begin_waiting();
    for (int poll = 0; poll < polls && !found; ++poll) {
      found = self.hand_off.has_item() || anything_to_steal();
      if (!found) pause_core();
    }
    if (self.hand_off.end_waiting(self.own)) {
      ++self.steals;
      return true;
    }
    if (found) return true;
    {
      const std::lock_guard lock(retired_mutex_);
      retired_.push_back(&self);
      retired_count_.store(retired_.size(), std::memory_order_relaxed);
    }
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return anything_to_steal() && take_from_retired(&self) != nullptr;
  }

  // Removes `worker`, or any worker if null, from the retired ones. Returns null if there is none.
  Worker* take_from_retired(Worker* worker) {
    const std::lock_guard lock(retired_mutex_);
    const auto found =
        worker != nullptr ? std::find(retired_.begin(), retired_.end(), worker) : retired_.begin();
    if (found == retired_.end()) return nullptr;
    Worker* taken = *found;
    retired_.erase(found);
    retired_count_.store(retired_.size(), std::memory_order_relaxed);
    return taken;
  }

  // The fence pairs with the one in find_more: either this thread observes the retired worker, or
  // that worker observes the items that this thread has just made available.
  void call_back_worker() {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (retired_count_.load(std::memory_order_relaxed) == 0) return;
    if (Worker* worker = take_from_retired(nullptr)) start(*worker);
  }

  static constexpr std::size_t kMaxShared = 1024;

  CpuThreads& threads_;
  const Roots& roots_;
  RunStatus& status_;
  WaitingWork<Set>& waiting_;
  std::vector<Worker> workers_;
  std::mutex retired_mutex_;
  std::vector<Worker*> retired_;
  std::atomic<std::size_t> retired_count_ = 0;
  std::unique_ptr<CpuThreads::Group> group_;
  const RunClock::time_point begin_ = RunClock::now();
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_RUN_PERSISTENT_RUNNER_H_
