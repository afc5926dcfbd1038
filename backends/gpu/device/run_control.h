// SPDX-License-Identifier: Apache-2.0

// The words that the workers of a run share in device memory and in pinned memory.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_RUN_CONTROL_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_RUN_CONTROL_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

// Largest number of types in a set that runs on GPUs: each type has a queue in shared memory.
inline constexpr std::size_t kMaxTypes = 32;

// Says what workers do with the tasks they take. The largest value requested wins.
enum Stop : std::uint32_t {
  kRunning,  // Run them.
  kKept,     // Send them to the host instead of running them.
  kDropped,  // Drop them and return: the rest is not needed, or cannot be kept.
};

// The first failure of a run, packed into one word; 0 is no failure.
enum class Failure : std::uint64_t { kNone, kTask, kScratch, kTag, kArrival, kJoin };

MILLRACE_FUNCTION constexpr std::uint64_t failure_word(Failure failure, TaskTag tag, int code) {
  return static_cast<std::uint64_t>(failure) << 56 | static_cast<std::uint64_t>(tag) << 48 |
         static_cast<std::uint32_t>(code);
}
MILLRACE_FUNCTION constexpr Failure failure_of(std::uint64_t word) {
  return static_cast<Failure>(word >> 56);
}
MILLRACE_FUNCTION constexpr TaskTag failed_tag(std::uint64_t word) {
  return static_cast<TaskTag>(word >> 48 & 0xff);
}
MILLRACE_FUNCTION constexpr int failure_code(std::uint64_t word) {
  return static_cast<int>(static_cast<std::uint32_t>(word));
}

// Records the work of a worker until its kernel ended, summed over all launches of a run.
struct WorkerRecord {
  std::uint32_t heartbeat;                 // Number of times the worker took work.
  std::uint32_t tag;                       // Type of the task taken last.
  std::uint32_t words[kMaxTaskBytes / 4];  // The task taken last.
};

// The records of a launch's workers.
struct RecordedWorkers {
  WorkerRecord* records = nullptr;  // One per worker; null if the run is not watched.
  bool adds = false;                // True if the records hold counts of earlier launches.
};

// Counters that all blocks update during a wave. There are four sets, used in rotation. During a
// wave, blocks use the set of the wave, and `reserved` and `chunks` of the next set. Some blocks
// may still read `arrivals` of the previous set. The fourth set is cleared.
inline constexpr std::uint32_t kWaveCounters = 4;
struct WaveCounters {
  alignas(128) std::uint64_t arrivals;
  alignas(128) std::uint64_t ticket;
  alignas(128) std::uint64_t reserved[kMaxTypes];
  alignas(128) std::uint64_t chunks;
};

// The lists of join_depot.h, all zero when a launch starts.
struct JoinLists {
  alignas(128) std::uint64_t full;
  alignas(128) std::uint64_t empty;
  std::uint64_t used_magazines;  // Beyond those that workers begin with.
  alignas(128) std::uint64_t records;
};

// All zero when a run starts. Words that are written together share a cache line, and no others do.
struct Control {
  alignas(128) std::uint64_t root_ticket;
  alignas(128) std::uint32_t stop;  // A Stop.

  alignas(128) std::uint64_t failure;

  alignas(128) std::uint64_t tokens;  // Used by persistent_worker.h.
  alignas(128) std::uint32_t done;

  // Used by root_types.h.
  alignas(128) std::uint64_t root_counts[kMaxTypes];
  std::uint32_t root_ends[kMaxTypes];  // End of each type's roots in the array gathered by type.
  std::uint32_t root_cursors[kMaxTypes];
  std::uint32_t root_blocks;

  // Used by wave_barrier.h.
  WaveCounters wave_counters[kWaveCounters];
  alignas(128) std::uint64_t published[kMaxTypes + 1];
  alignas(128) std::uint64_t waves;

  // Used by lane_joins.h.
  JoinLists join_lists;
  alignas(128) std::uint64_t scanned_joins;
  std::uint64_t used_joins;                  // Records that any launch of the run has read.
  alignas(128) std::uint32_t joins_ran_out;  // Nonzero if a task has found no record.

  alignas(128) std::uint64_t tasks_run[kMaxTypes];
  std::uint64_t steals;
  std::uint64_t opened_joins;  // Less those that have ended; modulo 2^64.
  std::uint64_t blocks_ended;
};

// A list of chunks to steal and a list of free chunks, shared by the blocks of a multiprocessor.
// The word of an empty list is 0.
struct Shard {
  alignas(128) std::uint64_t published;
  std::uint32_t stop;  // Copy of Control::stop, next to the word that every worker polls.
  alignas(128) std::uint64_t free;
};

// Pinned memory. The host writes `stop` and `wanted`. The device writes `progress` while it runs,
// and the rest when a kernel has ended.
struct HostControl {
  std::uint64_t progress;     // A word of wave_progress.h, of a kernel that runs waves; 0 at first.
  std::uint32_t stop;         // A Stop.
  std::uint32_t wanted;       // Chunks that the host has requested so far, for other devices.
  std::uint32_t finished;     // 1 when the words below are valid.
  std::uint32_t was_stopped;  // The Stop that workers have observed.
  std::uint64_t failure;
  std::uint64_t tasks_run[kMaxTypes];
  std::uint64_t steals;
  std::uint64_t waves;
  std::uint64_t opened_joins;  // See Control.
  std::uint64_t used_joins;
  std::uint32_t joins_ran_out;
  // Tasks by type, then chunks, if the host drives the waves; tasks that a WaveGoal has left.
  std::uint32_t next_wave[kMaxTypes + 1];
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_RUN_CONTROL_H_
