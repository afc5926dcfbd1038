// Chunks of device memory that hold up to a worker's unit of tasks of one type, and lock-free lists
// of them.
#ifndef MILLRACE_BACKENDS_GPU_CHUNK_POOL_H_
#define MILLRACE_BACKENDS_GPU_CHUNK_POOL_H_

#include <cstdint>

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/run_memory.h>
#include <millrace/backends/gpu/task_words.h>

namespace millrace::MILLRACE_GPU {

inline constexpr std::uint32_t kNoChunk = 0;  // Chunks count from 1.

// All members may be called by any thread of the grid, also by lanes that are on their own. What is
// written to a chunk before push() is seen by who gets it from pop().
class ChunkPool {
 public:
  // Of the list with this head, up to 255; 0 of an empty one alone.
  MILLRACE_FUNCTION static std::uint32_t count_in(std::uint64_t head) {
    return static_cast<std::uint32_t>(head >> 32) & kMostCount;
  }

  ChunkPool() = default;
  // `words` holds chunks of `chunk_words` words; `next` and `info` have an element a chunk, and one
  // more; `used` counts the chunks that were ever taken.
  ChunkPool(std::uint32_t* words, std::uint32_t chunk_words, std::uint32_t chunks,
            std::uint32_t* next, std::uint32_t* info, std::uint64_t* used, Shard* shards,
            std::uint32_t shard_count)
      : words_(words),
        next_(next),
        info_(info),
        used_(used),
        shards_(shards),
        chunk_words_(chunk_words),
        chunks_(chunks),
        shard_count_(shard_count) {}

  MILLRACE_FUNCTION std::uint32_t shard_count() const { return shard_count_; }
  MILLRACE_FUNCTION Shard& shard(std::uint32_t index) const { return shards_[index]; }

  // The calling block's.
  MILLRACE_FUNCTION std::uint32_t own_shard() const {
    return static_cast<std::uint32_t>(block_index()) % shard_count_;
  }

  // Returns kNoChunk when all are in use.
  MILLRACE_FUNCTION std::uint32_t allocate() const {
    const std::uint32_t own = own_shard();
    std::uint32_t chunk = pop(shards_[own].free);
    if (chunk != kNoChunk) return chunk;
    if (atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(used_) < chunks_) {
      const std::uint64_t fresh =
          atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(used_, std::uint64_t{1});
      if (fresh < chunks_) return static_cast<std::uint32_t>(fresh) + 1;
    }
    for (std::uint32_t i = 1; i < shard_count_ && chunk == kNoChunk; ++i) {
      chunk = pop(shards_[(own + i) % shard_count_].free);
    }
    return chunk;
  }

  // Forgets which chunks were ever taken; the lists are their owner's to empty.
  MILLRACE_FUNCTION void clear() const { *used_ = 0; }

  MILLRACE_FUNCTION void free(std::uint32_t chunk) const { push(shards_[own_shard()].free, chunk); }

  MILLRACE_FUNCTION void publish(std::uint32_t chunk) const {
    push(shards_[own_shard()].published, chunk);
  }
  MILLRACE_FUNCTION std::uint32_t steal(std::uint32_t shard) const {
    return pop(shards_[shard].published);
  }
  MILLRACE_FUNCTION bool has_published(std::uint32_t shard) const {
    return count_in(atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(
               &shards_[shard].published)) > 0;
  }

  MILLRACE_FUNCTION std::uint32_t* words(std::uint32_t chunk) const {
    return words_ + static_cast<std::uint64_t>(chunk - 1) * chunk_words_;
  }

  // What is in a chunk; written by its owner before it gives it away.
  MILLRACE_FUNCTION void describe(std::uint32_t chunk, TaskTag tag, std::uint32_t count) const {
    info_[chunk] = count << 8 | tag;
  }
  MILLRACE_FUNCTION TaskTag tag(std::uint32_t chunk) const {
    return static_cast<TaskTag>(info_[chunk] & 0xff);
  }
  MILLRACE_FUNCTION std::uint32_t count(std::uint32_t chunk) const { return info_[chunk] >> 8; }

  // An owner's private list: the chunk after this one.
  MILLRACE_FUNCTION void link(std::uint32_t chunk, std::uint32_t next) const {
    atomic_store<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&next_[chunk], next);
  }
  MILLRACE_FUNCTION std::uint32_t linked(std::uint32_t chunk) const {
    return atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&next_[chunk]);
  }

 private:
  // A head is a chunk in the low word and, above, how many there are, as far as that can be said in
  // 8 bits, and a tag that changes with every push and pop: a thread that slept between reading a
  // head and exchanging it finds the tag changed.
  static constexpr std::uint32_t kMostCount = 255;

  MILLRACE_FUNCTION static std::uint64_t head_of(std::uint64_t old, std::uint32_t chunk,
                                                 std::uint32_t count) {
    return ((old >> 40) + 1) << 40 | static_cast<std::uint64_t>(count) << 32 | chunk;
  }
  MILLRACE_FUNCTION static std::uint64_t pushed(std::uint64_t old, std::uint32_t chunk) {
    const std::uint32_t count = count_in(old);
    return head_of(old, chunk, count < kMostCount ? count + 1 : kMostCount);
  }
  // A count that had stopped at the most is too small from here on, but not 0 too early.
  MILLRACE_FUNCTION static std::uint64_t popped(std::uint64_t old, std::uint32_t next) {
    const std::uint32_t count = count_in(old);
    return head_of(old, next, next == kNoChunk ? 0 : count > 1 ? count - 1 : 1);
  }

  MILLRACE_FUNCTION void push(std::uint64_t& head, std::uint32_t chunk) const {
    std::uint64_t old = atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&head);
    for (;;) {
      link(chunk, static_cast<std::uint32_t>(old));
      const std::uint64_t found =
          atomic_compare_exchange<gpu::Scope::kDevice, gpu::Order::kRelease>(&head, old,
                                                                             pushed(old, chunk));
      if (found == old) return;
      old = found;
    }
  }

  MILLRACE_FUNCTION std::uint32_t pop(std::uint64_t& head) const {
    std::uint64_t old = atomic_load<gpu::Scope::kDevice, gpu::Order::kAcquire>(&head);
    for (;;) {
      const std::uint32_t chunk = static_cast<std::uint32_t>(old);
      if (chunk == kNoChunk) return kNoChunk;
      const std::uint64_t found =
          atomic_compare_exchange<gpu::Scope::kDevice, gpu::Order::kAcquire>(
              &head, old, popped(old, linked(chunk)));
      if (found == old) return chunk;
      old = found;
    }
  }

  std::uint32_t* words_ = nullptr;
  std::uint32_t* next_ = nullptr;
  std::uint32_t* info_ = nullptr;
  std::uint64_t* used_ = nullptr;
  Shard* shards_ = nullptr;
  std::uint32_t chunk_words_ = 0;
  std::uint32_t chunks_ = 0;
  std::uint32_t shard_count_ = 1;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_CHUNK_POOL_H_
