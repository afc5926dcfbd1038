// SPDX-License-Identifier: Apache-2.0

// The memory that every part of a running kernel can reach, and the calls that start, stop and end
// a kernel.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_RUN_MEMORY_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_RUN_MEMORY_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/chunk_pool.h>
#include <millrace/backends/gpu/device/control/failure_word.h>
#include <millrace/backends/gpu/device/control/host_control.h>
#include <millrace/backends/gpu/device/control/run_control.h>
#include <millrace/backends/gpu/device/control/shard.h>
#include <millrace/backends/gpu/device/control/stop.h>
#include <millrace/backends/gpu/device/control/worker_record.h>
#include <millrace/backends/gpu/device/join_memory.h>
#include <millrace/backends/gpu/device/postponed_tasks.h>
#include <millrace/backends/gpu/device/spill_ring.h>
#include <millrace/backends/gpu/device/worker_memory.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

// A kernel's argument.
struct RunMemory {
  RunControl* control;
  HostControl* host;
  ChunkPool pool;
  SpillRing ring;
  JoinMemory joins;          // Empty if the set opens no joins.
  PostponedTasks postponed;  // Empty if the set has no levels.
  RecordedWorkers recorded;
  char* scratch;                // Null if scratch is in shared memory.
  const void* arguments;        // ArgumentsOf<Set> in memory that the device reads, or null.
  std::uint32_t poll_interval;  // Cycles between polls of the host by the first block.
  bool is_shared;               // True if the host may request chunks.
  bool is_watched;              // True if the host may stop the run.
  bool keeps_on_failure;        // True if tasks that have not started when one fails are kept.
  Stop first_stop;              // The host's Stop before the launch.
  // True if the launch clears RunControl at its end. It does not if it leaves a wave for the host.
  bool is_whole_run;
};

// Requests a stop of all blocks. May be called by any lane.
MILLRACE_FUNCTION inline void stop_run(const RunMemory& memory, Stop how) {
  atomic_max<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&memory.control->stop,
                                                        static_cast<std::uint32_t>(how));
  for (std::uint32_t i = 0; i < memory.pool.shard_count(); ++i) {
    atomic_max<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&memory.pool.shard(i).stop,
                                                          static_cast<std::uint32_t>(how));
  }
  auto& block = *reinterpret_cast<BlockShared*>(shared_memory());
  atomic_max<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block.stop,
                                                       static_cast<std::uint32_t>(how));
}

// Records a failure and stops the run; only the first failure of a run is kept. Tasks are kept, if
// the run requests it, after a failure that a task has stated: after others what it has left behind
// may be damaged. May be called by any lane.
MILLRACE_FUNCTION inline void fail_run(const RunMemory& memory, Failure failure, TaskTag tag,
                                       int code) {
  atomic_compare_exchange<gpu::Scope::kDevice, gpu::Order::kRelaxed>(
      &memory.control->failure, std::uint64_t{0}, failure_word(failure, tag, code));
  stop_run(memory, failure == Failure::kTask && memory.keeps_on_failure ? kKept : kDropped);
}

// Returns true if a launch has nothing to do: the run's roots are wrong (root_types.h), or a launch
// before it has failed. If tasks are kept, the launch sends them to the host.
MILLRACE_FUNCTION inline bool has_failed(const RunMemory& memory) {
  const std::uint64_t failure =
      atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&memory.control->failure);
  return failure != 0 && !(memory.keeps_on_failure && failure_of(failure) == Failure::kTask);
}

// The intervals between polls of the host, in cycles. A poll stalls its worker for some
// microseconds: every 300 us, a deadline makes short chains of tasks 2 % slower
// (docs/experiments/how_persistent_workers_share_tasks.md). A run that other devices share polls
// more often, for they wait meanwhile.
inline constexpr std::uint32_t kPollInterval = 600'000;  // 300 us at 2 GHz.
inline constexpr std::uint32_t kSharedPollInterval = 40'000;

// Returns the time of this block's next poll of the host, in cycles. Of a run that is shared, the
// first block polls most often, and the others seldom.
MILLRACE_FUNCTION inline std::uint64_t next_poll_after(const RunMemory& memory, std::uint64_t now) {
  const auto block = static_cast<std::uint64_t>(block_index());
  return now + memory.poll_interval + kPollInterval * block;
}

// Returns true if the block has to poll the host's stop flag now. Called by a block's first worker.
// Reads of one address in pinned memory are served one after another and take a microsecond each,
// so the interval grows with the block's index.
MILLRACE_FUNCTION inline bool is_poll_due(const RunMemory& memory, BlockShared& block) {
  const std::uint64_t now = clock_cycles();
  const std::uint64_t next =
      atomic_load<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block.next_poll);
  if (now < next) return false;
  atomic_store<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block.next_poll,
                                                         next_poll_after(memory, now));
  return true;
}

// Reads how many chunks the host has requested. Called by one lane of the first block at a time.
MILLRACE_FUNCTION inline void poll_wanted(const RunMemory& memory, BlockShared& block) {
  if (!memory.is_shared || block_index() != 0) return;
  const std::uint32_t wanted =
      atomic_load<gpu::Scope::kSystem, gpu::Order::kRelaxed>(&memory.host->wanted);
  const std::uint32_t before =
      atomic_exchange<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block.wanted_chunks, wanted);
  if (wanted != before) {
    atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block.chunks_to_give, wanted - before);
  }
}

// Returns the host's stop request, a Stop. This is the slowest load of a kernel.
MILLRACE_FUNCTION inline std::uint32_t read_host_stop(const RunMemory& memory) {
  return atomic_load<gpu::Scope::kSystem, gpu::Order::kRelaxed>(&memory.host->stop);
}

MILLRACE_FUNCTION inline void honour_host_stop(const RunMemory& memory, std::uint32_t stop) {
  if (stop != kRunning) stop_run(memory, static_cast<Stop>(stop));
}

// Polls the host's stop flag if that is due. Called by a block's first worker at intervals.
MILLRACE_FUNCTION inline void poll_host(const RunMemory& memory, BlockShared& block) {
  if (!is_poll_due(memory, block)) return;
  honour_host_stop(memory, read_host_stop(memory));
  poll_wanted(memory, block);
}

// Returns the stop request that this block knows of. Lanes of a worker may read different values,
// because it may change between two loads; they agree on one by a broadcast.
MILLRACE_FUNCTION inline Stop block_stop() {
  auto& block = *reinterpret_cast<BlockShared*>(shared_memory());
  return static_cast<Stop>(atomic_load<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block.stop));
}

// Restores the memory that the workers of a run share to its state before the run. Called by all
// threads of the last remaining block.
inline MILLRACE_FUNCTION void clear_run(const RunMemory& memory, bool has_chunks) {
  const auto clear = [](void* begin, std::size_t bytes) {
    auto* const words = static_cast<gpu::Vector16*>(begin);
    for (std::size_t i = thread_index(); i < bytes / sizeof(gpu::Vector16); i += block_threads()) {
      words[i] = gpu::Vector16{};
    }
  };
  clear(memory.control, sizeof(RunControl));
  if (!has_chunks) return;
  clear(&memory.pool.shard(0), memory.pool.shard_count() * sizeof(Shard));
  if (thread_index() == 0) memory.pool.clear();
}

// Called by all threads of a block as the first action of a kernel. Sets BlockShared::has_work to 1
// if there is work.
template <class Set>
MILLRACE_FUNCTION void start_block(const WorkerMemory<Set>& own, const RunMemory& memory) {
  own.clear();
  if (thread_index() == 0) {
    BlockShared& block = own.block();
    block.has_work = has_failed(memory) ? 0 : 1;
    block.next_poll = memory.is_watched ? next_poll_after(memory, clock_cycles()) : 0;
    if (memory.first_stop != kRunning) stop_run(memory, memory.first_stop);
  }
  sync_block();
}

// Called by all threads of a block as the last action of a kernel. The last block of the grid gives
// the host the counts of the run so far, if the host waits for this launch (`notifies_host`), and
// prepares the memory for the next launch: of another run if `ends_run`.
template <class Set>
MILLRACE_FUNCTION void end_block(const RunMemory& memory, bool notifies_host, bool ends_run) {
  constexpr std::uint32_t kTypes = Set::kTypes;
  constexpr auto kDevice = gpu::Scope::kDevice;
  constexpr auto kRelaxed = gpu::Order::kRelaxed;
  auto& block = *reinterpret_cast<BlockShared*>(shared_memory());
  RunControl& control = *memory.control;
  sync_block();
  for (std::uint32_t i = thread_index(); i < kTypes; i += block_threads()) {
    if (block.tasks_run[i] > 0) reduce_add(&control.tasks_run[i], block.tasks_run[i]);
  }
  sync_block();
  if (thread_index() == 0) {
    if (block.steals > 0) reduce_add(&control.steals, block.steals);
    if constexpr (Set::kOpensJoins) {
      if (block.opened_joins != 0) reduce_add(&control.opened_joins, block.opened_joins);
    }
    const std::uint64_t ended =
        atomic_add<kDevice, gpu::Order::kAcquireRelease>(&control.blocks_ended, std::uint64_t{1});
    block.is_last = ended + 1 == static_cast<std::uint64_t>(grid_blocks()) ? 1 : 0;
  }
  sync_block();
  if (block.is_last == 0) return;
  if constexpr (Set::kOpensJoins) {
    if (thread_index() == 0) {
      const std::uint64_t scanned = atomic_load<kDevice, kRelaxed>(&control.scanned_joins);
      atomic_max<kDevice, kRelaxed>(&control.used_joins, scanned);
    }
  }
  if (notifies_host && thread_index() == 0) {
    HostControl& host = *memory.host;
    const auto read = [](const auto& word) { return atomic_load<kDevice, kRelaxed>(&word); };
    // All loads are issued before the first result is used.
    const std::uint64_t steals = read(control.steals);
    const std::uint64_t waves = read(control.waves);
    const std::uint64_t failure = read(control.failure);
    const std::uint32_t stop = read(control.stop);
    const std::uint64_t first = read(control.tasks_run[0]);
    host.tasks_run[0] = first;
    for (std::uint32_t i = 1; i < kTypes; ++i) host.tasks_run[i] = read(control.tasks_run[i]);
    if constexpr (Set::kOpensJoins) {
      host.opened_joins = read(control.opened_joins);
      host.used_joins = read(control.used_joins);
      host.joins_ran_out = read(control.joins_ran_out);
    }
    host.steals = steals;
    host.waves = waves;
    host.failure = failure;
    host.was_stopped = stop;
    block.stop = stop;
  }
  sync_block();
  if (ends_run) {
    // A stop has written to all shards.
    clear_run(memory, kHasStacks<Set> || block.stop != kRunning);
  } else if (thread_index() == 0) {
    atomic_store<kDevice, kRelaxed>(&control.blocks_ended, std::uint64_t{0});
    atomic_store<kDevice, kRelaxed>(&control.root_ticket, std::uint64_t{0});
    if constexpr (Set::kOpensJoins) {
      for (std::uint64_t* const word :
           {&control.join_lists.full, &control.join_lists.empty, &control.join_lists.used_magazines,
            &control.join_lists.records}) {
        atomic_store<kDevice, kRelaxed>(word, std::uint64_t{0});
      }
      atomic_store<kDevice, kRelaxed>(&control.scanned_joins, std::uint64_t{0});
    }
  }
  sync_block();
  if (!notifies_host || thread_index() != 0) return;
  if (memory.is_watched) {
    atomic_store<gpu::Scope::kSystem, gpu::Order::kRelease>(&memory.host->finished, 1u);
  } else {
    // The host waits for the end of the kernel, so no release is needed.
    atomic_store<gpu::Scope::kSystem, gpu::Order::kRelaxed>(&memory.host->finished, 1u);
  }
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_RUN_MEMORY_H_
