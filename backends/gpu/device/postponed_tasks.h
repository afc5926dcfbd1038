// SPDX-License-Identifier: Apache-2.0

// The tasks of a run that wait for a later level (Context::spawn_at in runtime/tasks/task.h), in
// device memory. Lanes append them in any order. Between two levels a kernel splits the list: tasks
// of the next level are the roots of a launch, the others are appended to a second list. Tasks that
// do not fit go to the host through the ring.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_POSTPONED_TASKS_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_POSTPONED_TASKS_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/root_types.h>
#include <millrace/backends/gpu/device/spill_ring.h>
#include <millrace/backends/gpu/warp_scan.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

// The words of a list that lanes change. All zero for an empty list.
struct PostponedState {
  alignas(128) std::uint64_t count;           // Tasks appended; those beyond the capacity are not
                                              // in the list.
  alignas(128) std::uint32_t lowest_inverse;  // ~level of the lowest level in the list.
  alignas(128) std::uint64_t ready;           // Tasks of the level that the list was split by.
};

// A list. A kernel's argument.
struct PostponedTasks {
  PostponedState* state = nullptr;
  void* slots = nullptr;  // TaskSlot<Set>
  std::uint32_t* levels = nullptr;
  TaskTag* tags = nullptr;     // Null for a set of one type.
  std::uint32_t capacity = 0;  // Tasks.
  std::uint32_t level = 0;     // The current level of the run.

  template <class Set>
  MILLRACE_FUNCTION TaskSlot<Set>& slot(std::uint64_t index) const {
    return static_cast<TaskSlot<Set>*>(slots)[index];
  }
  template <class Set>
  MILLRACE_FUNCTION TaskTag tag(std::uint64_t index) const {
    if constexpr (Set::kTypes > 1) return tags[index];
    return 0;
  }
  template <class Set>
  MILLRACE_FUNCTION void set_tag(std::uint64_t index, TaskTag tag) const {
    if constexpr (Set::kTypes > 1) tags[index] = tag;
  }

  // Appends a task. May be called by any lane.
  template <class Set, class T>
  MILLRACE_FUNCTION void push(const SpillRing& ring, std::uint32_t at, const T& task) const {
    constexpr TaskTag kTag = Set::template tag_of<T>();
    const std::uint64_t index =
        atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&state->count, std::uint64_t{1});
    if (index >= capacity) return ring.push_later(kTag, at, task);
    slot<Set>(index).store(task);
    set_tag<Set>(index, kTag);
    levels[index] = at;
    note_level(at);
  }

  // Lowers the list's lowest level to `at`. The load spares most lanes the atomic operation.
  MILLRACE_FUNCTION void note_level(std::uint32_t at) const {
    constexpr auto kDevice = gpu::Scope::kDevice;
    if (atomic_load<kDevice, gpu::Order::kRelaxed>(&state->lowest_inverse) < ~at) {
      atomic_max<kDevice, gpu::Order::kRelaxed>(&state->lowest_inverse, ~at);
    }
  }
};

// The roots of a launch that lanes have appended to a list.
template <class SetType>
struct ReadyTasks {
  using Set = SetType;

  DeviceList<Set> list;
  std::uint32_t count = 0;

  std::size_t size() const { return count; }
};

// The split of a list of `count` tasks by PostponedTasks::level of `kept`.
template <class Set>
struct LevelSplit {
  PostponedTasks from;
  std::uint32_t count;
  PostponedTasks kept;   // Tasks of other levels; empty at first.
  PostponedTasks ready;  // Tasks of the level. Its number of them is in the state of `kept`.

  static constexpr int kThreads = 128;
  static constexpr std::uint32_t kTile = 8 * kThreads;  // Tasks of a block.

  MILLRACE_FUNCTION void move_task(std::uint64_t index, bool is_in) const {
    const std::uint32_t level = is_in ? from.levels[index] : 0;
    const bool is_ready = is_in && level == kept.level;
    const bool is_kept = is_in && !is_ready;
    const std::uint64_t ready_index = reserve(&kept.state->ready, is_ready);
    const std::uint64_t kept_index = reserve(&kept.state->count, is_kept);
    if (is_ready) {
      ready.template slot<Set>(ready_index) = from.template slot<Set>(index);
      ready.template set_tag<Set>(ready_index, from.template tag<Set>(index));
    }
    if (is_kept) {
      kept.template slot<Set>(kept_index) = from.template slot<Set>(index);
      kept.template set_tag<Set>(kept_index, from.template tag<Set>(index));
      kept.levels[kept_index] = level;
      kept.note_level(level);
    }
  }

 private:
  // Reserves an element for each lane that wants one, by one atomic operation a warp. Called by all
  // lanes of the warp.
  MILLRACE_FUNCTION static std::uint64_t reserve(std::uint64_t* counter, bool wants) {
    const gpu::LaneMask mask = ballot(wants);
    std::uint64_t begin = 0;
    if (lane_index() == 0 && mask != 0) {
      begin = atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(counter,
                                                                    std::uint64_t{lanes_in(mask)});
    }
    return shuffle(begin, 0) + lanes_in(mask & lanes_below());
  }
};

// Launched with ceil(count / kTile) blocks of kThreads threads.
template <class Set>
MILLRACE_KERNEL void split_levels_kernel(LevelSplit<Set> split) {
  constexpr std::uint32_t kTile = LevelSplit<Set>::kTile;
  const std::uint64_t begin = static_cast<std::uint64_t>(block_index()) * kTile;
  for (std::uint32_t i = 0; i < kTile; i += LevelSplit<Set>::kThreads) {
    const std::uint64_t index = begin + i + static_cast<std::uint32_t>(thread_index());
    split.move_task(index, index < split.count);
  }
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_POSTPONED_TASKS_H_
