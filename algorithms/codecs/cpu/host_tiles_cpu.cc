// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/codecs/cpu/host_tiles.h>
#include <millrace/algorithms/codecs/tile_directory.h>
#include <millrace/runtime/host/per_thread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace millrace::codecs {
namespace {

// Tiles per group: far more work than to draw one.
constexpr std::size_t kGroup = 8;

// Returns memory for the tiles of a group. It belongs to the thread and is kept from chunk to
// chunk.
std::byte* group_memory(std::size_t bytes) {
  static auto& memories = *new PerThread<std::vector<std::byte>>;
  std::vector<std::byte>& memory = memories.get();
  if (memory.size() < bytes) memory.resize(bytes);
  return memory.data();
}

// The groups of tiles of a chunk. Threads draw them in order. A thread learns the position of its
// group in the chunk from the group before it, on which another thread works.
class Groups {
 public:
  Groups(const TileEncoder& encoder, const EncodeChunk& chunk)
      : encoder_(encoder),
        chunk_(chunk),
        count_((encoder.tiles + kGroup - 1) / kGroup),
        offsets_(static_cast<std::uint64_t*>(chunk.scratch), count_ + 1) {
    std::ranges::fill(offsets_, kNotKnown);
    offsets_[0] = directory_end(encoder.tiles);
  }

  // Draws and encodes groups until none is left.
  void work() {
    std::byte* const memory = group_memory(kGroup * encoder_.most_tile_bytes);
    for (std::size_t group = next_++; group < count_; group = next_++) encode(group, memory);
  }

  // Returns the end of the chunk; valid after all work.
  std::uint64_t end() const { return offsets_.back(); }

 private:
  static constexpr std::uint64_t kNotKnown = 0;

  void encode(std::size_t group, std::byte* memory) {
    const std::size_t first = group * kGroup;
    const std::size_t tiles = std::min(kGroup, encoder_.tiles - first);
    std::array<std::size_t, kGroup> ends;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < tiles; ++i) {
      bytes += encoder_.encode(first + i, memory + bytes);
      ends[i] = bytes;
    }
    const std::uint64_t begin = publish_end(group, bytes);
    if (begin + bytes > chunk_.capacity) return;
    std::memcpy(chunk_.coded + begin, memory, bytes);
    std::uint32_t* const directory = tile_directory(chunk_.coded);
    for (std::size_t i = 0; i < tiles; ++i) {
      directory[first + i + 1] = static_cast<std::uint32_t>((begin + ends[i]) / kCodedUnit);
    }
  }

  std::uint64_t publish_end(std::size_t group, std::size_t bytes) {
    const std::atomic_ref offset(offsets_[group]);
    offset.wait(kNotKnown, std::memory_order_acquire);
    const std::uint64_t begin = offset.load(std::memory_order_acquire);
    const std::atomic_ref next(offsets_[group + 1]);
    next.store(begin + bytes, std::memory_order_release);
    next.notify_one();
    return begin;
  }

  const TileEncoder& encoder_;
  const EncodeChunk& chunk_;
  const std::size_t count_;
  const std::span<std::uint64_t> offsets_;
  std::atomic<std::size_t> next_ = 0;
};

}  // namespace

void for_each_tile(cpu::CpuThreads& threads, std::size_t tiles,
                   const std::function<void(std::size_t tile)>& work) {
  threads.for_ranges(tiles, kGroup, [&](std::size_t begin, std::size_t end, int /*thread*/) {
    for (std::size_t tile = begin; tile < end; ++tile) work(tile);
  });
}

void encode_tiles(cpu::CpuThreads& threads, const TileEncoder& encoder, const EncodeChunk& chunk) {
  const std::size_t first = directory_end(encoder.tiles);
  if (first > chunk.capacity) return;
  std::memset(chunk.coded, 0, first);
  tile_directory(chunk.coded)[0] = static_cast<std::uint32_t>(first / kCodedUnit);
  Groups groups(encoder, chunk);
  threads.for_ranges(static_cast<std::size_t>(threads.concurrency()), 1,
                     [&](std::size_t, std::size_t, int) { groups.work(); });
  if (groups.end() > chunk.capacity) return;
  CodedHeader header = encoder.header;
  header.bytes = groups.end();
  std::memcpy(chunk.coded, &header, sizeof header);
  chunk.result->bytes = header.bytes;
}

}  // namespace millrace::codecs
