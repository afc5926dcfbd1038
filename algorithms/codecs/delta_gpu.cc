// The delta codec on GPUs: a block of threads to a tile, a warp to a block of 128 integers.
#include <millrace/algorithms/codecs/codec_ops.h>
#include <millrace/algorithms/codecs/delta_format.h>
#include <millrace/algorithms/codecs/gpu_tiles.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/gpu_queue.h>
#include <millrace/runtime/op_table.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {
namespace {

using codecs::DeltaFormat;
using codecs::kBlockValues;
using codecs::kCodedUnit;
using codecs::kStreams;
using codecs::kTileBlocks;
using codecs::kTileValues;
using codecs::TileHead;

// Of a tile's integers, in registers.
inline constexpr int kValuesPerThread = static_cast<int>(kTileValues) / kTileThreads;

// Tiles that a multiprocessor is to work on at once: more would not have the registers.
template <class T>
inline constexpr int kTileBlocksHeld = sizeof(T) == 4 ? 8 : 4;

// A block's integers in shared memory, eight rows and then a gap of one, so that lanes that read
// words of one block at once find them in different banks.
template <class T>
inline constexpr int kStagedValues = kBlockValues + kBlockValues / 8;

template <class T>
MILLRACE_FUNCTION int staged_place(int i) {
  return i + i / (8 * kStreams<T>)*kStreams<T>;
}

template <class T>
struct TileMemory {
  std::uint64_t tile;
  std::uint64_t place;                    // In units, from the first tile on.
  std::uint32_t starts[kTileBlocks + 1];  // Of the blocks' words in the tile, in units.
  std::uint32_t is_good;
  T sums[kTileBlocks];
  alignas(16) T staged[kMostTileWarps][kStagedValues<T>];
};

// The blocks of a tile that a warp takes: its own number, and every so many more.
struct WarpBlocks {
  int first = thread_index() / warp_width();
  int step = kTileThreads / warp_width();

  MILLRACE_FUNCTION int count() const { return kTileBlocks / step; }
  MILLRACE_FUNCTION int block(int index) const { return first + index * step; }
};

MILLRACE_FUNCTION int values_per_lane() { return kBlockValues / warp_width(); }

// Called by the first warp: sets the starts from the widths of its lanes; the sum of the widths.
template <class T>
MILLRACE_FUNCTION std::uint32_t set_starts(TileMemory<T>& memory, int width) {
  const int lane = lane_index();
  const std::uint32_t end = inclusive_sum(static_cast<std::uint32_t>(width));
  if (lane < kTileBlocks) memory.starts[lane + 1] = end;
  if (lane == 0) memory.starts[0] = 0;
  return shuffle(end, kTileBlocks - 1);
}

template <class T>
struct EncodeTiles {
  static constexpr int kMostThreads = kTileThreads;
  static constexpr int kWantedBlocks = kTileBlocksHeld<T>;

  const T* items;
  std::uint64_t count;
  std::byte* coded;
  std::uint64_t capacity;
  TilePlaces places;
  CodecResult* result;

  MILLRACE_FUNCTION void operator()() const {
    auto& memory = *reinterpret_cast<TileMemory<T>*>(shared_memory());
    if (thread_index() == 0) memory.tile = places.draw();
    sync_block();
    T deltas[kValuesPerThread];
    load(memory, deltas);
    sync_block();
    if (thread_index() < warp_width()) take_place(memory);
    sync_block();
    if (memory.is_good != 0) pack(memory, deltas);
  }

  // Each warp's differences, and the widths of their blocks.
  MILLRACE_FUNCTION void load(TileMemory<T>& memory, T (&deltas)[kValuesPerThread]) const {
    const WarpBlocks blocks;
    const int lane = lane_index();
    const std::uint64_t tile_begin = memory.tile * kTileValues;
    for (int b = 0; b < blocks.count(); ++b) {
      const std::uint64_t begin = tile_begin + blocks.block(b) * kBlockValues;
      for (int j = 0; j < values_per_lane(); ++j) {
        const std::uint64_t i = begin + j * warp_width() + lane;
        deltas[b * values_per_lane() + j] = i < count ? items[i] : 0;
      }
    }
    for (int b = 0; b < blocks.count(); ++b) {
      const std::uint64_t begin = tile_begin + blocks.block(b) * kBlockValues;
      T before = 0;  // Lane 0's: the integer before those of the next step.
      if (lane == 0 && begin < count) before = items[begin > tile_begin ? begin - 1 : begin];
      T bits = 0;
      for (int j = 0; j < values_per_lane(); ++j) {
        T& delta = deltas[b * values_per_lane() + j];
        const T value = delta;
        const T neighbour = shuffle(value, (lane + warp_width() - 1) % warp_width());
        delta = begin + j * warp_width() + lane < count ? value - (lane == 0 ? before : neighbour)
                                                        : T{0};
        before = neighbour;
        bits |= delta;
      }
      bits = warp_or(bits);
      if (lane == 0) memory.starts[blocks.block(b)] = codecs::bits_of(bits);
    }
  }

  // Called by the first warp: finds the tile's place, and writes all but its packed bits.
  MILLRACE_FUNCTION void take_place(TileMemory<T>& memory) const {
    const int lane = lane_index();
    const int width = lane < kTileBlocks ? static_cast<int>(memory.starts[lane]) : 0;
    sync_warp();
    const std::uint64_t units = sizeof(TileHead) / kCodedUnit + set_starts(memory, width);
    const std::uint64_t place = places.place(memory.tile, units);
    const std::uint64_t begin = DeltaFormat<T>::first_tile(count) / kCodedUnit + place;
    const bool fits = (begin + units) * kCodedUnit <= capacity;
    if (lane == 0) {
      memory.place = begin;
      memory.is_good = fits ? 1 : 0;
    }
    if (!fits) return;
    auto& head = *reinterpret_cast<TileHead*>(coded + begin * kCodedUnit);
    if (lane < kTileBlocks) head.widths[lane] = static_cast<std::uint8_t>(width);
    if (lane == 0) write_ends(memory.tile, head, begin, begin + units);
  }

  // What one thread writes: the tile's first and last integer and its place, and with the last
  // tile the chunk's size.
  MILLRACE_FUNCTION void write_ends(std::uint64_t tile, TileHead& head, std::uint64_t begin,
                                    std::uint64_t end) const {
    const std::uint64_t first = tile * kTileValues;
    const bool is_last = tile + 1 == DeltaFormat<T>::tiles(count);
    head.first = count > 0 ? items[first] : 0;
    head.last = count > 0 ? items[is_last ? count - 1 : first + kTileValues - 1] : 0;
    std::uint32_t* const directory = codecs::tile_directory(coded);
    directory[tile] = static_cast<std::uint32_t>(begin);
    if (!is_last) return;
    directory[tile + 1] = static_cast<std::uint32_t>(end);
    auto* const first_tile =
        reinterpret_cast<std::uint32_t*>(coded + DeltaFormat<T>::first_tile(count));
    for (std::uint32_t* zero = directory + tile + 2; zero < first_tile; ++zero) *zero = 0;
    *reinterpret_cast<codecs::CodedHeader*>(coded) =
        codecs::make_header(DeltaFormat<T>::kKind, count, end * kCodedUnit);
    result->bytes = end * kCodedUnit;
  }

  MILLRACE_FUNCTION void pack(TileMemory<T>& memory, const T (&deltas)[kValuesPerThread]) const {
    const WarpBlocks blocks;
    const int lane = lane_index();
    T* const staged = memory.staged[blocks.first];
    T* const words = reinterpret_cast<T*>(coded + memory.place * kCodedUnit + sizeof(TileHead));
    for (int b = 0; b < blocks.count(); ++b) {
      for (int j = 0; j < values_per_lane(); ++j) {
        staged[staged_place<T>(j * warp_width() + lane)] = deltas[b * values_per_lane() + j];
      }
      sync_warp();
      const std::uint32_t start = memory.starts[blocks.block(b)];
      const int width = static_cast<int>(memory.starts[blocks.block(b) + 1] - start);
      for (int word = lane; word < width * kStreams<T>; word += warp_width()) {
        words[start * kStreams<T> + word] =
            codecs::packed_word<T>([&](int i) { return staged[staged_place<T>(i)]; }, width, word);
      }
      sync_warp();
    }
  }
};

template <class T>
struct DecodeTiles {
  static constexpr int kMostThreads = kTileThreads;
  static constexpr int kWantedBlocks = kTileBlocksHeld<T>;

  const std::byte* coded;
  std::uint64_t bytes;
  T* items;
  std::uint64_t count;
  CodecResult* result;

  MILLRACE_FUNCTION void operator()() const {
    auto& memory = *reinterpret_cast<TileMemory<T>*>(shared_memory());
    if (thread_index() < warp_width()) open(memory);
    sync_block();
    if (memory.is_good == 0) return;
    T values[kValuesPerThread];
    unpack(memory, values);
    sync_block();
    if (thread_index() < warp_width()) set_sums(memory);
    sync_block();
    write(memory, values);
  }

  MILLRACE_FUNCTION std::uint64_t tile() const { return static_cast<std::uint64_t>(block_index()); }
  MILLRACE_FUNCTION const TileHead& head(const TileMemory<T>& memory) const {
    return *reinterpret_cast<const TileHead*>(coded + memory.place * kCodedUnit);
  }

  // Called by the first warp: finds the tile and checks that it is whole.
  MILLRACE_FUNCTION void open(TileMemory<T>& memory) const {
    const int lane = lane_index();
    codecs::TileRange range;
    if (codecs::has_delta_header<T>(coded, bytes, count)) {
      range = codecs::tile_range<T>(coded, bytes, count, tile());
    }
    int width = 0;
    if (range.bytes > 0 && lane < kTileBlocks) {
      width = reinterpret_cast<const TileHead*>(coded + range.begin)->widths[lane];
    }
    const int values = DeltaFormat<T>::tile_values(count, tile());
    const bool is_used = lane * kBlockValues < values;
    const bool is_bad = width > (is_used ? codecs::kWordBits<T> : 0);
    const std::uint32_t sum = set_starts(memory, width);
    const bool is_good = range.bytes > 0 && ballot(is_bad) == 0 &&
                         range.bytes == sizeof(TileHead) + codecs::packed_block_bytes(sum);
    if (lane != 0) return;
    memory.place = range.begin / kCodedUnit;
    memory.is_good = is_good ? 1 : 0;
    if (!is_good) set_error(result, CodecError::kCorrupt);
  }

  // Each lane's sums over its part of a block and all lanes before it. A lane's integers are next
  // to each other.
  MILLRACE_FUNCTION void unpack(TileMemory<T>& memory, T (&values)[kValuesPerThread]) const {
    const WarpBlocks blocks;
    const int lane = lane_index();
    const T* const words = reinterpret_cast<const T*>(&head(memory) + 1);
    for (int b = 0; b < blocks.count(); ++b) {
      const std::uint32_t start = memory.starts[blocks.block(b)];
      const int width = static_cast<int>(memory.starts[blocks.block(b) + 1] - start);
      T* const mine = values + b * values_per_lane();
      T sum = 0;
      for (int j = 0; j < values_per_lane(); ++j) {
        sum += codecs::unpacked_value(words + start * kStreams<T>, width,
                                      lane * values_per_lane() + j);
        mine[j] = sum;
      }
      const T end = inclusive_sum(sum);
      for (int j = 0; j < values_per_lane(); ++j) mine[j] += end - sum;
      if (lane == warp_width() - 1) memory.sums[blocks.block(b)] = end;
    }
  }

  // Called by the first warp: sums over whole blocks become the integers before them.
  MILLRACE_FUNCTION void set_sums(TileMemory<T>& memory) const {
    const int lane = lane_index();
    const T own = lane < kTileBlocks ? memory.sums[lane] : T{0};
    const T end = static_cast<T>(head(memory).first) + inclusive_sum(own);
    if (lane < kTileBlocks) memory.sums[lane] = end - own;
    if (lane == warp_width() - 1 && end != head(memory).last) {
      set_error(result, CodecError::kCorrupt);
    }
  }

  MILLRACE_FUNCTION void write(TileMemory<T>& memory, const T (&values)[kValuesPerThread]) const {
    const WarpBlocks blocks;
    const int lane = lane_index();
    T* const staged = memory.staged[blocks.first];
    for (int b = 0; b < blocks.count(); ++b) {
      const T before = memory.sums[blocks.block(b)];
      for (int j = 0; j < values_per_lane(); ++j) {
        staged[staged_place<T>(lane * values_per_lane() + j)] =
            before + values[b * values_per_lane() + j];
      }
      sync_warp();
      const std::uint64_t begin = tile() * kTileValues + blocks.block(b) * kBlockValues;
      for (int j = 0; j < values_per_lane(); ++j) {
        const int i = j * warp_width() + lane;
        if (begin + i < count) items[begin + i] = staged[staged_place<T>(i)];
      }
      sync_warp();
    }
  }
};

template <class Body, class T>
void launch_tiles(GpuQueue& queue, const Body& body) {
  const gpu::LaunchShape shape{.blocks = static_cast<int>(DeltaFormat<T>::tiles(body.count)),
                               .threads = kTileThreads,
                               .shared_bytes = sizeof(TileMemory<T>),
                               .cooperative = false};
  launch(&body_kernel<Body>, shape, queue.stream(), body);
}

template <class T>
void enqueue_encode(Queue& queue, const DeltaFormat<T>& /*format*/, const EncodeChunk& chunk) {
  auto& gpu_queue = static_cast<GpuQueue&>(queue);
  gpu_queue.enqueue(
      [&gpu_queue, chunk] {
        auto* const scratch = static_cast<std::uint64_t*>(chunk.scratch);
        const std::size_t tiles = DeltaFormat<T>::tiles(chunk.count);
        fill(scratch, std::byte{0}, TilePlaces::words(tiles) * sizeof(std::uint64_t),
             gpu_queue.stream());
        launch_tiles<EncodeTiles<T>, T>(
            gpu_queue, {static_cast<const T*>(chunk.items), chunk.count, chunk.coded,
                        chunk.capacity, TilePlaces(scratch), chunk.result});
      },
      GpuQueue::Start::kInline);
}

template <class T>
void enqueue_decode(Queue& queue, const DeltaFormat<T>& /*format*/, const DecodeChunk& chunk) {
  auto& gpu_queue = static_cast<GpuQueue&>(queue);
  gpu_queue.enqueue(
      [&gpu_queue, chunk] {
        launch_tiles<DecodeTiles<T>, T>(
            gpu_queue,
            {chunk.coded, chunk.bytes, static_cast<T*>(chunk.items), chunk.count, chunk.result});
      },
      GpuQueue::Start::kInline);
}

template <class T>
struct RegisterDelta {
  using Format = DeltaFormat<T>;
  RegisterOp<codecs::EncodeOp<Format>> encoder{kBackend, &enqueue_encode<T>};
  RegisterOp<codecs::DecodeOp<Format>> decoder{kBackend, &enqueue_decode<T>};
};

const RegisterDelta<std::uint32_t> registered_32;
const RegisterDelta<std::uint64_t> registered_64;

}  // namespace
}  // namespace millrace::MILLRACE_GPU
