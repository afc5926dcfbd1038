// SPDX-License-Identifier: Apache-2.0

// Who takes work together: a warp, or the whole block where the set has tasks of block width.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_WORKER_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_WORKER_H_

#include <cstddef>
#include <cstdint>

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/lane_mask.h>
#include <millrace/runtime/tasks/task_set.h>

namespace millrace::MILLRACE_GPU {

// Threads of a block to begin with; fewer where shared memory or registers do not suffice.
struct BlockThreads {
  static constexpr int kFlat = 256;    // Nothing waits for other blocks.
  static constexpr int kWaves = 1024;  // One block a multiprocessor: few meet at the end of a wave.
  static constexpr int kPersistent = 256;
  static constexpr int kBlockWide = 256;  // A task of block width has all of them.
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

// Whether the set's workers are blocks.
template <class Set>
inline constexpr bool kBlockWorkers = has_block_width<Set>();

// Whether all types of the set are of one width.
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

// Whether a worker runs one task at a time, whatever its type.
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

// Whether such tasks have scratch, for which stacks make room in shared memory.
template <class Set>
inline constexpr bool kWantsScratchRoom = kRunsOneTask<Set>&& has_scratch<Set>();

// Whether a persistent worker runs roots where they are: those of one type, or of which it runs one
// at a time. Others go by its stacks, so that all lanes run one type.
template <class Set>
inline constexpr bool kRootsInPlace = Set::kTypes == 1 || kRunsOneTask<Set>;

template <class Set>
inline constexpr bool kHasStacks = Set::kSpawns || !kRootsInPlace<Set>;

// Whether a lane's task takes so many registers that a block should have fewer threads.
template <class Set>
inline constexpr bool kHasLargeTasks = Set::kSlotBytes > 64;

// Threads of blocks of `threads` that a multiprocessor is to hold, `usual` of them unless the set's
// tasks say that they need more registers: there are 64 Ki.
template <class Set>
constexpr int wanted_threads(int threads, int usual) {
  if constexpr (Set::kRegisters == 0) {
    return usual;
  } else {
    constexpr int kRegisters = 1 << 16;
    const int most = kRegisters / Set::kRegisters / threads * threads;
    return most < threads ? threads : most < usual ? most : usual;
  }
}

// `threads`, or half as many where more of the `usual` threads of a multiprocessor then have the
// registers that the set's tasks say they need.
template <class Set>
constexpr int block_threads_for(int threads, int usual) {
  const int by_halves = wanted_threads<Set>(threads / 2, usual);
  const bool has_more = by_halves > wanted_threads<Set>(threads, usual);
  return !kBlockWorkers<Set> && has_more ? threads / 2 : threads;
}

// Threads of a worker in a block of `threads`.
template <class Set>
MILLRACE_FUNCTION constexpr int worker_lanes(int threads, int warp_width) {
  return kBlockWorkers<Set> ? threads : warp_width;
}

// Tasks of type T that a worker of `lanes` threads runs at a time.
template <class Set, class T>
MILLRACE_FUNCTION constexpr int unit_of(int lanes, int warp_width) {
  switch (width_of<T>()) {
    case TaskWidth::kLane: return lanes;
    case TaskWidth::kWarp: return lanes / warp_width;
    case TaskWidth::kBlock: return 1;
  }
  return 1;
}

// The calling thread's worker. All its lanes call the collective members, or none.
template <class Set>
class Worker {
 public:
  MILLRACE_FUNCTION static int lanes() { return worker_lanes<Set>(block_threads(), warp_width()); }
  MILLRACE_FUNCTION static int lane() { return kBlockWorkers<Set> ? thread_index() : lane_index(); }
  MILLRACE_FUNCTION static bool is_leader() { return lane() == 0; }

  // Among the workers of the block, and how many those are.
  MILLRACE_FUNCTION static int index() { return in_lanes(thread_index()); }
  MILLRACE_FUNCTION static int workers() { return in_lanes(block_threads()); }

  MILLRACE_FUNCTION static void sync() {
    if constexpr (kBlockWorkers<Set>) {
      sync_block();
    } else {
      sync_warp();
    }
  }

  // The leader's value. `slot` is shared memory of this worker. What the leader has seen before,
  // all lanes see afterwards; a shuffle alone would order nothing.
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
  // An unsigned division by a power of two is a shift.
  MILLRACE_FUNCTION static int in_lanes(int threads) {
    return static_cast<int>(static_cast<unsigned>(threads) / static_cast<unsigned>(lanes()));
  }
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_WORKER_H_
