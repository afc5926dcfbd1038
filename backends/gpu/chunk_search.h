// How a persistent worker without work finds some: it looks for a chunk in the shards of all
// blocks.
#ifndef MILLRACE_BACKENDS_GPU_CHUNK_SEARCH_H_
#define MILLRACE_BACKENDS_GPU_CHUNK_SEARCH_H_

#include <cstdint>

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/chunk_pool.h>
#include <millrace/backends/gpu/run_context.h>
#include <millrace/backends/gpu/worker.h>
#include <millrace/backends/gpu/worker_memory.h>

namespace millrace::MILLRACE_GPU {

template <class Set>
class ChunkSearch {
  using Own = Worker<Set>;

 public:
  static constexpr std::uint64_t kEnd = ~std::uint64_t{0};  // No more chunks will come.

  MILLRACE_FUNCTION ChunkSearch(const RunMemory& run, const WorkerMemory<Set>& memory,
                                const Shard& own_shard)
      : run_(run), memory_(memory), own_shard_(own_shard) {}

  // By all lanes of the worker, when it has given its token back: a chunk of any shard, or kEnd.
  MILLRACE_FUNCTION std::uint64_t wait() const {
    std::uint64_t found = kNoChunk;
    if (Own::lane() < warp_width()) {
      await_turn();
      found = search();
    }
    return Own::broadcast(&memory_.worker().slot, found);
  }

 private:
  // By the worker's first warp: of the idle workers of a block one at a time looks at the shards.
  // The others sleep: what they do while there is nothing to do, they take from those who have. All
  // lanes sleep, because a lane alone would not.
  MILLRACE_FUNCTION void await_turn() const {
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

  // By the worker's first warp: a chunk, or kEnd.
  MILLRACE_FUNCTION std::uint64_t search() const {
    for (unsigned nanoseconds = 64;; nanoseconds = nanoseconds < 512 ? 2 * nanoseconds : 512) {
      std::uint64_t found = is_over_in_grid() ? kEnd : kNoChunk;
      if (found == kNoChunk) found = search_shards();
      if (found == kNoChunk) {
        if (lane_index() == 0) {
          atomic_store<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block().is_hungry, 1u);
        }
        pause(nanoseconds);
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
      if (run_.is_watched) look_at_host(run_, block());
      over = over != 0 || block_stop() == kDropped ||
             atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&own_shard_.stop) == kDropped ||
             atomic_load<gpu::Scope::kDevice, gpu::Order::kAcquire>(&run_.control->done);
      if (over != 0) atomic_store<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block().done, 1u);
    }
    return shuffle(over, 0) != 0;
  }

  MILLRACE_FUNCTION std::uint32_t search_shards() const {
    const ChunkPool& pool = run_.pool;
    const std::uint32_t shards = pool.shard_count();
    const std::uint32_t own = pool.own_shard();
    // All loads are under way before the first is waited for; of a lane's shards, it remembers one.
    std::uint32_t candidate = shards;
    for (std::uint32_t place = lane_index(); place < shards; place += warp_width()) {
      const std::uint32_t shard = own + place < shards ? own + place : own + place - shards;
      if (pool.has_published(shard)) candidate = shard;
    }
    gpu::LaneMask full = ballot(candidate < shards);
    for (int lane = 0; full != 0; ++lane, full >>= 1) {
      if ((full & 1) == 0) continue;
      const std::uint32_t shard = shuffle(candidate, lane);
      std::uint32_t chunk = kNoChunk;
      if (lane_index() == 0) {
        chunk = pool.steal(shard);
        if (chunk != kNoChunk && shard != own) ++memory_.worker().steals;
      }
      chunk = shuffle(chunk, 0);
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

#endif  // MILLRACE_BACKENDS_GPU_CHUNK_SEARCH_H_
