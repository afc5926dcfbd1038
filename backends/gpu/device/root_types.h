// SPDX-License-Identifier: Apache-2.0

// Looks at the types of a run's roots on the device: counts them, finds tags that are none, and
// gathers the places of each type's roots.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_ROOT_TYPES_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_ROOT_TYPES_H_

#include <cstdint>

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/run_control.h>
#include <millrace/backends/gpu/device/worker.h>
#include <millrace/runtime/tasks/task_set.h>

namespace millrace::MILLRACE_GPU {

// Threads of a block, and roots it looks at, a tile: many for each reservation of room.
inline constexpr int kTypeThreads = 128;
inline constexpr std::uint32_t kTypeRoots = 16;  // Of them, a thread's.
inline constexpr std::uint32_t kTypeTile = kTypeRoots * kTypeThreads;

template <class Roots>
MILLRACE_FUNCTION bool is_root(TaskTag tag) {
  if (tag >= Roots::Set::kTypes) return false;
  bool is = false;
  visit_type<typename Roots::Set>(tag, [&is]<class T>() { is = Roots::template kIsRoot<T>; });
  return is;
}

// Calls body(place, tag, is_in) for this thread's kTypeRoots roots of the block's tile; places are
// side by side in a warp.
template <class Roots, class Body>
MILLRACE_FUNCTION void for_each_in_tile(const Roots& roots, std::uint32_t count, const Body& body) {
  const std::uint64_t begin = static_cast<std::uint64_t>(block_index()) * kTypeTile;
  for (std::uint32_t i = 0; i < kTypeRoots; ++i) {
    const std::uint64_t place = begin + i * kTypeThreads + thread_index();
    const bool is_in = place < count;
    body(static_cast<std::uint32_t>(place), is_in ? roots.tag(place) : TaskTag{0}, is_in);
  }
}

template <class Roots>
MILLRACE_FUNCTION void check_root(Control* control, TaskTag tag) {
  if (is_root<Roots>(tag)) return;
  atomic_compare_exchange<gpu::Scope::kDevice, gpu::Order::kRelaxed>(
      &control->failure, std::uint64_t{0}, failure_word(Failure::kTag, tag, 0));
}

// Launched with ceil(count / kTypeTile) blocks of kTypeThreads threads. Leaves a failure where a
// tag is no root's.
template <class Roots>
MILLRACE_KERNEL void check_roots_kernel(Control* control, Roots roots, std::uint32_t count) {
  // All loads are under way before the first is looked at.
  bool is_wrong = false;
  TaskTag wrong = 0;
  for_each_in_tile(roots, count, [&](std::uint32_t, TaskTag tag, bool is_in) {
    if (!is_in || is_root<Roots>(tag)) return;
    is_wrong = true;
    wrong = tag;
  });
  if (is_wrong) check_root<Roots>(control, wrong);
}

// Launched with ceil(count / kTypeTile) blocks of kTypeThreads threads and kMaxTypes words of
// shared memory. Leaves root_counts and root_ends, and a failure where a tag is no root's.
template <class Roots>
MILLRACE_KERNEL void count_roots_kernel(Control* control, Roots roots, std::uint32_t count) {
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

// Launched as count_roots_kernel, behind it. Writes the places of the roots of each type, in no
// particular order, to `order`.
template <class Roots>
MILLRACE_KERNEL void gather_roots_kernel(Control* control, Roots roots, std::uint32_t count,
                                         std::uint32_t* order) {
  constexpr std::uint32_t kTypes = Roots::Set::kTypes;
  auto* cursors = reinterpret_cast<std::uint32_t*>(shared_memory());
  for (std::uint32_t i = thread_index(); i < kTypes; i += kTypeThreads) cursors[i] = 0;
  sync_block();
  const auto for_each_type = [&](const auto& body) {
    for_each_in_tile(roots, count, [&](std::uint32_t place, TaskTag tag, bool is_in) {
      for (std::uint32_t type = 0; type < kTypes; ++type) {
        const bool is_mine = is_in && tag == type;
        body(type, place, is_mine, ballot(is_mine));
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
  for_each_type([&](std::uint32_t type, std::uint32_t place, bool is_mine, gpu::LaneMask same) {
    std::uint32_t begin = 0;
    if (lane_index() == 0 && same != 0) {
      begin = atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&cursors[type], lanes_in(same));
    }
    begin = shuffle(begin, 0);
    const gpu::LaneMask below = (gpu::LaneMask{1} << lane_index()) - 1;
    if (is_mine) order[begin + lanes_in(same & below)] = place;
  });
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_ROOT_TYPES_H_
