// Hands out the numbers 0 to count-1 to the workers of all blocks, in ranges: a block takes one
// with a ticket of the grid's and its workers share it, so that the one counter is seldom touched.
#ifndef MILLRACE_BACKENDS_GPU_UNIT_SOURCE_H_
#define MILLRACE_BACKENDS_GPU_UNIT_SOURCE_H_

#include <cstdint>

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/worker_memory.h>

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

template <class Set>
class UnitSource {
 public:
  // `ticket` is in device memory and counts from 0. With `starts_full`, the first range of each
  // block needs no ticket, and all blocks of the grid must come to take theirs: start() has put it
  // into the block's shared memory. `count` is below 2^32.
  MILLRACE_FUNCTION UnitSource(std::uint64_t* ticket, std::uint64_t count, bool starts_full)
      : ticket_(ticket), count_(static_cast<std::uint32_t>(count)) {
    // Few units are spread over all blocks; of many, ranges are small enough that the end comes to
    // all blocks at about the same time.
    const std::uint32_t workers = Worker<Set>::workers();
    const std::uint32_t blocks = grid_blocks();
    const std::uint32_t fair = count_ / blocks + (count_ % blocks == 0 ? 0 : 1);
    const std::uint32_t share = count_ / (4 * blocks);
    range_ = fair < workers ? fair : share < workers ? workers : share;
    if (range_ > 32 * workers) range_ = 32 * workers;
    piece_ = share / (2 * workers);
    piece_ = piece_ < 1 ? 1 : piece_ > 4 ? 4 : piece_;
    first_ticket_ = starts_full ? static_cast<std::uint64_t>(range_) * blocks : 0;
  }

  // By one thread of the block, before the others take.
  MILLRACE_FUNCTION void start(BlockShared& block) const {
    const std::uint64_t begin = static_cast<std::uint64_t>(block_index()) * range_;
    UnitRange first;
    if (first_ticket_ > 0 && begin < count_) {
      first = {static_cast<std::uint32_t>(begin), end_of(begin, range_)};
    }
    block.range = first.word();
  }

  // By a worker's leader: the next range for it, a few units; empty when there is none.
  MILLRACE_FUNCTION UnitRange take(BlockShared& block) const {
    std::uint64_t old = atomic_load<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block.range);
    for (;;) {
      const UnitRange range = UnitRange::from(old);
      if (range.empty()) return refill(block, old);
      const std::uint32_t end = range.end - range.begin > piece_ ? range.begin + piece_ : range.end;
      const std::uint64_t found = exchange(block, old, UnitRange{end, range.end});
      if (found == old) return {range.begin, end};
      old = found;
    }
  }

  MILLRACE_FUNCTION std::uint32_t count() const { return count_; }

 private:
  MILLRACE_FUNCTION std::uint32_t end_of(std::uint64_t begin, std::uint32_t size) const {
    return begin + size < count_ ? static_cast<std::uint32_t>(begin + size) : count_;
  }

  MILLRACE_FUNCTION static std::uint64_t exchange(BlockShared& block, std::uint64_t old,
                                                  UnitRange range) {
    return atomic_compare_exchange<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block.range, old,
                                                                             range.word());
  }

  // One worker of the block fetches a range for all; those who come meanwhile, a piece each.
  MILLRACE_FUNCTION UnitRange refill(BlockShared& block, std::uint64_t old) const {
    if (first_ticket_ >= count_) return {};
    constexpr UnitRange kBeingFetched{1, 0};
    const bool is_fetcher =
        old != kBeingFetched.word() && exchange(block, old, kBeingFetched) == old;
    const std::uint32_t size = is_fetcher ? range_ : piece_;
    const std::uint64_t begin =
        first_ticket_ + atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(
                            ticket_, static_cast<std::uint64_t>(size));
    if (begin >= count_) return {};
    const UnitRange all{static_cast<std::uint32_t>(begin), end_of(begin, size)};
    if (!is_fetcher) return all;
    const std::uint32_t own_end = end_of(begin, piece_) < all.end ? end_of(begin, piece_) : all.end;
    atomic_store<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&block.range,
                                                           UnitRange{own_end, all.end}.word());
    return {all.begin, own_end};
  }

  std::uint64_t* ticket_;
  std::uint32_t count_;
  std::uint32_t range_;  // Units a ticket is good for.
  std::uint32_t piece_;  // Units a worker takes of them at a time.
  std::uint64_t first_ticket_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_UNIT_SOURCE_H_
