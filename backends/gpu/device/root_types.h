// SPDX-License-Identifier: Apache-2.0

// Kernels that examine the types of a run's roots on the device: they count them, find invalid
// tags, and gather the indices of each type's roots.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_ROOT_TYPES_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_ROOT_TYPES_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/control/failure_word.h>
#include <millrace/backends/gpu/device/control/run_control.h>
#include <millrace/backends/gpu/device/worker.h>
#include <millrace/runtime/tasks/indexed_tasks.h>
#include <millrace/runtime/tasks/task_list.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

// A TaskList in memory that the device reads; does not own it.
template <class SetType>
struct DeviceList {
  using Set = SetType;

  const TaskSlot<Set>* slots;
  const TaskTag* tags;

  template <class T>
  static constexpr bool kIsRoot = true;

  MILLRACE_FUNCTION TaskTag tag(std::size_t index) const {
    if constexpr (Set::kTypes > 1) return tags[index];
    return 0;
  }
  template <class T>
  MILLRACE_FUNCTION T get(std::size_t index) const {
    return slots[index].template get<T>();
  }
};

// DeviceRootsOf<Roots>::Type is the form of `Roots` that kernels take.
template <class Roots>
struct DeviceRootsOf;
template <class Set>
struct DeviceRootsOf<TaskList<Set>> {
  using Type = DeviceList<Set>;
};
template <class Set>
struct DeviceRootsOf<IndexedTasks<Set>> {
  using Type = IndexedTasks<Set>;
};

// Threads of a block, and roots per block (a tile). Tiles are large, so that a block reserves space
// in the output once for many roots.
inline constexpr int kTypeThreads = 128;
inline constexpr std::uint32_t kTypeRoots = 16;  // Roots per thread.
inline constexpr std::uint32_t kTypeTile = kTypeRoots * kTypeThreads;

template <class Roots>
MILLRACE_FUNCTION bool is_root(TaskTag tag) {
  if (tag >= Roots::Set::kTypes) return false;
  bool is = false;
  visit_type<typename Roots::Set>(tag, [&is]<class T>() { is = Roots::template kIsRoot<T>; });
  return is;
}

// Calls body(index, tag, is_in) for this thread's kTypeRoots roots of the block's tile. The lanes
// of a warp visit consecutive indices.
template <class Roots, class Body>
MILLRACE_FUNCTION void for_each_in_tile(const Roots& roots, std::uint32_t count, const Body& body) {
  const std::uint64_t begin = static_cast<std::uint64_t>(block_index()) * kTypeTile;
  for (std::uint32_t i = 0; i < kTypeRoots; ++i) {
    const std::uint64_t index = begin + i * kTypeThreads + thread_index();
    const bool is_in = index < count;
    body(static_cast<std::uint32_t>(index), is_in ? roots.tag(index) : TaskTag{0}, is_in);
  }
}

template <class Roots>
MILLRACE_FUNCTION void check_root(RunControl* control, TaskTag tag) {
  if (is_root<Roots>(tag)) return;
  atomic_compare_exchange<gpu::Scope::kDevice, gpu::Order::kRelaxed>(
      &control->failure, std::uint64_t{0}, failure_word(Failure::kTag, tag, 0));
}

// Checks all tags, and records a failure if a tag is not one of the root types. Launched with
// ceil(count / kTypeTile) blocks of kTypeThreads threads.
template <class Roots>
MILLRACE_KERNEL void check_roots_kernel(RunControl* control, Roots roots, std::uint32_t count) {
  // All loads are issued before the first result is used.
  bool is_wrong = false;
  TaskTag wrong = 0;
  for_each_in_tile(roots, count, [&](std::uint32_t, TaskTag tag, bool is_in) {
    if (!is_in || is_root<Roots>(tag)) return;
    is_wrong = true;
    wrong = tag;
  });
  if (is_wrong) check_root<Roots>(control, wrong);
}

// Writes root_counts and root_ends, and records a failure if a tag is not one of the root types.
// Launched with ceil(count / kTypeTile) blocks of kTypeThreads threads and kMaxTypes words of
// shared memory.
template <class Roots>
MILLRACE_KERNEL void count_roots_kernel(RunControl* control, Roots roots, std::uint32_t count) {
  constexpr std::uint32_t kTypes = Roots::Set::kTypes;
  auto* counts = reinterpret_cast<std::uint32_t*>(shared_memory());
  for (std::uint32_t i = thread_index(); i < kTypes; i += kTypeThreads) counts[i] = 0;
  sync_block();
  for_each_in_tile(roots, count, [&](std::uint32_t, TaskTag tag, bool is_in) {
    if (is_in) check_root<Roots>(control, tag);
    for (std::uint32_t type = 0; type < kTypes; ++type) {
      const gpu::LaneMask same = ballot(is_in && tag == type);
      if (lane_index() == 0 && same != 0) {
        atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&counts[type], lanes_in(same));
      }
    }
  });
  sync_block();
  if (thread_index() != 0) return;
  for (std::uint32_t i = 0; i < kTypes; ++i) {
    reduce_add(&control->root_counts[i], static_cast<std::uint64_t>(counts[i]));
  }
  const std::uint32_t ended =
      atomic_add<gpu::Scope::kDevice, gpu::Order::kAcquireRelease>(&control->root_blocks, 1u);
  if (ended + 1 != static_cast<std::uint32_t>(grid_blocks())) return;
  std::uint32_t end = 0;
  for (std::uint32_t i = 0; i < kTypes; ++i) {
    control->root_cursors[i] = end;
    end += static_cast<std::uint32_t>(
        atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&control->root_counts[i]));
    control->root_ends[i] = end;
  }
}

// Writes the indices of the roots of each type, in no particular order, to `order`. Launched like
// count_roots_kernel, and after it.
template <class Roots>
MILLRACE_KERNEL void gather_roots_kernel(RunControl* control, Roots roots, std::uint32_t count,
                                         std::uint32_t* order) {
  constexpr std::uint32_t kTypes = Roots::Set::kTypes;
  auto* cursors = reinterpret_cast<std::uint32_t*>(shared_memory());
  for (std::uint32_t i = thread_index(); i < kTypes; i += kTypeThreads) cursors[i] = 0;
  sync_block();
  const auto for_each_type = [&](const auto& body) {
    for_each_in_tile(roots, count, [&](std::uint32_t index, TaskTag tag, bool is_in) {
      for (std::uint32_t type = 0; type < kTypes; ++type) {
        const bool is_mine = is_in && tag == type;
        body(type, index, is_mine, ballot(is_mine));
      }
    });
  };
  for_each_type([&](std::uint32_t type, std::uint32_t, bool, gpu::LaneMask same) {
    if (lane_index() == 0 && same != 0) {
      atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&cursors[type], lanes_in(same));
    }
  });
  sync_block();
  for (std::uint32_t i = thread_index(); i < kTypes; i += kTypeThreads) {
    cursors[i] = atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&control->root_cursors[i],
                                                                       cursors[i]);
  }
  sync_block();
  for_each_type([&](std::uint32_t type, std::uint32_t index, bool is_mine, gpu::LaneMask same) {
    std::uint32_t begin = 0;
    if (lane_index() == 0 && same != 0) {
      begin = atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&cursors[type], lanes_in(same));
    }
    begin = shuffle(begin, 0);
    if (is_mine) order[begin + lanes_in(same & lanes_below())] = index;
  });
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_ROOT_TYPES_H_
