// Runs units of tasks: what one worker takes at a time, all of one type.
#ifndef MILLRACE_BACKENDS_GPU_UNIT_RUNNER_H_
#define MILLRACE_BACKENDS_GPU_UNIT_RUNNER_H_

#include <cstdint>

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/run_context.h>
#include <millrace/backends/gpu/task_context.h>
#include <millrace/backends/gpu/worker.h>

namespace millrace::MILLRACE_GPU {

template <class Set, class Queues>
class UnitRunner {
 public:
  using Own = Worker<Set>;

  MILLRACE_FUNCTION explicit UnitRunner(const Queues& queues) : lane_(queues) {}

  // All members are called by all lanes of the worker.

  // Runs tasks load(0) to load(count - 1), at most a unit. What they spawn is visible to all lanes
  // afterwards.
  template <class T, class Load>
  MILLRACE_FUNCTION void run(std::uint32_t count, const Load& load) {
    constexpr TaskTag kTag = Set::template tag_of<T>();
    if (Own::is_leader()) memory().worker().tasks_run[kTag] += count;
    note<T>(count, load);
    const std::uint32_t own = place<T>();
    if (own < count) {
      TaskContext<T, Set, Queues> context(lane_);
      load(own)(context);
    }
    if constexpr (Set::kSpawns || Set::kScratchBytes > 0 || width_of<T>() != TaskWidth::kLane) {
      Own::sync();
    }
    follow();
  }

  // Sends tasks to the host instead.
  template <class T, class Load>
  MILLRACE_FUNCTION void spill(std::uint32_t count, const Load& load) {
    for (std::uint32_t i = Own::lane(); i < count; i += Own::lanes()) {
      queues().memory().ring.push(Set::template tag_of<T>(), load(i));
    }
    Own::sync();
  }

  // A unit whose tasks are of several types, one a lane; they are all of one width. `tag(i)` is
  // the type of task i, `get.template operator()<T>(i)` the task.
  template <class Roots, class Tag, class Get>
  MILLRACE_FUNCTION void run_mixed(std::uint32_t count, const Tag& tag, const Get& get) {
    const std::uint32_t own = place<typename Set::template Type<0>>();
    const TaskTag own_tag = own < count ? tag(own) : TaskTag{0};
    count_types(own < count, own_tag);
    visit_type<Set>(own_tag, [&]<class T>() {
      if constexpr (Roots::template kIsRoot<T>) {
        const auto load = [&get](std::uint32_t i) { return get.template operator()<T>(i); };
        note<T>(count, load);
        if (own >= count) return;
        TaskContext<T, Set, Queues> context(lane_);
        load(own)(context);
      }
    });
    Own::sync();
    follow();
  }

  // Hands sums and counts on, when nothing will be run any more.
  MILLRACE_FUNCTION void finish() {
    lane_.sums().flush();
    Own::sync();
    if (!Own::is_leader()) return;
    WorkerShared<Set>& worker = memory().worker();
    Control& control = *queues().memory().control;
    for (std::size_t tag = 0; tag < Set::kTypes; ++tag) {
      if (worker.tasks_run[tag] > 0) reduce_add(&control.tasks_run[tag], worker.tasks_run[tag]);
    }
    if (worker.steals > 0) reduce_add(&control.steals, worker.steals);
    if (record() != nullptr) record()->is_running = 0;
  }

  MILLRACE_FUNCTION const WorkerMemory<Set>& memory() const { return lane_.memory(); }
  MILLRACE_FUNCTION const Queues& queues() const { return lane_.queues(); }
  MILLRACE_FUNCTION Queues& queues() { return lane_.queues(); }

  // The task of a unit that this lane has part in.
  template <class T>
  MILLRACE_FUNCTION static std::uint32_t place() {
    if constexpr (width_of<T>() == TaskWidth::kLane)
      return Own::lane();
    else if constexpr (width_of<T>() == TaskWidth::kWarp)
      return Own::lane() / warp_width();
    else
      return 0;
  }

 private:
  // Ends this thread if another of the worker has ended itself (TaskContext::scratch).
  MILLRACE_FUNCTION void follow() const {
    if constexpr (Set::kScratchBytes > 0) {
      if (atomic_load<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&memory().worker().has_left) != 0) {
        exit_thread();
      }
    }
  }

  MILLRACE_FUNCTION WorkerRecord* record() const {
    WorkerRecord* records = queues().memory().records;
    return records == nullptr ? nullptr : records + block_index() * Own::workers() + Own::index();
  }

  // For who asks what the workers do.
  template <class T, class Load>
  MILLRACE_FUNCTION void note(std::uint32_t count, const Load& load) const {
    WorkerRecord* own = record();
    if (own == nullptr || count == 0 || !Own::is_leader()) return;
    own->heartbeat = ++memory().worker().heartbeat;
    own->tag = Set::template tag_of<T>();
    own->is_running = 1;
    TaskWords<T>::store(own->words, 1, 0, load(0));
  }

  MILLRACE_FUNCTION void count_types(bool is_running, TaskTag own_tag) const {
    if constexpr (width_of<typename Set::template Type<0>>() != TaskWidth::kLane) {
      if (Own::is_leader() && is_running) ++memory().worker().tasks_run[own_tag];
    } else {
      for (std::size_t tag = 0; tag < Set::kTypes; ++tag) {
        const gpu::LaneMask same = ballot(is_running && own_tag == tag);
        if (Own::is_leader()) memory().worker().tasks_run[tag] += lanes_in(same);
      }
    }
  }

  LaneContext<Set, Queues> lane_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_UNIT_RUNNER_H_
