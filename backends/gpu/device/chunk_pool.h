// SPDX-License-Identifier: Apache-2.0

// Chunks of device memory, each of which holds up to a worker's unit of tasks of one type, and
// lock-free lists of chunks.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_CHUNK_POOL_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_CHUNK_POOL_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/control/shard.h>
#include <millrace/backends/gpu/device/task_words.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

inline constexpr std::uint32_t kNoChunk = 0;  // Chunk numbers start at 1.

// A chunk and its contents. As a word, 0 is none.
struct Chunk {
  std::uint32_t id = kNoChunk;
  std::uint32_t contents = 0;

  MILLRACE_FUNCTION static Chunk make(std::uint32_t id, TaskTag tag, std::uint32_t count) {
    return {id, count << 8 | tag};
  }
  MILLRACE_FUNCTION static Chunk from(std::uint64_t word) {
    return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)};
  }
  MILLRACE_FUNCTION std::uint64_t word() const {
    return id | static_cast<std::uint64_t>(contents) << 32;
  }
  MILLRACE_FUNCTION TaskTag tag() const { return static_cast<TaskTag>(contents & 0xff); }
  MILLRACE_FUNCTION std::uint32_t count() const { return contents >> 8; }
};

// The memory of chunks, of `chunk_words` words each. `links` has one element per chunk and one
// more.
struct ChunkMemory {
  std::uint32_t* words = nullptr;
  std::uint32_t chunk_words = 0;
  std::uint32_t chunks = 0;
  std::uint64_t* links = nullptr;
};

// All members may be called by any thread of the grid, also by a lane on its own. Writes to a chunk
// before it is published are visible to the thread that steals it.
class ChunkPool {
 public:
  // Returns the number of chunks in the list with this head, at most 255; 0 only if the list is
  // empty.
  MILLRACE_FUNCTION static std::uint32_t count_in(std::uint64_t head) {
    return static_cast<std::uint32_t>(head >> 32) & kMaxCount;
  }

  ChunkPool() = default;
  // `used` counts the chunks that were ever allocated.
  ChunkPool(const ChunkMemory& memory, std::uint64_t* used, Shard* shards,
            std::uint32_t shard_count)
      : words_(memory.words),
        links_(memory.links),
        used_(used),
        shards_(shards),
        chunk_words_(memory.chunk_words),
        chunks_(memory.chunks),
        shard_count_(shard_count) {}

  MILLRACE_FUNCTION std::uint32_t shard_count() const { return shard_count_; }
  MILLRACE_FUNCTION Shard& shard(std::uint32_t index) const { return shards_[index]; }

  // Index of the calling block's shard.
  MILLRACE_FUNCTION std::uint32_t own_shard() const {
    return static_cast<std::uint32_t>(block_index()) % shard_count_;
  }

  // Returns true if there are enough chunks for each worker to keep some.
  MILLRACE_FUNCTION bool has_many() const {
    constexpr std::uint32_t kMaxWorkers = 64;  // Workers per multiprocessor.
    return chunks_ / (8 * kMaxWorkers) >= shard_count_;
  }

  // Returns kNoChunk if all chunks are in use.
  MILLRACE_FUNCTION std::uint32_t allocate() const {
    const std::uint32_t own = own_shard();
    const std::uint64_t used = atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(used_);
    std::uint32_t chunk = pop(shards_[own].free);
    if (chunk != kNoChunk) return chunk;
    if (used < chunks_) {
      const std::uint64_t fresh =
          atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(used_, std::uint64_t{1});
      if (fresh < chunks_) return static_cast<std::uint32_t>(fresh) + 1;
    }
    for (std::uint32_t i = 1; i < shard_count_ && chunk == kNoChunk; ++i) {
      chunk = pop(shards_[(own + i) % shard_count_].free);
    }
    return chunk;
  }

  // Resets the count of chunks that were ever allocated. The owner of the lists empties them.
  MILLRACE_FUNCTION void clear() const { *used_ = 0; }

  MILLRACE_FUNCTION void free(std::uint32_t chunk) const {
    std::uint64_t& head = shards_[own_shard()].free;
    push(head, atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&head), {chunk});
  }

  // `seen` is the last known head of the own shard's list; a stale value costs a retry.
  MILLRACE_FUNCTION void publish(const Chunk& chunk, std::uint64_t seen) const {
    push(shards_[own_shard()].published, seen, chunk);
  }
  // Returns the head of a shard's list, for steal().
  MILLRACE_FUNCTION std::uint64_t published(std::uint32_t shard) const {
    return atomic_load<gpu::Scope::kDevice, gpu::Order::kAcquire>(&shards_[shard].published);
  }
  MILLRACE_FUNCTION Chunk steal(std::uint32_t shard, std::uint64_t seen) const {
    return pop(shards_[shard].published, seen);
  }

  MILLRACE_FUNCTION std::uint32_t* words(std::uint32_t chunk) const {
    return words_ + static_cast<std::uint64_t>(chunk - 1) * chunk_words_;
  }

  // Stores a chunk's contents and its successor in the list in one word, so that both become
  // visible at once. Called by the chunk's owner before it publishes the chunk. Other threads read
  // the word only through list operations.
  MILLRACE_FUNCTION void link(const Chunk& chunk, std::uint32_t next) const {
    atomic_store<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&links_[chunk.id],
                                                            Chunk{next, chunk.contents}.word());
  }
  MILLRACE_FUNCTION std::uint32_t next(std::uint32_t chunk) const { return linked(chunk).id; }
  MILLRACE_FUNCTION Chunk filled(std::uint32_t chunk) const {
    return {chunk, linked(chunk).contents};
  }

 private:
  // A head has the first chunk in its low 32 bits, above it the number of chunks, saturated at 8
  // bits, and above that a tag that changes with every push and pop. A thread that was delayed
  // between reading a head and exchanging it therefore finds the tag changed.
  static constexpr std::uint32_t kMaxCount = 255;

  MILLRACE_FUNCTION static std::uint64_t head_of(std::uint64_t old, std::uint32_t chunk,
                                                 std::uint32_t count) {
    return ((old >> 40) + 1) << 40 | static_cast<std::uint64_t>(count) << 32 | chunk;
  }
  MILLRACE_FUNCTION static std::uint64_t pushed(std::uint64_t old, std::uint32_t chunk) {
    const std::uint32_t count = count_in(old);
    return head_of(old, chunk, count < kMaxCount ? count + 1 : kMaxCount);
  }
  // A count that has saturated is too small from here on, but does not become 0 while chunks are
  // left.
  MILLRACE_FUNCTION static std::uint64_t popped(std::uint64_t old, std::uint32_t next) {
    const std::uint32_t count = count_in(old);
    return head_of(old, next, next == kNoChunk ? 0 : count > 1 ? count - 1 : 1);
  }

  // Returns the next chunk's number, and this chunk's contents.
  MILLRACE_FUNCTION Chunk linked(std::uint32_t chunk) const {
    return Chunk::from(atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&links_[chunk]));
  }

  // `old` is an earlier value of the head; it may have changed since.
  MILLRACE_FUNCTION void push(std::uint64_t& head, std::uint64_t old, const Chunk& chunk) const {
    for (;;) {
      link(chunk, static_cast<std::uint32_t>(old));
      const std::uint64_t found =
          atomic_compare_exchange<gpu::Scope::kDevice, gpu::Order::kRelease>(&head, old,
                                                                             pushed(old, chunk.id));
      if (found == old) return;
      old = found;
    }
  }

  // `old` must have been loaded with acquire order.
  MILLRACE_FUNCTION Chunk pop(std::uint64_t& head, std::uint64_t old) const {
    for (;;) {
      const auto chunk = static_cast<std::uint32_t>(old);
      if (chunk == kNoChunk) return {};
      const Chunk link = linked(chunk);
      const std::uint64_t found =
          atomic_compare_exchange<gpu::Scope::kDevice, gpu::Order::kAcquire>(&head, old,
                                                                             popped(old, link.id));
      if (found == old) return {chunk, link.contents};
      old = found;
    }
  }
  MILLRACE_FUNCTION std::uint32_t pop(std::uint64_t& head) const {
    return pop(head, atomic_load<gpu::Scope::kDevice, gpu::Order::kAcquire>(&head)).id;
  }

  std::uint32_t* words_ = nullptr;
  std::uint64_t* links_ = nullptr;
  std::uint64_t* used_ = nullptr;
  Shard* shards_ = nullptr;
  std::uint32_t chunk_words_ = 0;
  std::uint32_t chunks_ = 0;
  std::uint32_t shard_count_ = 1;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_CHUNK_POOL_H_
