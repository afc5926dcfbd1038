// SPDX-License-Identifier: Apache-2.0

// What every part of a running kernel may reach.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_RUN_MEMORY_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_RUN_MEMORY_H_

#include <cstdint>

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/chunk_pool.h>
#include <millrace/backends/gpu/device/run_control.h>
#include <millrace/backends/gpu/device/spill_ring.h>
#include <millrace/backends/gpu/device/worker_memory.h>

namespace millrace::MILLRACE_GPU {

// A kernel's argument.
struct RunMemory {
  Control* control;
  HostControl* host;
  ChunkPool pool;
  SpillRing ring;
  RecordedWorkers recorded;
  char* scratch;      // Null when shared memory has it.
  bool is_watched;    // The host may stop the run.
  Stop first_stop;    // What it said before the launch.
  bool is_whole_run;  // No other launch needs what this one leaves in Control.
};

// Tells all blocks. By any lane.
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

// The first failure of the run counts. By any lane.
MILLRACE_FUNCTION inline void fail_run(const RunMemory& memory, Failure failure, TaskTag tag,
                                       int code) {
  atomic_compare_exchange<gpu::Scope::kDevice, gpu::Order::kRelaxed>(
      &memory.control->failure, std::uint64_t{0}, failure_word(failure, tag, code));
  stop_run(memory, kDropped);
}

// Whether the run has failed: before any task has run, because its roots are wrong (root_types.h).
MILLRACE_FUNCTION inline bool has_failed(const RunMemory& memory) {
  return atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&memory.control->failure) != 0;
}

// When a block that looks now is to look again, in cycles. A look holds its worker up for some
// microseconds.
MILLRACE_FUNCTION inline std::uint64_t look_after(std::uint64_t now) {
  constexpr std::uint64_t kInterval = 600'000;  // Some 300 us.
  return now + kInterval * (1 + static_cast<std::uint64_t>(block_index()));
}

// For a block's first worker: whether it is time to look what the host wants. Reads of one place in
// pinned memory take a microsecond each, one after another, so few blocks look often.
MILLRACE_FUNCTION inline bool is_time_to_look(BlockShared& block) {
  const std::uint64_t now = clock_cycles();
  const std::uint64_t next =
      atomic_load<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block.next_look);
  if (now < next) return false;
  atomic_store<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block.next_look, look_after(now));
  return true;
}

// A Stop. No other load takes as long.
MILLRACE_FUNCTION inline std::uint32_t wish_of_host(const RunMemory& memory) {
  return atomic_load<gpu::Scope::kSystem, gpu::Order::kRelaxed>(&memory.host->stop);
}

MILLRACE_FUNCTION inline void heed_host(const RunMemory& memory, std::uint32_t wish) {
  if (wish != kRunning) stop_run(memory, static_cast<Stop>(wish));
}

// For a block's first worker, now and then.
MILLRACE_FUNCTION inline void look_at_host(const RunMemory& memory, BlockShared& block) {
  if (is_time_to_look(block)) heed_host(memory, wish_of_host(memory));
}

// What this block knows of the run's end. For all lanes of a worker only after a broadcast: it may
// change between two of them.
MILLRACE_FUNCTION inline Stop block_stop() {
  auto& block = *reinterpret_cast<BlockShared*>(shared_memory());
  return static_cast<Stop>(atomic_load<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block.stop));
}

// By all threads of the one block that is left: what the workers of a run share is as it was when
// the run began.
inline MILLRACE_FUNCTION void clear_run(const RunMemory& memory, bool has_chunks) {
  const auto clear = [](void* begin, std::size_t bytes) {
    auto* const words = static_cast<gpu::Vector16*>(begin);
    for (std::size_t i = thread_index(); i < bytes / sizeof(gpu::Vector16); i += block_threads()) {
      words[i] = gpu::Vector16{};
    }
  };
  clear(memory.control, sizeof(Control));
  if (!has_chunks) return;
  clear(&memory.pool.shard(0), memory.pool.shard_count() * sizeof(Shard));
  if (thread_index() == 0) memory.pool.clear();
}

// To be called by all threads of a block as the first thing of a kernel. Leaves in
// BlockShared::goes_on whether there is anything to do.
template <class Set>
MILLRACE_FUNCTION void start_block(const WorkerMemory<Set>& own, const RunMemory& memory) {
  own.clear();
  if (thread_index() == 0) {
    BlockShared& block = own.block();
    block.goes_on = has_failed(memory) ? 0 : 1;
    block.next_look = memory.is_watched ? look_after(clock_cycles()) : 0;
    if (memory.first_stop != kRunning) stop_run(memory, memory.first_stop);
  }
  sync_block();
}

// To be called by all threads of a block as the last thing of a kernel: the last block of the grid
// gives the host what the run has counted so far, if the host waits for this launch, and leaves
// zeros for the next.
template <class Set>
MILLRACE_FUNCTION void end_block(const RunMemory& memory, bool tells) {
  constexpr std::uint32_t kTypes = Set::kTypes;
  constexpr auto kDevice = gpu::Scope::kDevice;
  constexpr auto kRelaxed = gpu::Order::kRelaxed;
  auto& block = *reinterpret_cast<BlockShared*>(shared_memory());
  Control& control = *memory.control;
  sync_block();
  for (std::uint32_t i = thread_index(); i < kTypes; i += block_threads()) {
    if (block.tasks_run[i] > 0) reduce_add(&control.tasks_run[i], block.tasks_run[i]);
  }
  sync_block();
  if (thread_index() == 0) {
    if (block.steals > 0) reduce_add(&control.steals, block.steals);
    const std::uint64_t ended =
        atomic_add<kDevice, gpu::Order::kAcquireRelease>(&control.blocks_ended, std::uint64_t{1});
    block.is_last = ended + 1 == static_cast<std::uint64_t>(grid_blocks()) ? 1 : 0;
  }
  sync_block();
  if (block.is_last == 0) return;
  if (tells && thread_index() == 0) {
    HostControl& host = *memory.host;
    const auto read = [](const auto& word) { return atomic_load<kDevice, kRelaxed>(&word); };
    // Nothing is waited for before all is asked for.
    const std::uint64_t steals = read(control.steals);
    const std::uint64_t waves = read(control.waves);
    const std::uint64_t failure = read(control.failure);
    const std::uint32_t stop = read(control.stop);
    const std::uint64_t first = read(control.tasks_run[0]);
    host.tasks_run[0] = first;
    for (std::uint32_t i = 1; i < kTypes; ++i) host.tasks_run[i] = read(control.tasks_run[i]);
    host.steals = steals;
    host.waves = waves;
    host.failure = failure;
    host.was_stopped = stop;
    block.stop = stop;
  }
  sync_block();
  if (memory.is_whole_run) {
    // A stop is told to all shards.
    clear_run(memory, kHasStacks<Set> || block.stop != kRunning);
  } else if (thread_index() == 0) {
    // For the next launch of a run that the host drives.
    atomic_store<kDevice, kRelaxed>(&control.blocks_ended, std::uint64_t{0});
    atomic_store<kDevice, kRelaxed>(&control.root_ticket, std::uint64_t{0});
  }
  sync_block();
  if (!tells || thread_index() != 0) return;
  if (memory.is_watched) {
    atomic_store<gpu::Scope::kSystem, gpu::Order::kRelease>(&memory.host->finished, 1u);
  } else {
    // The end of the kernel is what the host waits for.
    atomic_store<gpu::Scope::kSystem, gpu::Order::kRelaxed>(&memory.host->finished, 1u);
  }
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_RUN_MEMORY_H_
