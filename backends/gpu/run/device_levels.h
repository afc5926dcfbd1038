// SPDX-License-Identifier: Apache-2.0

// The levels of a run on a GPU: tasks of later ones are in device memory, and in the host's if they
// did not fit.
#ifndef MILLRACE_BACKENDS_GPU_RUN_DEVICE_LEVELS_H_
#define MILLRACE_BACKENDS_GPU_RUN_DEVICE_LEVELS_H_

#include <millrace/backends/gpu/run/level_buffers.h>
#include <millrace/backends/gpu/run/spill_bound.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/internal/run_levels.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <type_traits>
#include <utility>

namespace millrace::MILLRACE_GPU {

// Used by the thread of the run. It exists during the whole run.
template <class Set>
class DeviceLevels : private RunLevels<Set> {
  using Base = RunLevels<Set>;

 public:
  explicit DeviceLevels(LevelBuffers& buffers) : buffers_(buffers) {
    buffers_.begin(sizeof(TaskSlot<Set>), Set::kTypes > 1);
  }

  // Adds roots that have levels of their own.
  void push_all(const TaskList<Set>& roots) {
    Base::push_all(roots);
    for (std::size_t i = 0; i < roots.size(); ++i) ++waiting_roots_[roots.level(i)];
    roots_ += roots.size();
  }

  // Roots are no spilled tasks, so that a list of any length can be run.
  HeldTasks held() const {
    const std::size_t tasks = Base::later_tasks();
    return {.spilled = tasks - std::min(roots_, tasks), .device_bytes = buffers_.most_bytes()};
  }

  // Returns the kernel's argument for a launch of the current level.
  PostponedTasks for_launch() const { return buffers_.current(Base::current); }

  // Called after the launches of a level, with the tasks that did not fit.
  void add(LevelQueue<Set>& overflow) {
    Base::later.take(overflow);
    buffers_.update();
  }

  bool has_later() const { return buffers_.count() > 0 || Base::has_later(); }

  // Begins the lowest level that has tasks, and calls run(roots) once or twice. Where there is no
  // memory to split the list on the device, it moves to the host.
  template <class Run>
  void run_next(const Run& run) {
    const bool is_on_device =
        buffers_.count() > 0 && (!Base::has_later() || buffers_.lowest() <= Base::later.lowest());
    Base::current = is_on_device ? buffers_.lowest() : Base::later.lowest();
    const ReadyTasks<Set> ready = is_on_device ? split_or_move() : ReadyTasks<Set>();
    const bool is_on_host = Base::has_later() && Base::later.lowest() == Base::current;
    if (ready.count > 0) run(ready);
    if (is_on_host) {
      const TaskList<Set> tasks = Base::later.take_lowest();
      if (!Base::has_later() || Base::later.lowest() != Base::current) forget_roots();
      run(tasks);
    }
  }

  // Returns `ready`, which are tasks of the current level, and all of later levels.
  TaskList<Set> take_all(TaskList<Set> ready) {
    buffers_.move_to(Base::later);
    return Base::take_all(std::move(ready));
  }

 private:
  ReadyTasks<Set> split_or_move() {
    try {
      return buffers_.template split<Set>(Base::current);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kOutOfMemory) throw;
      buffers_.move_to(Base::later);
      return {};
    }
  }

  // Notes that the roots of the current level wait no longer.
  void forget_roots() {
    const auto found = waiting_roots_.find(Base::current);
    if (found == waiting_roots_.end()) return;
    roots_ -= found->second;
    waiting_roots_.erase(found);
  }

  LevelBuffers& buffers_;
  std::map<std::uint32_t, std::size_t> waiting_roots_;  // Roots in the host's lists, by level.
  std::size_t roots_ = 0;                               // Their number.
};

// Stands for the above in sets without levels.
struct NoDeviceLevels : NoLevels {
  explicit NoDeviceLevels(LevelBuffers&) {}
  static constexpr HeldTasks held() { return {}; }
};

template <class Set>
using DeviceLevelsOf = std::conditional_t<Set::kHasLevels, DeviceLevels<Set>, NoDeviceLevels>;

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_RUN_DEVICE_LEVELS_H_
