// SPDX-License-Identifier: Apache-2.0

// What the workers of a run share in device and in pinned memory.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_RUN_CONTROL_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_RUN_CONTROL_H_

#include <cstddef>
#include <cstdint>

#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/tasks/task_set.h>

namespace millrace::MILLRACE_GPU {

// Sets for GPUs have at most this many types: their queues are in shared memory.
inline constexpr std::size_t kMaxTypes = 32;

// What workers do with tasks they take; the largest value asked for holds.
enum Stop : std::uint32_t {
  kRunning,  // Run them.
  kKept,     // Send them to the host instead of running them.
  kDropped,  // Leave: a task has failed, or nobody wants the rest.
};

// The first failure of a run, in one word: 0 is none.
enum class Failure : std::uint64_t { kNone, kTask, kScratch, kTag };

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

// What a worker did until its kernel ended, in all launches of a run.
struct WorkerRecord {
  std::uint32_t heartbeat;                 // Times it took work.
  std::uint32_t tag;                       // Type of the last of them.
  std::uint32_t words[kMaxTaskBytes / 4];  // And the task.
};

// The records of a launch's workers.
struct RecordedWorkers {
  WorkerRecord* records = nullptr;  // One a worker; null when nobody may ask.
  bool adds = false;                // There is something in them, of launches before.
};

// What the blocks of a wave count together, for four waves in turn: in a wave they use those of the
// wave, and `reserved` and `chunks` of the next; of the wave before, some may still read
// `arrivals`; the fourth are set to zero.
inline constexpr std::uint32_t kWaveCounters = 4;
struct WaveCounters {
  alignas(128) std::uint64_t arrivals;
  alignas(128) std::uint64_t ticket;
  alignas(128) std::uint64_t reserved[kMaxTypes];
  alignas(128) std::uint64_t chunks;
};

// All zero when a run starts. Each group of words that is written together has a line of its own.
struct Control {
  alignas(128) std::uint64_t root_ticket;
  alignas(128) std::uint32_t stop;  // A Stop.

  alignas(128) std::uint64_t failure;

  alignas(128) std::uint64_t tokens;  // persistent_worker.h
  alignas(128) std::uint32_t done;

  // root_types.h
  alignas(128) std::uint64_t root_counts[kMaxTypes];
  std::uint32_t root_ends[kMaxTypes];  // Where the roots of each type end when gathered by type.
  std::uint32_t root_cursors[kMaxTypes];
  std::uint32_t root_blocks;

  // wave_barrier.h
  WaveCounters wave_counters[kWaveCounters];
  alignas(128) std::uint64_t published[kMaxTypes + 1];
  alignas(128) std::uint64_t waves;

  alignas(128) std::uint64_t tasks_run[kMaxTypes];
  std::uint64_t steals;
  std::uint64_t blocks_ended;
};

// Shared by the multiprocessors' blocks: a list of chunks to steal and one of free chunks. Empty
// lists are 0.
struct Shard {
  alignas(128) std::uint64_t published;
  std::uint32_t stop;  // Beside the word that every worker looks at.
  alignas(128) std::uint64_t free;
};

// A word that tells the host how a kernel of many waves goes on: how many have ended, and how many
// tasks the next one has.
struct WaveSight {
  static constexpr std::uint32_t kEvery = 32;  // Waves: writes to the host's memory have a price.

  MILLRACE_FUNCTION static std::uint64_t word(std::uint32_t waves, std::uint32_t tasks) {
    return static_cast<std::uint64_t>(waves) << 32 | tasks;
  }
  static double waves(std::uint64_t word) { return static_cast<double>(word >> 32); }
  static double tasks(std::uint64_t word) { return static_cast<double>(word & 0xffffffff); }
};

// Pinned, written by the device when a kernel has ended, but for `stop`, the host's, and `sight`.
struct HostControl {
  std::uint64_t sight;        // Of a kernel that runs waves: a WaveSight, 0 at first.
  std::uint32_t stop;         // A Stop.
  std::uint32_t finished;     // 1 when what follows is there.
  std::uint32_t was_stopped;  // The Stop that workers have seen.
  std::uint64_t failure;
  std::uint64_t tasks_run[kMaxTypes];
  std::uint64_t steals;
  std::uint64_t waves;
  std::uint32_t
      next_wave[kMaxTypes + 1];  // Tasks by type, then chunks, when the host drives waves.
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_RUN_CONTROL_H_
