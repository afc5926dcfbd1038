// SPDX-License-Identifier: Apache-2.0

// The shared memory of a block: first the words that its workers share, then for each worker a
// stack of waiting tasks per type and the scratch of its tasks.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_WORKER_MEMORY_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_WORKER_MEMORY_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/control/max_types.h>
#include <millrace/backends/gpu/device/lane_slots.h>
#include <millrace/backends/gpu/device/task_words.h>
#include <millrace/backends/gpu/device/worker.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace millrace::MILLRACE_GPU {

// Describes how a UnitSource distributes units. The workers of a block share it.
struct UnitSplit {
  std::uint32_t count;      // Number of units.
  std::uint32_t owned;      // Number of units that belong to one worker each; these come first.
  std::uint32_t range;      // Units that one ticket hands out.
  std::uint32_t piece;      // Units that a worker takes at a time.
  std::uint32_t first;      // Units below this index need no ticket.
  std::uint32_t slice_end;  // End of the units that belong to the block; 0 if none do.
};

struct BlockShared {
  std::uint64_t range;  // Used by unit_source.h.
  UnitSplit split;
  std::uint32_t slice_begin;  // First unit of the block's slice that has not been taken.
  std::uint64_t next_poll;    // Time of the next poll of the host's flag, on clock_cycles().
  std::uint32_t stop;         // A Stop, as known to this block.
  // Chunks that the host has requested, as read last, and those that have not been given yet.
  std::uint32_t wanted_chunks;
  std::uint32_t chunks_to_give;
  std::uint32_t done;    // Nonzero if no work is pending anywhere.
  std::uint32_t poller;  // Nonzero while an idle worker of the block searches for work.
  // Nonzero after a search found nothing, until a worker of the block shares tasks.
  std::uint32_t is_starved;
  std::uint32_t is_sharing;  // Nonzero while a worker of the block shares tasks.
  std::uint32_t is_last;     // Nonzero in the last block of the grid, at the end.
  std::uint64_t steals;      // Counts of all workers of the block.
  std::uint64_t tasks_run[kMaxTypes];
  std::uint64_t opened_joins;  // Less those that have ended; modulo 2^64.

  // State of a wave (wave_worker.h): the number of tasks of each type that it runs, then of chunks.
  // `spawned` counts the tasks that the block has spawned for the next wave.
  std::uint32_t wave[kMaxTypes + 1];
  std::uint32_t wave_stop;  // The Stop that all blocks know of at the beginning of the wave.
  std::uint32_t spawned[kMaxTypes];
  std::uint32_t has_chunks;
  // Nonzero if the last search for a free chunk failed and none has been freed since.
  std::uint32_t has_no_chunks;
  std::uint32_t has_work;
  std::uint32_t is_too_large;  // Nonzero if the wave is too large for this launch.
  std::uint32_t ended_waves;   // Number of waves whose end the first warp has awaited.
};

// The free records for joins of a worker (lane_joins.h). `free_joins` may exceed the window until
// the worker prepares its next unit: the records above it were stored elsewhere.
struct WorkerJoins {
  std::uint32_t free_joins;    // Records in the window.
  std::uint32_t wanted_joins;  // Used while lanes take records.
  std::uint32_t new_joins;     // The first record of the worker's range that it has not read.
  std::uint32_t new_joins_end;
  // The magazine that the worker uses, and another. Each is the index plus 1, or 0 at first.
  std::uint32_t magazine;
  std::uint32_t spare_magazine;
  std::uint32_t stacked_joins;  // Records in the magazine that it uses.
  std::uint32_t is_spare_full;  // Otherwise the spare one is empty.
};

struct NoWorkerJoins {};

// Words that a worker's lanes share. `count` may exceed the stack's capacity until the worker calls
// settle(): the tasks above it were stored elsewhere.
template <class Set>
struct WorkerShared : std::conditional_t<Set::kOpensJoins, WorkerJoins, NoWorkerJoins> {
  std::uint64_t slot;  // Used by Worker::broadcast.
  std::uint64_t tasks_run[Set::kTypes];
  std::uint64_t steals;
  std::uint32_t has_exited;       // Nonzero if a lane has exited; the other lanes must exit too.
  std::uint32_t own_chunks;       // Head of a list of chunks that only this worker knows.
  std::uint32_t own_chunk_count;  // Chunks in it.
  std::uint32_t spare_chunk;      // An empty chunk that the worker keeps.
  // Index of the oldest task in the ring that is the stack; in waves, the position of the stack's
  // first task in the next wave (wave_stacks.h).
  std::uint32_t base[Set::kTypes];
  std::uint32_t count[Set::kTypes];

  // Written to a WorkerRecord if the run is watched.
  std::uint32_t heartbeat;
  std::uint32_t last_tag;
  std::uint32_t last_task[kMaxTaskWords<Set>];
};

namespace internal {
MILLRACE_FUNCTION constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + 15) / 16 * 16;
}
}  // namespace internal

// Sizes that follow from the width of a worker; the same on host and device.
template <class Set>
class WorkerLayout {
 public:
  // Bytes of all stacks per lane. The first is the usual value: with it, 32 warps fill the shared
  // memory of an H200 multiprocessor. The second is the limit for large tasks. Whatever a type's
  // width, all lanes may spawn tasks of it. If a worker runs one task at a time and tasks use
  // scratch, two tasks per lane suffice, because scratch needs the space.
  static constexpr std::uint32_t kStackBytesPerLane = Set::kOpensJoins ? 192 : 208;
  static constexpr std::uint32_t kMaxStackBytesPerLane = 512;
  static constexpr std::uint32_t kMinCapacity = 8;

  MILLRACE_FUNCTION constexpr WorkerLayout(int lanes, int warp_width)
      : lanes_(lanes), warp_width_(warp_width) {}

  // Returns the number of tasks that a stack of type T holds.
  template <class T>
  MILLRACE_FUNCTION constexpr std::uint32_t capacity() const {
    const auto lanes = static_cast<std::uint32_t>(lanes_);
    const std::uint32_t task_bytes =
        4 * TaskWords<T>::kWords * static_cast<std::uint32_t>(Set::kTypes);
    const std::uint32_t usual = kStackBytesPerLane * lanes / task_bytes;
    const std::uint32_t limit = kMaxStackBytesPerLane * lanes / task_bytes;
    const std::uint32_t wanted = kReservesScratch<Set> ? (usual < 2 * lanes ? usual : 2 * lanes)
                                 : usual >= 2 * lanes  ? usual
                                 : limit >= 2 * lanes  ? 2 * lanes
                                                       : limit;
    return wanted < kMinCapacity ? kMinCapacity : wanted;
  }

  // Returns the number of tasks above which a stack counts as full: it might not hold what the next
  // unit spawns.
  template <class T>
  MILLRACE_FUNCTION constexpr std::uint32_t full_from() const {
    const auto spawned = 5 * static_cast<std::uint32_t>(lanes_);
    const std::uint32_t all = capacity<T>();
    return all / 2 > spawned ? all - spawned : all / 2;
  }

  // Maps a position in a stack's ring, below twice its capacity, to an index into its memory.
  template <class T>
  MILLRACE_FUNCTION constexpr std::uint32_t in_ring(std::uint32_t position) const {
    const std::uint32_t all = capacity<T>();
    return position < all ? position : position - all;
  }

  // Returns the number of tasks of type T in a chunk: a unit or, if a task occupies many lanes,
  // several units.
  template <class T>
  MILLRACE_FUNCTION constexpr std::uint32_t chunk_capacity() const {
    const std::uint32_t unit = unit_of<Set, T>(lanes_, warp_width_);
    const std::uint32_t wanted = width_of<T>() == TaskWidth::kLane ? unit : 8 * unit;
    return wanted < capacity<T>() / 2 ? wanted : capacity<T>() / 2;
  }

  // Returns the words of the largest chunk.
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

  // Returns the offset in a worker's memory of the stack of the type with this tag; for kTypes, the
  // end of the last stack.
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

  // Offset of an array with one 64-bit word per lane; see OverflowChunk.
  MILLRACE_FUNCTION constexpr std::size_t overflow_offset() const {
    return kHasStacks<Set> ? stack_offset<Set::kTypes>() : stack_offset<0>();
  }
  // Offset of an array of join_window() words; see LaneJoins.
  MILLRACE_FUNCTION constexpr std::size_t join_window_offset() const {
    const std::size_t lanes_words = kHasStacks<Set> ? sizeof(std::uint64_t) * lanes_ : 0;
    return internal::aligned(overflow_offset() + lanes_words);
  }
  MILLRACE_FUNCTION constexpr std::uint32_t join_window() const {
    return Set::kOpensJoins ? 3 * static_cast<std::uint32_t>(lanes_) : 0;
  }
  MILLRACE_FUNCTION constexpr std::size_t worker_bytes() const {
    return internal::aligned(join_window_offset() + sizeof(std::uint32_t) * join_window());
  }

  // Bytes of scratch: of one task of type T, and of all tasks that a worker runs at a time.
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

// True if the scratch of tasks is small enough for shared memory on every device, which lets the
// compiler assume it. Computed for the widest warps, of which a block has fewest.
template <class Set>
inline constexpr bool kSharesScratch =
    !kBlockWorkers<Set> &&
    WorkerLayout<Set>(/*lanes=*/64, /*warp_width=*/64).scratch_bytes() <= 12288;

// Returns true if a worker of the widest warps, with a stack for each lane, fits into 64 KiB, the
// shared memory of the devices that have such warps.
template <class Set>
constexpr bool lane_stacks_fit() {
  const WorkerLayout<Set> widest(/*lanes=*/64, /*warp_width=*/64);
  return WorkerLayout<Set>::kBlockBytes + widest.worker_bytes() + 64 * LaneSlots<Set>::kLaneBytes <=
         65536;
}

// True if lanes of persistent workers have stacks.
template <class Set>
inline constexpr bool kAllowsLaneStacks = kSuitsLaneStacks<Set>&& lane_stacks_fit<Set>();

// Bytes of shared memory that a thread of a persistent worker has for its stack.
template <class Set>
constexpr std::size_t lane_stack_bytes() {
  if constexpr (kAllowsLaneStacks<Set>) return LaneSlots<Set>::kLaneBytes;
  return 0;
}

// The calling thread's part of shared memory.
template <class Set>
class WorkerMemory {
 public:
  // `scratch` is device memory for all workers of the grid, or null if scratch is in shared memory.
  MILLRACE_FUNCTION explicit WorkerMemory(char* scratch)
      : layout_(Worker<Set>::lanes(), warp_width()) {
    char* shared = shared_memory();
    const std::size_t worker = Worker<Set>::index();
    const std::size_t workers = Worker<Set>::workers();
    own_ = memory_of(worker);
    if (!kSharesScratch<Set> && scratch != nullptr) {
      scratch_ = scratch + (block_index() * workers + worker) * layout_.scratch_bytes();
    } else {
      scratch_ = shared + WorkerLayout<Set>::kBlockBytes + workers * layout_.worker_bytes() +
                 worker * layout_.scratch_bytes();
    }
    if constexpr (kAllowsLaneStacks<Set>) {
      lanes_ = reinterpret_cast<std::uint32_t*>(shared + WorkerLayout<Set>::kBlockBytes +
                                                workers * layout_.worker_bytes() +
                                                worker * warp_width() * lane_stack_bytes<Set>()) +
               Worker<Set>::lane();
    }
  }

  MILLRACE_FUNCTION const WorkerLayout<Set>& layout() const { return layout_; }
  MILLRACE_FUNCTION static BlockShared& block() {
    return *reinterpret_cast<BlockShared*>(shared_memory());
  }
  MILLRACE_FUNCTION WorkerShared<Set>& worker() const {
    return *reinterpret_cast<WorkerShared<Set>*>(own_);
  }
  // Returns the words of a worker of the block.
  MILLRACE_FUNCTION WorkerShared<Set>& worker(int index) const {
    return *reinterpret_cast<WorkerShared<Set>*>(memory_of(static_cast<std::size_t>(index)));
  }
  template <class T>
  MILLRACE_FUNCTION std::uint32_t* stack() const {
    constexpr TaskTag kTag = Set::template tag_of<T>();
    return reinterpret_cast<std::uint32_t*>(own_ + layout_.template stack_offset<kTag>());
  }
  // Returns the calling lane's word.
  MILLRACE_FUNCTION std::uint64_t& overflow() const {
    return reinterpret_cast<std::uint64_t*>(own_ + layout_.overflow_offset())[Worker<Set>::lane()];
  }
  MILLRACE_FUNCTION std::uint32_t* join_window() const {
    return reinterpret_cast<std::uint32_t*>(own_ + layout_.join_window_offset());
  }
  MILLRACE_FUNCTION char* scratch() const { return scratch_; }
  // Returns the first word of a slot of the calling lane's stack (lane_slots.h).
  MILLRACE_FUNCTION std::uint32_t* lane_slot(std::uint32_t index) const {
    return lanes_ + index * (LaneSlots<Set>::kWords * static_cast<std::uint32_t>(warp_width()));
  }

  // Called by all threads of the block, before any other use.
  MILLRACE_FUNCTION void clear() const {
    auto* const words = reinterpret_cast<std::uint32_t*>(&block());
    constexpr std::size_t kWords = sizeof(BlockShared) / sizeof(std::uint32_t);
    for (std::size_t i = thread_index(); i < kWords; i += block_threads()) words[i] = 0;
    if (Worker<Set>::is_leader()) worker() = {};
    if constexpr (kHasStacks<Set>) overflow() = 0;
    sync_block();
  }

 private:
  MILLRACE_FUNCTION char* memory_of(std::size_t worker) const {
    return shared_memory() + WorkerLayout<Set>::kBlockBytes + worker * layout_.worker_bytes();
  }

  WorkerLayout<Set> layout_;
  char* own_;
  char* scratch_;
  std::uint32_t* lanes_ = nullptr;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_WORKER_MEMORY_H_
