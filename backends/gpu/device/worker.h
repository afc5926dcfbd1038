// SPDX-License-Identifier: Apache-2.0

// A worker is the group of threads that takes work together: a warp, or the whole block if the set
// has tasks of block width.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_WORKER_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_WORKER_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/warp_scan.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

// Preferred threads per block. There are fewer if shared memory or registers do not suffice.
struct BlockThreads {
  static constexpr int kFlat = 256;  // No block waits for another.
  // One block per multiprocessor, to have the fewest arrivals at the barrier that ends a wave.
  static constexpr int kWaves = 1024;
  static constexpr int kPersistent = 256;
  static constexpr int kBlockWide = 256;  // A task of block width runs on all of them.
};

template <class Set, std::size_t kTag = 0>
constexpr bool has_block_width() {
  if constexpr (kTag == Set::kTypes) {
    return false;
  } else {
    return width_of<typename Set::template Type<kTag>>() == TaskWidth::kBlock ||
           has_block_width<Set, kTag + 1>();
  }
}

// True if the set's workers are blocks.
template <class Set>
inline constexpr bool kBlockWorkers = has_block_width<Set>();

// Returns true if all types of the set have the same width.
template <class Set, std::size_t kTag = 0>
constexpr bool have_same_width() {
  if constexpr (kTag + 1 == Set::kTypes) {
    return true;
  } else {
    return width_of<typename Set::template Type<kTag>>() ==
               width_of<typename Set::template Type<kTag + 1>>() &&
           have_same_width<Set, kTag + 1>();
  }
}

// True if a worker runs one task at a time, whatever its type.
template <class Set>
inline constexpr bool kRunsOneTask =
    have_same_width<Set>() && width_of<typename Set::template Type<0>>() != TaskWidth::kLane;

template <class Set, std::size_t kTag = 0>
constexpr bool has_scratch() {
  if constexpr (kTag == Set::kTypes) {
    return false;
  } else {
    return scratch_bytes_of<typename Set::template Type<kTag>>() > 0 ||
           has_scratch<Set, kTag + 1>();
  }
}

// True if a worker runs one task at a time and tasks use scratch; stacks then leave space for it in
// shared memory.
template <class Set>
inline constexpr bool kReservesScratch = kRunsOneTask<Set>&& has_scratch<Set>();

// True if a persistent worker runs roots directly: all are of one type, or it runs one task at a
// time. Other roots are pushed on its stacks first, so that all lanes run tasks of one type.
template <class Set>
inline constexpr bool kRootsInPlace = Set::kTypes == 1 || kRunsOneTask<Set>;

template <class Set>
inline constexpr bool kHasStacks = Set::kSpawns || !kRootsInPlace<Set>;

// True if a lane's task takes so many registers that a block should have fewer threads.
template <class Set>
inline constexpr bool kHasLargeTasks = Set::kSlotBytes > 64;

// Returns the number of threads, in blocks of `threads`, that a multiprocessor is to hold: `usual`,
// unless the set's tasks state that they need more registers. A multiprocessor has 64 Ki registers.
template <class Set>
constexpr int target_threads(int threads, int usual) {
  if constexpr (Set::kRegisters == 0) {
    return usual;
  } else {
    constexpr int kRegisters = 1 << 16;
    const int most = kRegisters / Set::kRegisters / threads * threads;
    return most < threads ? threads : most < usual ? most : usual;
  }
}

// Returns `threads`, or half of it if a multiprocessor then provides the registers that the set's
// tasks need to more of its `usual` threads.
template <class Set>
constexpr int block_threads_for(int threads, int usual) {
  const int by_halves = target_threads<Set>(threads / 2, usual);
  const bool has_more = by_halves > target_threads<Set>(threads, usual);
  return !kBlockWorkers<Set> && has_more ? threads / 2 : threads;
}

// Returns the threads of a worker in a block of `threads`.
template <class Set>
MILLRACE_FUNCTION constexpr int worker_lanes(int threads, int warp_width) {
  return kBlockWorkers<Set> ? threads : warp_width;
}

// Returns the number of tasks of type T that a worker of `lanes` threads runs at a time.
template <class Set, class T>
MILLRACE_FUNCTION constexpr int unit_of(int lanes, int warp_width) {
  switch (width_of<T>()) {
    case TaskWidth::kLane: return lanes;
    case TaskWidth::kWarp: return lanes / warp_width;
    case TaskWidth::kBlock: return 1;
  }
  return 1;
}

// The calling thread's worker. Collective members are called by all of its lanes or by none.
template <class Set>
class Worker {
 public:
  MILLRACE_FUNCTION static int lanes() { return worker_lanes<Set>(block_threads(), warp_width()); }
  MILLRACE_FUNCTION static int lane() { return kBlockWorkers<Set> ? thread_index() : lane_index(); }
  MILLRACE_FUNCTION static bool is_leader() { return lane() == 0; }

  // Index of the worker in its block, and number of workers in the block.
  MILLRACE_FUNCTION static int index() { return in_lanes(thread_index()); }
  MILLRACE_FUNCTION static int workers() { return in_lanes(block_threads()); }

  MILLRACE_FUNCTION static void sync() {
    if constexpr (kBlockWorkers<Set>) {
      sync_block();
    } else {
      sync_warp();
    }
  }

  // Returns the leader's value. `slot` is shared memory of this worker. Memory operations that the
  // leader has observed before the call are visible to all lanes afterwards; a shuffle alone would
  // order nothing.
  MILLRACE_FUNCTION static std::uint64_t broadcast(std::uint64_t* slot, std::uint64_t value) {
    if constexpr (kBlockWorkers<Set>) {
      sync_block();
      if (is_leader()) *slot = value;
      sync_block();
      return *slot;
    } else {
      value = shuffle(value, 0);
      sync_warp();
      return value;
    }
  }

  template <class T>
  MILLRACE_FUNCTION static int unit() {
    return unit_of<Set, T>(lanes(), warp_width());
  }

 private:
  // The operands are unsigned, so that the division by a power of two becomes a shift.
  MILLRACE_FUNCTION static int in_lanes(int threads) {
    return static_cast<int>(static_cast<unsigned>(threads) / static_cast<unsigned>(lanes()));
  }
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_WORKER_H_
