// SPDX-License-Identifier: Apache-2.0

// kUberkernel and kKernelPerType on the CPU: the items run in waves. A wave is one parallel loop
// over the mixed items, or one loop per type. The items that a wave spawns are the next wave.
#ifndef MILLRACE_BACKENDS_CPU_RUN_WAVE_RUNNER_H_
#define MILLRACE_BACKENDS_CPU_RUN_WAVE_RUNNER_H_

#include <millrace/backends/cpu/host/cpu_threads.h>
#include <millrace/backends/cpu/run/join_pool.h>
#include <millrace/backends/cpu/run/kept_lists.h>
#include <millrace/backends/cpu/run/root_items.h>
#include <millrace/backends/cpu/run/task_context.h>
#include <millrace/backends/cpu/run/waiting_work.h>
#include <millrace/backends/cpu/status/run_status.h>
#include <millrace/backends/cpu/status/run_watch.h>
#include <millrace/runtime/auto/automatic_run.h>
#include <millrace/runtime/host/clock/run_clock.h>
#include <millrace/runtime/host/seconds_since.h>
#include <millrace/runtime/tasks/run_report.h>
#include <millrace/runtime/tasks/task_list.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace millrace::cpu {

template <class Set>
class WaveRunner {
 public:
  // Used in an operation of `threads`. `automatic`, if not null, is consulted between waves at
  // the times it chooses.
  WaveRunner(CpuThreads& threads, Policy policy, RunStatus& status, WaitingWork<Set>& waiting,
             AutomaticRun* automatic = nullptr)
      : threads_(threads),
        kept_(threads.kept().of<KeptLists<Set>>()),
        by_type_(policy == Policy::kKernelPerType || Set::kHasPriorities),
        status_(status),
        waiting_(waiting),
        automatic_(automatic),
        workers_(static_cast<std::size_t>(threads.concurrency()) + 1) {
    for (Worker& worker : workers_) worker.state.use(waiting);
    if constexpr (Set::kSpawns) divide_lists();
  }
  WaveRunner(const WaveRunner&) = delete;
  WaveRunner& operator=(const WaveRunner&) = delete;
  ~WaveRunner() {
    if constexpr (Set::kSpawns) kept_.keep(std::move(lists_));
  }

  template <class Roots>
  void run(const Roots& roots, const TypeCounts<Set>& counts) {
    begin_ = RunClock::now();
    run_roots(roots, counts);
    sample();
    while (!status_.stopped() && begin_wave()) {
      run_wave();
      sample();
    }
    if (status_.stopped()) leave_next_wave();
  }

  void add_to(RunReport& report) {
    report.waves += waves_;
    for (Worker& worker : workers_) {
      worker.state.adds.flush();
      worker.state.give_back(waiting_);
      for (std::size_t tag = 0; tag < Set::kTypes; ++tag) {
        report.tasks_by_type[tag] += worker.state.tasks_run[tag];
      }
    }
  }

  void add_to(StoppedWork<Set>& stopped) {
    for (Worker& worker : workers_) stopped.add(worker.state);
  }

 private:
  using Lists = std::span<WorkerList<Set>>;  // One list, or one per type; none if no task spawns.

  struct alignas(128) Worker {
    template <class T>
    void spawn(const T& task) {
      next[next.size() == 1 ? 0 : Set::template tag_of<T>()].tasks.push(task);
    }

    void start(JoinRecord<Set>& record) {
      next[next.size() == 1 ? 0 : record.tag].tasks.push(record.tag, record.continuation);
      state.joins.give_back(record);
    }

    WorkerState<Set> state;
    Lists now;
    Lists next;
  };

  // Takes lists that earlier runs have kept. Those that are filled first are the same in each run.
  void divide_lists() {
    const std::size_t groups = by_type_ ? Set::kTypes : 1;
    lists_ = kept_.take(2 * groups * workers_.size());
    Lists rest(lists_);
    const auto take = [&rest, groups] {
      const Lists taken = rest.first(groups);
      rest = rest.subspan(groups);
      return taken;
    };
    for (Worker& worker : workers_) worker.next = take();
    for (Worker& worker : workers_) worker.now = take();
  }

  // Calls body(begin, end, worker) for ranges that cover 0..count-1; CpuThreads chooses the ranges.
  template <class Body>
  void for_each_item(std::size_t count, const Body& body) {
    threads_.for_ranges(count, 1, [this, &body](std::size_t begin, std::size_t end, int thread) {
      body(begin, end, workers_[static_cast<std::size_t>(thread)]);
    });
  }

  template <class Roots>
  void run_roots(const Roots& roots, const TypeCounts<Set>& counts) {
    if (roots.size() > 0) ++waves_;
    if (!by_type_ || Set::kTypes == 1) {
      for_each_item(roots.size(), [&](std::size_t begin, std::size_t end, Worker& worker) {
        run_batch(roots, Batch{begin, end}, worker, status_);
      });
      return;
    }
    for (const TaskTag tag : Set::kByPriority) {
      if (status_.stopped() && !status_.keeps_unfinished()) {
        workers_.front().state.tasks_left[tag] += counts[tag];
        continue;
      }
      const auto indices = gather_type(roots, tag, counts[tag]);
      for_each_item(indices.size(), [&](std::size_t begin, std::size_t end, Worker& worker) {
        run_batch(roots, Batch{begin, end, indices.data()}, worker, status_);
      });
    }
  }

  // Between waves: leaves the following ones to another policy, if it is predicted to be faster, or
  // a fraction of their tasks to other devices that wait.
  void sample() {
    if (waiting_.participant != nullptr && waiting_.participant->wanted() > 0) {
      return status_.cancel(kStoppedToSample, /*keeps=*/true);
    }
    if (automatic_ == nullptr) return;
    const RunClock::time_point now = RunClock::now();
    if (now - begin_ < automatic_->sample_after()) return;
    RunSample run_sample{.seconds = seconds_between(begin_, now),
                         .waves = static_cast<double>(waves_)};
    for (const Worker& worker : workers_) {
      for (const std::uint64_t tasks : worker.state.tasks_run) {
        run_sample.tasks += static_cast<double>(tasks);
      }
      for (const auto& [tasks] : worker.next) {
        run_sample.pending += static_cast<double>(tasks.size());
      }
    }
    if (run_sample.pending > 0 && automatic_->changes_policy(run_sample)) {
      status_.cancel(kStoppedToSample, /*keeps=*/true);
    }
  }

  // Makes the spawned items the current wave; returns false if there are none.
  bool begin_wave() {
    bool any = false;
    for (Worker& worker : workers_) {
      std::swap(worker.now, worker.next);
      worker.state.joins.let_others_know();
      for (auto& [tasks] : worker.next) tasks.clear();
      for (const auto& [tasks] : worker.now) any = any || !tasks.empty();
    }
    waves_ += any ? 1 : 0;
    return any;
  }

  void run_wave() {
    const std::size_t groups = workers_.front().now.size();
    for (std::size_t i = 0; i < groups; ++i) {
      const std::size_t group = groups == 1 ? 0 : Set::kByPriority[i];
      ends_.clear();
      std::size_t count = 0;
      for (const Worker& worker : workers_)
        ends_.push_back(count += worker.now[group].tasks.size());
      for_each_item(count, [&](std::size_t begin, std::size_t end, Worker& worker) {
        run_piece_of_wave(group, begin, end, worker);
      });
    }
  }

  // Runs items begin..end-1 of the workers' lists, concatenated.
  void run_piece_of_wave(std::size_t group, std::size_t begin, std::size_t end, Worker& worker) {
    std::size_t owner = std::upper_bound(ends_.begin(), ends_.end(), begin) - ends_.begin();
    while (begin < end) {
      const std::size_t first = owner == 0 ? 0 : ends_[owner - 1];
      const std::size_t last = std::min(end, ends_[owner]);
      run_batch(workers_[owner].now[group].tasks, Batch{begin - first, last - first}, worker,
                status_);
      begin = last;
      ++owner;
    }
  }

  void leave_next_wave() {
    for (Worker& worker : workers_) {
      for (const auto& [tasks] : worker.next) {
        leave_batch(tasks.view(), Batch{0, tasks.size()}, worker.state, status_);
      }
    }
  }

  CpuThreads& threads_;
  KeptLists<Set>& kept_;
  const bool by_type_;
  RunStatus& status_;
  WaitingWork<Set>& waiting_;
  AutomaticRun* const automatic_;
  RunClock::time_point begin_;
  std::vector<Worker> workers_;
  std::vector<WorkerList<Set>> lists_;  // The lists of all workers.
  std::vector<std::size_t> ends_;
  std::uint64_t waves_ = 0;
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_RUN_WAVE_RUNNER_H_
