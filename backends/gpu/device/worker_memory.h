// SPDX-License-Identifier: Apache-2.0

// The shared memory of a block: what its workers share, then for each worker its stacks of tasks
// that wait, one a type, and its tasks' scratch.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_WORKER_MEMORY_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_WORKER_MEMORY_H_

#include <cstddef>
#include <cstdint>

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/run_control.h>
#include <millrace/backends/gpu/device/task_words.h>
#include <millrace/backends/gpu/device/worker.h>

namespace millrace::MILLRACE_GPU {

// What a block's workers know of a UnitSource.
struct UnitShares {
  std::uint32_t count;      // Units there are.
  std::uint32_t owned;      // Units that belong to a worker each; the first ones.
  std::uint32_t range;      // Units a ticket is good for.
  std::uint32_t piece;      // Units a worker takes at a time.
  std::uint32_t first;      // Units below need no ticket.
  std::uint32_t slice_end;  // Where units that belong to the block end; 0 where none do.
};

struct BlockShared {
  std::uint64_t range;  // unit_source.h
  UnitShares shares;
  std::uint32_t slice_begin;  // The next of the units that belong to the block.
  std::uint64_t next_look;    // At the host's flag, on clock_cycles().
  std::uint32_t stop;         // A Stop, for this block.
  std::uint32_t done;         // Nothing is pending anywhere.
  std::uint32_t poller;       // An idle worker of the block is looking for work.
  std::uint32_t is_hungry;    // Who looked found nothing; until a worker of the block shares.
  std::uint32_t is_sharing;   // A worker of the block is giving tasks away.
  std::uint32_t is_last;      // Of the grid's blocks, at the end.
  std::uint64_t steals;       // What workers have counted.
  std::uint64_t tasks_run[kMaxTypes];

  // Of a wave (wave_worker.h): tasks of each type that it runs, then chunks, and what the block has
  // made for the next.
  std::uint32_t wave[kMaxTypes + 1];
  std::uint32_t wave_stop;  // A Stop that all blocks know of at its beginning.
  std::uint32_t spawned[kMaxTypes];
  std::uint32_t has_chunks;
  std::uint32_t has_no_chunks;  // The last search for a free one found none, and none came since.
  std::uint32_t goes_on;
};

// What a worker's lanes share. `count` may exceed the stack's capacity until the worker settles:
// the tasks above it went elsewhere.
template <class Set>
struct WorkerShared {
  std::uint64_t slot;  // Worker::broadcast.
  std::uint64_t tasks_run[Set::kTypes];
  std::uint64_t steals;
  std::uint32_t has_left;           // A lane has ended its thread, and the others are to.
  std::uint32_t own_chunks;         // A list of chunks that only this worker knows.
  std::uint32_t spare_chunk;        // An empty one that it keeps.
  std::uint32_t base[Set::kTypes];  // The oldest task's place in the ring that the stack is.
  std::uint32_t count[Set::kTypes];

  // For a WorkerRecord, where somebody may ask.
  std::uint32_t heartbeat;
  std::uint32_t last_tag;
  std::uint32_t last_task[kMaxTaskWords<Set>];
};

namespace internal {
MILLRACE_FUNCTION constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + 15) / 16 * 16;
}
}  // namespace internal

// Sizes, from the width of a worker; the same on host and device.
template <class Set>
class WorkerLayout {
 public:
  // A lane's share of all stacks: as a rule, with which 32 warps fill the shared memory of an H200
  // multiprocessor, and for large tasks. Whatever a type's width, all lanes may spawn tasks of it:
  // of those that are run one at a time and want scratch, which needs the room, two each suffice.
  static constexpr std::uint32_t kStackBytesPerLane = 208;
  static constexpr std::uint32_t kMostStackBytesPerLane = 512;
  static constexpr std::uint32_t kLeastCapacity = 8;

  MILLRACE_FUNCTION constexpr WorkerLayout(int lanes, int warp_width)
      : lanes_(lanes), warp_width_(warp_width) {}

  // Tasks a stack of type T holds.
  template <class T>
  MILLRACE_FUNCTION constexpr std::uint32_t capacity() const {
    const auto lanes = static_cast<std::uint32_t>(lanes_);
    const std::uint32_t task_bytes =
        4 * TaskWords<T>::kWords * static_cast<std::uint32_t>(Set::kTypes);
    const std::uint32_t share = kStackBytesPerLane * lanes / task_bytes;
    const std::uint32_t most_share = kMostStackBytesPerLane * lanes / task_bytes;
    const std::uint32_t wanted = kWantsScratchRoom<Set>    ? (share < 2 * lanes ? share : 2 * lanes)
                                 : share >= 2 * lanes      ? share
                                 : most_share >= 2 * lanes ? 2 * lanes
                                                           : most_share;
    return wanted < kLeastCapacity ? kLeastCapacity : wanted;
  }

  // A stack with more tasks than this is full: there might be no room for what a unit spawns.
  template <class T>
  MILLRACE_FUNCTION constexpr std::uint32_t full_from() const {
    const auto spawned = 5 * static_cast<std::uint32_t>(lanes_);
    const std::uint32_t all = capacity<T>();
    return all / 2 > spawned ? all - spawned : all / 2;
  }

  // A place in the ring that a stack is, up to twice its capacity, as a place in its memory.
  template <class T>
  MILLRACE_FUNCTION constexpr std::uint32_t in_ring(std::uint32_t place) const {
    const std::uint32_t all = capacity<T>();
    return place < all ? place : place - all;
  }

  // Tasks of type T a chunk holds: a unit, or some of which each is for many lanes.
  template <class T>
  MILLRACE_FUNCTION constexpr std::uint32_t chunk_capacity() const {
    const std::uint32_t unit = unit_of<Set, T>(lanes_, warp_width_);
    const std::uint32_t wanted = width_of<T>() == TaskWidth::kLane ? unit : 8 * unit;
    return wanted < capacity<T>() / 2 ? wanted : capacity<T>() / 2;
  }

  // Words of the largest chunk.
  template <std::size_t kTag = 0>
  MILLRACE_FUNCTION constexpr std::uint32_t chunk_words() const {
    using T = typename Set::template Type<kTag>;
    const std::uint32_t own = chunk_capacity<T>() * TaskWords<T>::kWords;
    if constexpr (kTag + 1 == Set::kTypes) {
      return own;
    } else {
      const std::uint32_t rest = chunk_words<kTag + 1>();
      return own > rest ? own : rest;
    }
  }

  // Where in a worker's memory the stack of the type with this tag begins; kTypes: their end.
  template <std::size_t kTag>
  MILLRACE_FUNCTION constexpr std::size_t stack_offset() const {
    if constexpr (kTag == 0) {
      return internal::aligned(sizeof(WorkerShared<Set>));
    } else {
      using Before = typename Set::template Type<kTag - 1>;
      return stack_offset<kTag - 1>() +
             internal::aligned(std::size_t{4} * TaskWords<Before>::kWords * capacity<Before>());
    }
  }

  // A word pair a lane; see OverflowChunk.
  MILLRACE_FUNCTION constexpr std::size_t overflow_offset() const {
    return kHasStacks<Set> ? stack_offset<Set::kTypes>() : stack_offset<0>();
  }
  MILLRACE_FUNCTION constexpr std::size_t worker_bytes() const {
    const std::size_t lanes_words = kHasStacks<Set> ? sizeof(std::uint64_t) * lanes_ : 0;
    return internal::aligned(overflow_offset() + lanes_words);
  }

  // Bytes of scratch for one task of type T, and of a worker for all it runs at a time.
  template <class T>
  MILLRACE_FUNCTION static constexpr std::size_t task_scratch_bytes() {
    return internal::aligned(scratch_bytes_of<T>());
  }
  template <std::size_t kTag = 0>
  MILLRACE_FUNCTION constexpr std::size_t scratch_bytes() const {
    using T = typename Set::template Type<kTag>;
    const std::size_t own = task_scratch_bytes<T>() * unit_of<Set, T>(lanes_, warp_width_);
    if constexpr (kTag + 1 == Set::kTypes) {
      return own;
    } else {
      const std::size_t rest = scratch_bytes<kTag + 1>();
      return own > rest ? own : rest;
    }
  }

  static constexpr std::size_t kBlockBytes = internal::aligned(sizeof(BlockShared));

 private:
  int lanes_;
  int warp_width_;
};

// Whether the scratch of tasks is small enough to be in shared memory whatever the device, which
// compilers then know. Said of the widest warps, of which a block has few.
template <class Set>
inline constexpr bool kSharesScratch =
    !kBlockWorkers<Set> &&
    WorkerLayout<Set>(/*lanes=*/64, /*warp_width=*/64).scratch_bytes() <= 12288;

// The calling thread's part of shared memory.
template <class Set>
class WorkerMemory {
 public:
  // `scratch` is device memory for all workers of the grid, or null when shared memory has it.
  MILLRACE_FUNCTION explicit WorkerMemory(char* scratch)
      : layout_(Worker<Set>::lanes(), warp_width()) {
    char* shared = shared_memory();
    const std::size_t worker = Worker<Set>::index();
    const std::size_t workers = Worker<Set>::workers();
    own_ = shared + WorkerLayout<Set>::kBlockBytes + worker * layout_.worker_bytes();
    if (!kSharesScratch<Set> && scratch != nullptr) {
      scratch_ = scratch + (block_index() * workers + worker) * layout_.scratch_bytes();
    } else {
      scratch_ = shared + WorkerLayout<Set>::kBlockBytes + workers * layout_.worker_bytes() +
                 worker * layout_.scratch_bytes();
    }
  }

  MILLRACE_FUNCTION const WorkerLayout<Set>& layout() const { return layout_; }
  MILLRACE_FUNCTION static BlockShared& block() {
    return *reinterpret_cast<BlockShared*>(shared_memory());
  }
  MILLRACE_FUNCTION WorkerShared<Set>& worker() const {
    return *reinterpret_cast<WorkerShared<Set>*>(own_);
  }
  template <class T>
  MILLRACE_FUNCTION std::uint32_t* stack() const {
    constexpr TaskTag kTag = Set::template tag_of<T>();
    return reinterpret_cast<std::uint32_t*>(own_ + layout_.template stack_offset<kTag>());
  }
  // The calling lane's.
  MILLRACE_FUNCTION std::uint64_t& overflow() const {
    return reinterpret_cast<std::uint64_t*>(own_ + layout_.overflow_offset())[Worker<Set>::lane()];
  }
  MILLRACE_FUNCTION char* scratch() const { return scratch_; }

  // To be called by all threads of the block, before anything else.
  MILLRACE_FUNCTION void clear() const {
    auto* const words = reinterpret_cast<std::uint32_t*>(&block());
    constexpr std::size_t kWords = sizeof(BlockShared) / sizeof(std::uint32_t);
    for (std::size_t i = thread_index(); i < kWords; i += block_threads()) words[i] = 0;
    if (Worker<Set>::is_leader()) worker() = {};
    if constexpr (kHasStacks<Set>) overflow() = 0;
    sync_block();
  }

 private:
  WorkerLayout<Set> layout_;
  char* own_;
  char* scratch_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_WORKER_MEMORY_H_
