// SPDX-License-Identifier: Apache-2.0

// Distributes the units of a wave or of a queue's roots, numbered from 0, to the workers of all
// blocks.
//
// First come pieces that belong to one worker each and need no synchronization. The workers of a
// block share the rest: a slice that belongs to the block or, in long queues, one range after
// another. The block gets a range by a ticket of the grid, so the grid's counter is updated rarely.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_UNIT_SOURCE_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_UNIT_SOURCE_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/worker_memory.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

struct UnitRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  MILLRACE_FUNCTION constexpr bool empty() const { return begin >= end; }
  MILLRACE_FUNCTION constexpr std::uint64_t word() const {
    return begin | static_cast<std::uint64_t>(end) << 32;
  }
  MILLRACE_FUNCTION static UnitRange from(std::uint64_t word) {
    return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)};
  }
};

namespace internal {

// Most units belong to one worker each. The rest is divided into one slice per block, which the
// block's workers share.
template <class Set>
MILLRACE_FUNCTION void start_slices(BlockShared& block, std::uint32_t count) {
  const std::uint32_t workers = Worker<Set>::workers();
  const std::uint32_t blocks = grid_blocks();
  const std::uint32_t fair = count / blocks + 1;
  const std::uint32_t piece = Set::kSpawns || fair < 64 * workers ? 1
                              : fair < 128 * workers              ? 8
                                                                  : 16;
  const std::uint32_t rounds = (Set::kSpawns ? fair / 4 * 3 : fair / 8 * 7) / (workers * piece);
  const std::uint32_t slice = fair - rounds * workers * piece;
  const std::uint32_t owned = rounds * workers * piece * blocks;
  const std::uint32_t begin = owned + slice * block_index();
  block.slice_begin = begin < count ? begin : count;
  block.split = {.count = count,
                 .owned = owned,
                 .range = 1,
                 .piece = piece,
                 .first = count,
                 .slice_end = count - block.slice_begin > slice ? begin + slice : count};
}

// With `starts_full`, most units belong to one worker each, and each block has a first range of the
// others. Tickets hand out the rest.
template <class Set>
MILLRACE_FUNCTION void start_tickets(BlockShared& block, std::uint32_t count, bool starts_full) {
  // Units of tasks that spawn may take any time, so pieces have one unit.
  constexpr std::uint32_t kMaxPiece = Set::kSpawns ? 1 : 16;
  const std::uint32_t workers = Worker<Set>::workers();
  const std::uint32_t blocks = grid_blocks();
  const std::uint32_t whole = count / blocks;
  std::uint32_t piece = 1;
  while (piece < kMaxPiece && 16 * piece * workers <= whole) piece *= 2;
  const std::uint32_t rounds = starts_full ? whole / 8 * 7 / (workers * piece) : 0;
  const std::uint32_t owned = rounds * piece * workers;  // Units per block.

  // If the rest is small, it is spread over all blocks. If it is large, ranges are small enough for
  // all blocks to finish at about the same time.
  const std::uint32_t rest = whole - owned + (whole * blocks == count ? 0 : 1);
  const std::uint32_t portion = rest / (Set::kSpawns ? 32 : 4);
  std::uint32_t range = rest < workers ? rest : portion < workers ? workers : portion;
  if (range > 32 * workers) range = 32 * workers;
  // A task of warp width may begin a long chain, and the other units of its range would wait for
  // it.
  if (kRunsOneTask<Set> && Set::kSpawns && rest <= 2 * workers) range = 1;
  const std::uint64_t begin = std::uint64_t{owned} * blocks + std::uint64_t{range} * block_index();
  const std::uint64_t first = starts_full ? std::uint64_t{owned + range} * blocks : 0;
  UnitRange own;
  if (starts_full && begin < count) {
    own.begin = static_cast<std::uint32_t>(begin);
    own.end = count - own.begin > range ? own.begin + range : count;
  }
  block.range = own.word();
  block.split = {.count = count,
                 .owned = owned * blocks,
                 .range = range,
                 .piece = piece,
                 .first = first < count ? static_cast<std::uint32_t>(first) : count,
                 .slice_end = 0};
}

}  // namespace internal

// Sets up the distribution of units 0 to `units` - 1; `units` is below 2^32. Called by one thread
// of each block, before its workers take units. With `starts_full`, units may belong to a worker or
// to a block, so every block of the grid must run at some time to do its own. Without it, the
// blocks that run do all units.
template <class Set>
MILLRACE_FUNCTION void start_units(BlockShared& block, std::uint64_t units, bool starts_full) {
  const auto count = static_cast<std::uint32_t>(units);
  const std::uint32_t workers = Worker<Set>::workers();
  const std::uint64_t all_workers =
      std::uint64_t{workers} * static_cast<std::uint32_t>(grid_blocks());
  block.range = 0;
  block.slice_begin = 0;
  if (starts_full && units <= 2 * all_workers) {
    block.split = {
        .count = count, .owned = count, .range = 1, .piece = 1, .first = count, .slice_end = 0};
    return;
  }
  if (starts_full && units <= (Set::kSpawns ? 64 : 1024) * all_workers) {
    internal::start_slices<Set>(block, count);
    return;
  }
  internal::start_tickets<Set>(block, count, starts_full);
}

// The units that belong to a worker, in pieces that are interleaved with those of other workers.
struct OwnedUnits {
  std::uint32_t first;
  std::uint32_t step;  // Distance from one piece to the next.
  std::uint32_t end;   // End of all workers' units.
  std::uint32_t piece;

  // Returns a piece; empty after the last, up to index 2^32 / step.
  MILLRACE_FUNCTION UnitRange at(std::uint32_t index) const {
    const std::uint32_t begin = first + index * step;
    if (begin >= end) return {};
    return {begin, begin + piece};
  }
};

// The source from which the workers of a block take units. `ticket` is in device memory and counts
// from 0.
class UnitSource {
 public:
  MILLRACE_FUNCTION UnitSource(std::uint64_t* ticket, BlockShared& block)
      : ticket_(ticket), block_(block) {}

  // Returns the next range for a worker, a small number of units; empty if none is left. Called by
  // the worker's leader.
  MILLRACE_FUNCTION UnitRange take() const {
    if (block_.split.slice_end > 0) {
      const std::uint32_t begin = atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(
          &block_.slice_begin, block_.split.piece);
      const std::uint32_t end = block_.split.slice_end;
      if (begin >= end) return {};
      return {begin, end - begin < block_.split.piece ? end : begin + block_.split.piece};
    }
    const std::uint32_t piece = block_.split.piece;
    std::uint64_t old = atomic_load<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block_.range);
    for (;;) {
      const UnitRange range = UnitRange::from(old);
      if (range.empty()) return refill(old);
      const std::uint32_t end = range.end - range.begin > piece ? range.begin + piece : range.end;
      const std::uint64_t found = exchange(old, UnitRange{end, range.end});
      if (found == old) return {range.begin, end};
      old = found;
    }
  }

  MILLRACE_FUNCTION std::uint32_t count() const { return block_.split.count; }

  // Returns the units that belong to worker `worker` of `workers` in the grid.
  MILLRACE_FUNCTION OwnedUnits owned(std::uint32_t worker, std::uint32_t workers) const {
    const std::uint32_t piece = block_.split.piece;
    return {worker * piece, workers * piece, block_.split.owned, piece};
  }

  // Returns true if some units belong to no worker.
  MILLRACE_FUNCTION bool has_more() const { return block_.split.owned < block_.split.count; }

 private:
  MILLRACE_FUNCTION std::uint32_t end_of(std::uint64_t begin, std::uint32_t size) const {
    return begin + size < count() ? static_cast<std::uint32_t>(begin + size) : count();
  }

  MILLRACE_FUNCTION std::uint64_t exchange(std::uint64_t old, UnitRange range) const {
    return atomic_compare_exchange<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block_.range, old,
                                                                             range.word());
  }

  // One worker of the block fetches a range for all. Workers that arrive meanwhile fetch one piece
  // each.
  MILLRACE_FUNCTION UnitRange refill(std::uint64_t old) const {
    const UnitSplit& split = block_.split;
    if (split.first >= split.count) return {};
    constexpr UnitRange kBeingFetched{1, 0};
    const bool is_fetcher = old != kBeingFetched.word() && exchange(old, kBeingFetched) == old;
    const std::uint32_t size = is_fetcher ? split.range : split.piece;
    const std::uint64_t begin = split.first + atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(
                                                  ticket_, static_cast<std::uint64_t>(size));
    if (begin >= split.count) return {};
    const UnitRange all{static_cast<std::uint32_t>(begin), end_of(begin, size)};
    if (!is_fetcher) return all;
    const std::uint32_t own_end =
        end_of(begin, split.piece) < all.end ? end_of(begin, split.piece) : all.end;
    atomic_store<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block_.range,
                                                           UnitRange{own_end, all.end}.word());
    return {all.begin, own_end};
  }

  std::uint64_t* ticket_;
  BlockShared& block_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_UNIT_SOURCE_H_
