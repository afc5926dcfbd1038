// SPDX-License-Identifier: Apache-2.0

// The words that all workers of a run share, in device memory.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_RUN_CONTROL_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_RUN_CONTROL_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/control/join_lists.h>
#include <millrace/backends/gpu/device/control/max_types.h>
#include <millrace/backends/gpu/device/control/wave_counters.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

// All zero when a run starts. Words that are written together share a cache line, and no others do.
struct RunControl {
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

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_RUN_CONTROL_H_
