// SPDX-License-Identifier: Apache-2.0

// The search of an idle persistent worker: it polls the shards of all blocks for a chunk to steal.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_CHUNK_SEARCH_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_CHUNK_SEARCH_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/chunk_pool.h>
#include <millrace/backends/gpu/device/control/shard.h>
#include <millrace/backends/gpu/device/control/stop.h>
#include <millrace/backends/gpu/device/run_memory.h>
#include <millrace/backends/gpu/device/worker.h>
#include <millrace/backends/gpu/device/worker_memory.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

template <class Set>
class ChunkSearch {
  using Own = Worker<Set>;

 public:
  static constexpr std::uint64_t kEnd = ~std::uint64_t{0};  // No more chunks will come.

  MILLRACE_FUNCTION ChunkSearch(const RunMemory& run, const WorkerMemory<Set>& memory,
                                const Shard& own_shard)
      : run_(run), memory_(memory), own_shard_(own_shard) {}

  // Called by all lanes of the worker, after it has returned its token. Returns a chunk of any
  // shard, as Chunk::word, or kEnd.
  MILLRACE_FUNCTION std::uint64_t wait() const {
    std::uint64_t found = kNoChunk;
    if (Own::lane() < warp_width()) {
      await_search_turn();
      found = search();
    }
    return Own::broadcast(&memory_.worker().slot, found);
  }

  // Called by all lanes of the worker. Returns a chunk of any shard, as Chunk::word, or kNoChunk if
  // there is none now.
  MILLRACE_FUNCTION std::uint64_t find() const {
    std::uint64_t found = kNoChunk;
    if (Own::lane() < warp_width()) {
      const auto width = static_cast<std::uint32_t>(warp_width());
      for (std::uint32_t i = 0; i < run_.pool.shard_count() && found == kNoChunk; i += width) {
        found = search_shards(run_.pool.own_shard() + i);
      }
    }
    return Own::broadcast(&memory_.worker().slot, found);
  }

 private:
  // Called by the worker's first warp. One idle worker of a block at a time polls the shards. The
  // others sleep, because polling would take execution slots and memory bandwidth from workers that
  // have tasks (docs/experiments/how_persistent_workers_share_tasks.md). All lanes sleep, because
  // the warp would not yield for one lane.
  MILLRACE_FUNCTION void await_search_turn() const {
    constexpr auto kBlock = gpu::Scope::kBlock;
    for (;;) {
      const bool is_over =
          atomic_load<kBlock, gpu::Order::kRelaxed>(&block().done) != 0 || block_stop() == kDropped;
      const bool is_free = atomic_load<kBlock, gpu::Order::kRelaxed>(&block().poller) == 0;
      if (ballot(is_over) != 0) return;
      if (ballot(is_free) != 0) {
        std::uint32_t was_taken = 0;
        if (lane_index() == 0) {
          was_taken = atomic_exchange<kBlock, gpu::Order::kAcquireRelease>(&block().poller, 1u);
        }
        if (shuffle(was_taken, 0) == 0) return;
      }
      pause(1000);
    }
  }

  // Called by the worker's first warp. Returns a Chunk's word, or kEnd.
  MILLRACE_FUNCTION std::uint64_t search() const {
    const ChunkPool& pool = run_.pool;
    const auto width = static_cast<std::uint32_t>(warp_width());
    // Blocks of one shard start at different shards.
    const std::uint32_t blocks = static_cast<std::uint32_t>(block_index()) / pool.shard_count();
    std::uint32_t first = pool.own_shard() + width / 4 * blocks;
    for (;;) {
      std::uint64_t found = search_shards(first);
      first += width;
      if (found == kNoChunk && is_over_in_grid()) found = kEnd;
      if (found == kNoChunk) {
        if (lane_index() == 0) {
          atomic_store<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block().is_starved, 1u);
        }
        pause(64);  // A longer pause would be much of the time in which work spreads.
        continue;
      }
      if (lane_index() == 0) {
        atomic_store<gpu::Scope::kBlock, gpu::Order::kRelease>(&block().poller, 0u);
      }
      return found;
    }
  }

  MILLRACE_FUNCTION bool is_over_in_grid() const {
    std::uint32_t over = 0;
    if (lane_index() == 0) {
      over = atomic_load<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block().done);
      if (run_.is_watched) poll_host(run_, block());
      // Both loads are issued before either result is used.
      const std::uint32_t stop =
          atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&own_shard_.stop);
      const std::uint32_t done =
          atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&run_.control->done);
      over = over != 0 || block_stop() == kDropped || stop == kDropped || done != 0 ? 1 : 0;
      if (over != 0) atomic_store<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block().done, 1u);
    }
    return shuffle(over, 0) != 0;
  }

  // Polls as many shards as the warp has lanes, from `first` on, modulo the number of shards. This
  // costs one latency and less traffic than polling all of them. Different searchers poll different
  // shards.
  MILLRACE_FUNCTION std::uint64_t search_shards(std::uint32_t first) const {
    const ChunkPool& pool = run_.pool;
    const std::uint32_t shards = pool.shard_count();
    const std::uint32_t shard = (first + lane_index()) % shards;
    std::uint64_t list = 0;
    if (static_cast<std::uint32_t>(lane_index()) < shards) list = pool.published(shard);
    const gpu::LaneMask full = ballot(ChunkPool::count_in(list) > 0);
    if (full == 0) return kNoChunk;
    // Searchers start at different lanes; otherwise all of them would try to steal the same chunks.
    const auto width = static_cast<std::uint32_t>(warp_width());
    const std::uint32_t begin = 5 * first + 11 * static_cast<std::uint32_t>(block_index());
    for (std::uint32_t i = 0; i < width; ++i) {
      const int lane = static_cast<int>((begin + i) % width);
      if ((full >> lane & 1) == 0) continue;
      std::uint64_t chunk = kNoChunk;
      if (lane_index() == lane) {
        chunk = pool.steal(shard, list).word();
        if (chunk != kNoChunk && shard != pool.own_shard()) ++memory_.worker().steals;
      }
      chunk = shuffle(chunk, lane);
      if (chunk != kNoChunk) return chunk;
    }
    return kNoChunk;
  }

  MILLRACE_FUNCTION static BlockShared& block() { return WorkerMemory<Set>::block(); }

  const RunMemory& run_;
  const WorkerMemory<Set>& memory_;
  const Shard& own_shard_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_CHUNK_SEARCH_H_
