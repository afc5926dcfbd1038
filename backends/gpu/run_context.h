// What every part of a running kernel may reach.
#ifndef MILLRACE_BACKENDS_GPU_RUN_CONTEXT_H_
#define MILLRACE_BACKENDS_GPU_RUN_CONTEXT_H_

#include <cstdint>

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/chunk_pool.h>
#include <millrace/backends/gpu/run_memory.h>
#include <millrace/backends/gpu/spill_ring.h>
#include <millrace/backends/gpu/worker_memory.h>

namespace millrace::MILLRACE_GPU {

// A kernel's argument.
struct RunMemory {
  Control* control;
  HostControl* host;
  ChunkPool pool;
  SpillRing ring;
  WorkerRecord* records;  // One a worker; null when nobody may ask.
  char* scratch;          // Null when shared memory has it.
  bool is_watched;        // The host may stop the run.
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

// For a block's first worker, now and then: looks whether the host wants the run stopped. Reading
// pinned memory takes microseconds, so blocks look one after another, the first ones often.
MILLRACE_FUNCTION inline void look_at_host(const RunMemory& memory, BlockShared& block) {
  constexpr std::uint64_t kInterval = 20'000;
  const std::uint64_t now = clock_ns();
  const std::uint64_t last =
      atomic_load<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block.last_look);
  if (now - last < kInterval * (1 + static_cast<std::uint64_t>(block_index()) % 256)) return;
  atomic_store<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block.last_look, now);
  const std::uint32_t asked =
      atomic_load<gpu::Scope::kSystem, gpu::Order::kRelaxed>(&memory.host->stop);
  if (asked != kRunning) stop_run(memory, static_cast<Stop>(asked));
}

// What this block knows of the run's end. For all lanes of a worker only after a broadcast: it may
// change between two of them.
MILLRACE_FUNCTION inline Stop block_stop() {
  auto& block = *reinterpret_cast<BlockShared*>(shared_memory());
  return static_cast<Stop>(atomic_load<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block.stop));
}

// To be called by all threads of a block as the first thing of a kernel. Leaves in
// BlockShared::goes_on whether there is anything to do.
template <class Set>
MILLRACE_FUNCTION void start_block(const WorkerMemory<Set>& own, const RunMemory& memory) {
  own.clear();
  if (thread_index() == 0) {
    BlockShared& block = own.block();
    block.goes_on = has_failed(memory) ? 0 : 1;
    block.last_look = memory.is_watched ? clock_ns() : 0;
    // The host may have said so before the start.
    if (memory.records != nullptr) {
      const std::uint32_t asked =
          atomic_load<gpu::Scope::kSystem, gpu::Order::kRelaxed>(&memory.host->stop);
      if (asked != kRunning) stop_run(memory, static_cast<Stop>(asked));
    }
  }
  sync_block();
}

// To be called by all threads of a block as the last thing of a kernel: the last block of the grid
// gives the host what the run has counted so far, if the host waits for this launch.
inline MILLRACE_FUNCTION void end_block(const RunMemory& memory, std::uint32_t types, bool tells) {
  sync_block();
  if (thread_index() != 0) return;
  Control& control = *memory.control;
  const std::uint64_t ended = atomic_add<gpu::Scope::kDevice, gpu::Order::kAcquireRelease>(
      &control.blocks_ended, std::uint64_t{1});
  if (ended + 1 != static_cast<std::uint64_t>(grid_blocks())) return;
  // For the next launch of a run that the host drives.
  atomic_store<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&control.blocks_ended, std::uint64_t{0});
  atomic_store<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&control.root_ticket, std::uint64_t{0});
  if (!tells) return;
  HostControl& host = *memory.host;
  const auto read = [](const std::uint64_t& word) {
    return atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&word);
  };
  for (std::uint32_t i = 0; i < types; ++i) host.tasks_run[i] = read(control.tasks_run[i]);
  host.steals = read(control.steals);
  host.waves = read(control.waves);
  host.failure = read(control.failure);
  host.was_stopped = atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&control.stop);
  atomic_store<gpu::Scope::kSystem, gpu::Order::kRelease>(&host.finished, 1u);
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_RUN_CONTEXT_H_
