// SPDX-License-Identifier: Apache-2.0

// Runs units: the tasks, all of one type, that a worker takes at a time.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_UNIT_RUNNER_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_UNIT_RUNNER_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/control/stop.h>
#include <millrace/backends/gpu/device/control/worker_record.h>
#include <millrace/backends/gpu/device/run_memory.h>
#include <millrace/backends/gpu/device/task_context.h>
#include <millrace/backends/gpu/device/worker.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

template <class Set, class Queues>
class UnitRunner {
 public:
  using Own = Worker<Set>;
  static constexpr bool kHolds = kHoldsTasks<Set, Queues>;
  static constexpr bool kUsesLaneStacks = kHasLaneStacks<Set, Queues>;

  MILLRACE_FUNCTION explicit UnitRunner(const Queues& queues) : lane_(queues) {}

  // All members are called by all lanes of the worker.

  // Runs tasks load(0) to load(count - 1), at most a unit. The tasks that they spawn are visible to
  // all lanes afterwards.
  template <class T, class Load>
  MILLRACE_KERNEL_FUNCTION void run(std::uint32_t count, const Load& load) {
    count_run(Set::template tag_of<T>(), count);
    const std::uint32_t own = task_index<T>();
    prepare_joins(own < count ? joins_to_open<T>() : 0);
    if (own < count) {
      const T task = load(own);
      if (is_recorded() && Own::is_leader()) note(task);
      run_one(task);
    }
    if constexpr ((Set::kSpawns && !kHolds) || Set::kScratchBytes > 0) Own::sync();
    exit_if_worker_exits();
    update_lane_state();
  }

  // Runs the `count` tasks that lanes hold, then the tasks that they hold after that, and so on,
  // for at most `max_units` units. Stops early when a lane holds no task, has pushed to a stack,
  // or the run is dropped. Returns the number of units run.
  template <class T>
  MILLRACE_KERNEL_FUNCTION std::uint32_t run_held(std::uint32_t count, std::uint32_t max_units) {
    std::uint32_t units = 0;
    bool stays = false;
    // Only the first unit is recorded; the following ones count as taken with it.
    if (is_recorded()) note_held<T>(count);
    do {
      // Loaded early, because the load takes longer than a short task.
      const Stop stop = block_stop();
      prepare_joins(held().is_held() ? joins_to_open<T>() : 0);
      if (held().is_held()) {
        const T task = held().take();
        run_one(task);
      }
      if constexpr (Set::kScratchBytes > 0) Own::sync();
      exit_if_worker_exits();
      stays = ++units < max_units && stop != kDropped && held().is_held() && !lane_.has_pushed();
    } while (ballot(!stays) == 0);
    count_run(Set::template tag_of<T>(), count * units);
    update_lane_state();
    return units;
  }

  // Each lane runs the newest task of its stack, then the newest after that, and so on, for some
  // microseconds. Stops early when fewer than `least` lanes have tasks, and after one task each if
  // the run had been dropped before the call. Returns the number of tasks run by a lane that had
  // enough.
  MILLRACE_KERNEL_FUNCTION std::uint32_t run_lane_stacks(std::uint32_t least) {
    std::uint32_t units = 0;
    if (is_recorded()) note_newest();
    const std::uint32_t begin = now();
    const Stop stop = block_stop();
    gpu::LaneMask staying = 0;
    do {
      if (ballot(lane_.joins().must_prepare(memory())) != 0) fill_records();
      run_newest();
      Own::sync();  // Lanes whose tasks had different types go on together.
      lane_.stack().arrive_pending(queues(), memory());
      ++units;
      staying = ballot(!lane_.stack().is_empty() && stop != kDropped && now() - begin < kLong);
    } while (units < most_units_ && lanes_in(staying) >= least);
    adapt_units(units, now() - begin);
    Own::sync();
    return units;
  }

  // True if lanes run many tasks in some microseconds.
  MILLRACE_FUNCTION bool are_tasks_short() const { return most_units_ == kMostUnits; }

  // Counts calls of run_lane_stacks() since lanes have been given tasks.
  MILLRACE_FUNCTION void count_quiet_call(bool is_quiet) {
    quiet_calls_ = is_quiet ? quiet_calls_ + 1 : 0;
  }
  MILLRACE_FUNCTION bool is_quiet() const { return quiet_calls_ >= 32; }

  MILLRACE_FUNCTION auto& stack() { return lane_.stack(); }

  MILLRACE_FUNCTION typename LaneContext<Set, Queues>::Held& held() { return lane_.held(); }
  // Number of tasks that lanes held after the last run; 0 if lanes hold none.
  MILLRACE_FUNCTION std::uint32_t held_tasks() const { return held_tasks_; }
  // True if the last run has pushed tasks on stacks.
  MILLRACE_FUNCTION bool has_pushed() const { return has_pushed_; }

  // Sends the tasks that lanes hold to the host.
  MILLRACE_FUNCTION void spill_held() {
    if constexpr (kHolds) {
      if (held().is_held()) queues().memory().ring.push(TaskTag{0}, held().take());
      held_tasks_ = 0;
    }
  }

  // Sends tasks to the host instead of running them.
  template <class T, class Load>
  MILLRACE_FUNCTION void spill(std::uint32_t count, const Load& load) {
    for (std::uint32_t i = Own::lane(); i < count; i += Own::lanes()) {
      queues().memory().ring.push(Set::template tag_of<T>(), load(i));
    }
    Own::sync();
  }

  // Runs roots begin to begin + count - 1, any number, of a set whose types all have one width. In
  // sets that spawn, `count` is at most a unit.
  template <class Roots>
  MILLRACE_FUNCTION void run_roots(const Roots& roots, std::uint32_t begin, std::uint32_t count) {
    if (is_recorded() && Own::is_leader() && count > 0) {
      note_root(roots, Set::kTypes == 1 ? TaskTag{0} : roots.tag(begin), begin);
    }
    run_all_roots(roots, begin, count);
    Own::sync();
    exit_if_worker_exits();
  }

  // Adds sums and counts to those of the block, after the last task.
  MILLRACE_FUNCTION void finish() {
    lane_.sums().flush();
    if constexpr (Set::kOpensJoins) {
      atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(
          &memory().block().opened_joins,
          static_cast<std::uint64_t>(std::int64_t{lane_.joins().opened()}));
    }
    const auto add = [](std::uint64_t& sum, std::uint64_t value) {
      if (value > 0) atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&sum, value);
    };
    WorkerShared<Set>& worker = memory().worker();
    BlockShared& block = memory().block();
    if constexpr (kUsesLaneStacks) {
      for (std::size_t tag = 0; tag < Set::kTypes; ++tag) add(block.tasks_run[tag], counts_[tag]);
    }
    Own::sync();
    if (!Own::is_leader()) return;
    for (std::size_t tag = 0; tag < Set::kTypes && !kUsesLaneStacks; ++tag) {
      add(block.tasks_run[tag], kCountsInRegisters ? counts_[tag] : worker.tasks_run[tag]);
    }
    add(block.steals, worker.steals);
    if (is_recorded()) write_record();
  }

  MILLRACE_FUNCTION const WorkerMemory<Set>& memory() const { return lane_.memory(); }
  MILLRACE_FUNCTION const Queues& queues() const { return lane_.queues(); }
  MILLRACE_FUNCTION Queues& queues() { return lane_.queues(); }

  // Returns the index in a unit of the task that this lane works on.
  template <class T>
  MILLRACE_FUNCTION static std::uint32_t task_index() {
    if constexpr (width_of<T>() == TaskWidth::kLane)
      return Own::lane();
    else if constexpr (width_of<T>() == TaskWidth::kWarp)
      return Own::lane() / warp_width();
    else
      return 0;
  }

 private:
  // Tasks that a lane runs from its stack between two times that workers exchange tasks.
  static constexpr std::uint32_t kMostUnits = 16;

  // Cycles that many units may take, and that none of them may begin after.
  static constexpr std::uint32_t kShort = 64'000;
  static constexpr std::uint32_t kLong = 256'000;

  MILLRACE_FUNCTION static std::uint32_t now() {
    return static_cast<std::uint32_t>(clock_cycles());
  }

  // Adapts the number of units to the cycles that `units` took.
  MILLRACE_FUNCTION void adapt_units(std::uint32_t units, std::uint32_t cycles) {
    std::uint32_t most = most_units_;
    if (cycles > kLong) most = units > 1 ? units / 2 : 1;
    if (cycles < kShort) most = 2 * most < kMostUnits ? 2 * most : kMostUnits;
    most_units_ = shuffle(most, 0);  // Lanes read the clock at different times.
  }

  // Runs the newest task of this lane's stack.
  MILLRACE_KERNEL_FUNCTION void run_newest() {
    auto& stack = lane_.stack();
    stack.begin_task();
    if (stack.is_empty()) return;
    const std::uint32_t state = stack.top_state(memory());
    if (!SlotState::is_ready(state)) return stack.move_newest(queues(), memory());
    visit_type<Set>(static_cast<TaskTag>(state), [&]<class T>() {
      const T task = stack.template pop<T>(memory());
      ++counts_[Set::template tag_of<T>()];
      run_one(task);
    });
  }

  // Gives each lane the records for the joins that its next task may open. A lane that gets none
  // from the worker takes one that is bound to an unused slot of its stack.
  MILLRACE_KERNEL_FUNCTION void fill_records() {
    constexpr std::uint32_t kMost = LaneJoins<Set>::kMost;
    prepare_joins(kMost);
    while (lane_.joins().held() < kMost) {
      const std::uint32_t record_index = lane_.stack().take_unused_record(memory());
      if (record_index == LaneSlots<Set>::kNoRecord) break;
      lane_.joins().hold_up_to(kMost, record_index);
    }
  }

  // Records the newest task of the first lane that has one.
  MILLRACE_FUNCTION void note_newest() {
    const bool has_task = !lane_.stack().is_empty();
    Own::sync();
    const gpu::LaneMask lanes = ballot(has_task);
    if (!has_task || (lanes & lanes_below()) != 0) return;
    const std::uint32_t state = lane_.stack().top_state(memory());
    if (!SlotState::is_ready(state)) return;
    visit_type<Set>(static_cast<TaskTag>(state),
                    [&]<class T>() { note(lane_.stack().template newest<T>(memory())); });
  }

  MILLRACE_FUNCTION void update_lane_state() {
    if constexpr (kHolds) {
      held_tasks_ = lanes_in(ballot(held().is_held()));
      has_pushed_ = ballot(lane_.has_pushed()) != 0;
      lane_.forget_pushed();
      if (has_pushed_) Own::sync();
    }
  }

  // Exits this thread if another thread of the worker has exited (TaskContext::scratch). It needs
  // no vote: a thread that exits leaves barriers, and the others read the flag after their next
  // task.
  MILLRACE_FUNCTION void exit_if_worker_exits() const {
    if constexpr (Set::kScratchBytes > 0) {
      if (atomic_load<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&memory().worker().has_exited) !=
          0) {
        exit_thread();
      }
    }
  }

  template <class Roots>
  MILLRACE_FUNCTION void run_all_roots(const Roots& roots, std::uint32_t begin,
                                       std::uint32_t count) {
    using First = typename Set::template Type<0>;
    if constexpr (Set::kTypes > 1 && width_of<First>() == TaskWidth::kWarp) {
      run_warp_roots(roots, begin, count);
    } else {
      if (Set::kTypes == 1) count_run(0, count);
      const std::uint32_t unit = Own::template unit<First>();
      for (std::uint32_t i = 0; i < count; i += unit) {
        const std::uint32_t own = i + task_index<First>();
        if constexpr (Set::kTypes == 1) {
          if (own + unit < count) prefetch_root(roots, TaskTag{0}, begin + own + unit);
          prepare_joins(own < count ? joins_to_open<First>() : 0);
          if (own < count) run_one(roots.template get<First>(begin + own));
        } else {
          const TaskTag tag = own < count ? roots.tag(begin + own) : TaskTag{0};
          count_types(own < count, tag);
          prepare_joins(own < count ? joins_to_open(tag) : 0);
          if (own < count) run_root(roots, tag, begin + own);
        }
        if constexpr (Set::kScratchBytes > 0) Own::sync();
      }
    }
  }

  // Returns the joins for which this lane takes records before a task: lane 0 of a task opens them.
  template <class T>
  MILLRACE_FUNCTION static std::uint32_t joins_to_open() {
    return TaskContext<T, Set, Queues>::lane() == 0 ? joins_of<T>() : 0;
  }
  MILLRACE_FUNCTION static std::uint32_t joins_to_open(TaskTag tag) {
    std::uint32_t joins = 0;
    if constexpr (Set::kOpensJoins) {
      visit_type<Set>(tag, [&]<class T>() { joins = joins_to_open<T>(); });
    }
    return joins;
  }

  // Called by all lanes of the worker before tasks run.
  MILLRACE_KERNEL_FUNCTION void prepare_joins(std::uint32_t count) {
    if constexpr (Set::kOpensJoins) {
      const RunMemory& run = queues().memory();
      lane_.joins().prepare(memory(), run.joins, *run.control, count);
    }
  }

  // Runs the calling lane's part of a task. Sends the task to the host if there is no record for
  // the joins that it may open.
  template <class T>
  MILLRACE_KERNEL_FUNCTION void run_one(const T& task) {
    if constexpr (joins_of<T>() > 0) {
      if (!has_records_for<T>()) return defer(task);
    }
    TaskContext<T, Set, Queues> context(lane_);
    task(context);
  }

  // Returns the same value in all lanes of the task.
  template <class T>
  MILLRACE_FUNCTION bool has_records_for() {
    const bool has = lane_.joins().held() >= joins_to_open<T>();
    if constexpr (width_of<T>() == TaskWidth::kLane) {
      return has;
    } else if constexpr (width_of<T>() == TaskWidth::kWarp) {
      return shuffle(std::uint32_t{has}, 0) != 0;
    } else {
      return Own::broadcast(&memory().worker().slot, std::uint64_t{has}) != 0;
    }
  }

  template <class T>
  MILLRACE_FUNCTION void defer(const T& task) {
    if (TaskContext<T, Set, Queues>::lane() != 0) return;
    const RunMemory& run = queues().memory();
    constexpr TaskTag kTag = Set::template tag_of<T>();
    atomic_store<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&run.control->joins_ran_out, 1u);
    run.ring.push(kTag, task);
    // It was counted with its unit.
    if constexpr (kUsesLaneStacks) {
      --counts_[kTag];
      return;
    }
    atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&memory().block().tasks_run[kTag],
                                                         ~std::uint64_t{0});
  }

  template <class Roots>
  MILLRACE_FUNCTION void run_root(const Roots& roots, TaskTag tag, std::uint32_t index) {
    visit_type<Set>(tag, [&]<class T>() {
      if constexpr (Roots::template kIsRoot<T>) run_one(roots.template get<T>(index));
    });
  }

  // Reads the tags of as many tasks as a warp has lanes at once, which costs one latency for all of
  // them.
  template <class Roots>
  MILLRACE_FUNCTION void run_warp_roots(const Roots& roots, std::uint32_t begin,
                                        std::uint32_t count) {
    const auto lanes = static_cast<std::uint32_t>(warp_width());
    for (std::uint32_t i = 0; i < count; i += lanes) {
      const std::uint32_t own = i + lane_index();
      const TaskTag own_tag = own < count ? roots.tag(begin + own) : TaskTag{0};
      count_types(own < count, own_tag);
      const std::uint32_t found = count - i < lanes ? count - i : lanes;
      for (std::uint32_t lane = 0; lane < found; ++lane) {
        const auto tag_of = [own_tag](std::uint32_t of) {
          return static_cast<TaskTag>(shuffle(std::uint32_t{own_tag}, static_cast<int>(of)));
        };
        if (lane + 1 < found) prefetch_root(roots, tag_of(lane + 1), begin + i + lane + 1);
        const TaskTag tag = tag_of(lane);
        prepare_joins(joins_to_open(tag));
        run_root(roots, tag, begin + i + lane);
        if constexpr (Set::kScratchBytes > 0) sync_warp();
      }
    }
  }

  // Prefetches the next root of this lane while the current one runs.
  template <class Roots>
  MILLRACE_FUNCTION void prefetch_root(const Roots& roots, TaskTag tag, std::uint32_t index) const {
    visit_type<Set>(tag, [&]<class T>() {
      if constexpr (Roots::template kIsRoot<T> && Prefetches<T>) {
        using Context = TaskContext<T, Set, Queues>;
        roots.template get<T>(index).prefetch(Context::lane(), Context::lanes());
      }
    });
  }

  template <class Roots>
  MILLRACE_FUNCTION void note_root(const Roots& roots, TaskTag tag, std::uint32_t index) const {
    visit_type<Set>(tag, [&]<class T>() {
      if constexpr (Roots::template kIsRoot<T>) note(roots.template get<T>(index));
    });
  }

  // Records the task of the first lane, of those `count` that hold a task. The sync orders this
  // write after the last write by another lane.
  template <class T>
  MILLRACE_FUNCTION void note_held(std::uint32_t count) {
    bool is_first = Own::is_leader();
    Own::sync();
    if (count < static_cast<std::uint32_t>(Own::lanes())) {
      const gpu::LaneMask lanes = ballot(held().is_held());
      is_first = held().is_held() && (lanes & lanes_below()) == 0;
    }
    if (is_first) note(held().task());
  }

  // Records a task for the report on what each worker does.
  template <class T>
  MILLRACE_FUNCTION void note(const T& task) const {
    WorkerShared<Set>& worker = memory().worker();
    ++worker.heartbeat;
    worker.last_tag = Set::template tag_of<T>();
    TaskWords<T>::store(worker.last_task, 1, 0, task);
  }

  MILLRACE_FUNCTION bool is_recorded() const {
    return queues().memory().recorded.records != nullptr;
  }

  // If the worker took nothing in this launch, the record of earlier launches stays.
  MILLRACE_FUNCTION void write_record() const {
    const WorkerShared<Set>& worker = memory().worker();
    const RecordedWorkers& recorded = queues().memory().recorded;
    if (recorded.adds && worker.heartbeat == 0) return;
    WorkerRecord& record = recorded.records[block_index() * Own::workers() + Own::index()];
    record.heartbeat = worker.heartbeat + (recorded.adds ? record.heartbeat : 0);
    record.tag = worker.last_tag;
    for (std::uint32_t i = 0; i < kMaxTaskWords<Set>; ++i) record.words[i] = worker.last_task[i];
  }

  // Counts each lane's task or, if workers are blocks, the one task that all lanes share.
  MILLRACE_FUNCTION void count_types(bool is_running, TaskTag own_tag) {
    if constexpr (kBlockWorkers<Set>) {
      if (is_running) count_run(own_tag, 1);
    } else {
      for (std::size_t tag = 0; tag < Set::kTypes; ++tag) {
        const gpu::LaneMask same = ballot(is_running && own_tag == tag);
        count_run(tag, lanes_in(same));
      }
    }
  }

  // If true, every lane keeps the same counts, since a branch would take longer.
  static constexpr bool kCountsInRegisters = Set::kSpawns && Set::kTypes <= 2;
  MILLRACE_FUNCTION void count_run(std::size_t tag, std::uint32_t count) {
    if constexpr (kCountsInRegisters) {
      for (std::size_t i = 0; i < Set::kTypes; ++i) counts_[i] += i == tag ? count : 0;
    } else {
      if (Own::is_leader()) memory().worker().tasks_run[tag] += count;
    }
  }

  LaneContext<Set, Queues> lane_;
  std::uint32_t held_tasks_ = 0;
  bool has_pushed_ = false;
  std::uint32_t most_units_ = kMostUnits;
  std::uint32_t quiet_calls_ = 0;
  std::uint64_t counts_[kCountsInRegisters || kUsesLaneStacks ? Set::kTypes : 1] = {};
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_UNIT_RUNNER_H_
