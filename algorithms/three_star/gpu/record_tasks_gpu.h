// SPDX-License-Identifier: Apache-2.0

// Writes the records of a chunk (star_chunk.h) as tasks, one a lowest corner. Their lengths are
// measured first, so that each has its position in memory.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GPU_RECORD_TASKS_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GPU_RECORD_TASKS_GPU_H_

#include <millrace/algorithms/three_star/chunks/star_chunk.h>
#include <millrace/algorithms/three_star/gpu/corner_lists_gpu.h>
#include <millrace/algorithms/three_star/gpu/corner_search_gpu.h>
#include <millrace/algorithms/three_star/gpu/corner_tasks_gpu.h>
#include <millrace/algorithms/three_star/gpu/half_lists_gpu.h>
#include <millrace/algorithms/three_star/gpu/record_plan_gpu.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/warp_scan.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

// A record is shorter than kMostRecordBytes: the bits of all neighbours are 640 * 640 / 8 bytes.
struct RecordScratch {
  static constexpr std::uint32_t kMost = 640;  // Most neighbours.

  std::uint32_t ends[kBuckets];
  Neighbour neighbours[kMost + kPadding];
  std::uint32_t keys[kMost];

  // Stores a lowest corner's neighbours here, in order of direction and, in a bucket, of
  // key_of(neighbour), which is stored, too. Returns their number, at most kMost. All lanes of a
  // warp call. `found` has memory for as many, which is free again afterwards.
  template <class Context, class KeyOf>
  MILLRACE_FUNCTION std::uint32_t fill(Context& context, const Reach& reach,
                                       const CornerLists& lists, std::uint16_t* found,
                                       const KeyOf& key_of) {
    const std::uint32_t count = lists.find<kMost>(found);
    context.sync();
    lists.arrange(context, ends, found, count,
                  [&](std::uint32_t index, float x, float y, std::uint32_t neighbour) {
                    neighbours[index] = {x, y};
                    keys[index] = key_of(neighbour);
                  });
    pad(context, reach, neighbours + count);
    context.sync();
    order_buckets(context);
    context.sync();
    return count;
  }

 private:
  // Neighbours of a bucket are in any order here; this sorts them by key.
  template <class Context>
  MILLRACE_FUNCTION void order_buckets(Context& context) {
    for (int bucket = context.lane(); bucket < kBuckets; bucket += context.lanes()) {
      const std::uint32_t begin = bucket == 0 ? 0 : ends[bucket - 1];
      for (std::uint32_t i = begin + 1; i < ends[bucket]; ++i) {
        const Neighbour neighbour = neighbours[i];
        const std::uint32_t key = keys[i];
        std::uint32_t to = i;
        for (; to > begin && keys[to - 1] > key; --to) {
          neighbours[to] = neighbours[to - 1];
          keys[to] = keys[to - 1];
        }
        neighbours[to] = neighbour;
        keys[to] = key;
      }
    }
  }
};

// Small, so that the task does not count as a large one.
struct MeasureArguments {
  std::int32_t radius;
  std::uint32_t first;  // Corner of the first task.
  GridView grid;
  RecordPosition* positions;  // One for each point. Their lengths are written.
  RecordTotals* totals;       // Initially zeros, as are the tiles behind them.
  std::uint32_t* large;       // Corners with a kLargeRecord.

  MILLRACE_FUNCTION RecordTile* tiles() const { return reinterpret_cast<RecordTile*>(totals + 1); }

  MILLRACE_FUNCTION void note(std::uint32_t corner, std::uint32_t length) const {
    positions[corner].length = length;
    if (length == kLargeRecord) {
      const std::uint32_t index =
          atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&totals->large, 1u);
      large[index] = corner;
    } else if (length != kNoRecord) {
      RecordTile& tile = tiles()[corner / RecordTile::kCorners];
      atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&tile.word,
                                                            RecordTile::word_of(length));
    }
  }
};

struct MeasureRecord {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr bool kSpawns = false;
  static constexpr int kRegisters = 80;

  struct Scratch {
    std::uint32_t begins[kBuckets];
    std::uint32_t found[RecordScratch::kMost];
  };
  static constexpr std::size_t kScratchBytes = sizeof(Scratch);

  MeasureArguments arguments;
  std::size_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    Scratch& scratch = *context.template scratch<Scratch>(1);
    const std::uint32_t corner = arguments.first + static_cast<std::uint32_t>(index);
    const Reach reach(arguments.radius);
    const CornerLists lists(reach, arguments.grid, corner);
    const std::uint32_t count = count_neighbours(context, lists, scratch);
    const bool fits = count <= RecordScratch::kMost;
    std::uint32_t of_bits = 0;
    if (fits) {
      const auto begin_of = [&](int bucket) {
        return bucket < kBuckets ? scratch.begins[bucket] : count;
      };
      const AngleWindows& windows = *arguments.grid.windows;
      for (int bucket = context.lane(); bucket < kBuckets; bucket += context.lanes()) {
        const std::uint32_t size = begin_of(windows.end[bucket]) - begin_of(windows.first[bucket]);
        of_bits += (size + 7) / 8 * (begin_of(bucket + 1) - begin_of(bucket));
      }
    }
    const std::uint32_t bits =
        shuffle(inclusive_sum(of_bits), static_cast<int>(context.lanes()) - 1);
    if (context.lane() == 0) {
      const std::size_t ids = three_star::id_bytes(lists.around().size()) * count;
      const std::size_t length = sizeof(three_star::RecordHeader) + three_star::padded(ids) +
                                 three_star::padded(count) + three_star::padded(bits);
      context.add(&arguments.totals->pairs, count);
      arguments.note(corner, count == 0 ? kNoRecord
                             : fits     ? static_cast<std::uint32_t>(length)
                                        : kLargeRecord);
    }
    context.sync();  // Before another task uses the scratch.
  }

 private:
  // Leaves the beginning of each bucket, unless they are more than a record has.
  template <class Context>
  MILLRACE_FUNCTION std::uint32_t count_neighbours(Context& context, const CornerLists& lists,
                                                   Scratch& scratch) const {
    if (arguments.radius > HalfLists::kMostRadius) return lists.count(context, scratch.begins);
    const HalfLists found(arguments.radius, arguments.grid, lists.corner());
    const std::uint32_t count = found.find<RecordScratch::kMost>(scratch.found);
    if (count <= RecordScratch::kMost) {
      HalfLists::count(context, scratch.found, count, scratch.begins, [](std::uint32_t, int) {});
    }
    return count;
  }
};

struct MeasureTasks : TaskSet<MeasureRecord> {
  using Arguments = MeasureArguments;
};

struct RecordArguments {
  Reach reach;
  GridView grid;
  const RecordPosition* positions;  // One for each point.
  RecordStart start;                // Start of the chunk, whose first corner is the first task's.
  std::uint32_t points_before;      // Points of the chunk's grid before the first.
  std::byte* chunk;                 // Aligned as a ChunkHeader, whose counts are initially 0.
  std::uint32_t* directory;
};

struct WriteRecord {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr bool kSpawns = false;
  static constexpr int kRegisters = 96;

  struct Scratch {
    RecordScratch record;
    std::uint16_t found[RecordScratch::kMost];
  };
  static constexpr std::size_t kScratchBytes = sizeof(Scratch);

  RecordArguments arguments;
  std::size_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const std::uint32_t corner = arguments.start.corner + static_cast<std::uint32_t>(index);
    const RecordPosition position = arguments.positions[corner];
    if (!position.has_record()) return;
    const auto offset = static_cast<std::uint32_t>(sizeof(three_star::ChunkHeader) +
                                                   position.begin - arguments.start.bytes);
    Scratch& all = *context.template scratch<Scratch>(1);
    RecordScratch& scratch = all.record;
    const CornerLists lists(arguments.reach, arguments.grid, corner);
    const std::uint32_t count = scratch.fill(context, arguments.reach, lists, all.found,
                                             [](std::uint32_t neighbour) { return neighbour; });
    std::byte* to = arguments.chunk + offset;
    if (context.lane() == 0) {
      arguments.directory[position.index - arguments.start.records] = offset;
      *reinterpret_cast<three_star::RecordHeader*>(to) = {corner + arguments.points_before, count,
                                                          0, count};
    }
    to += sizeof(three_star::RecordHeader);
    to = write_ids(context, lists.around(), scratch, count, to);
    to = write_buckets(context, scratch, count, to);
    write_bits(context, scratch, count, to);
    context.sync();  // Before another task uses the scratch.
  }

 private:
  // Each returns the byte behind what it has written.
  template <class Context>
  MILLRACE_FUNCTION static std::byte* write_ids(Context& context,
                                                const three_star::CellGrid::Neighbours& around,
                                                const RecordScratch& scratch, std::uint32_t count,
                                                std::byte* to) {
    const auto lanes = static_cast<std::uint32_t>(context.lanes());
    const auto id = [&](std::uint32_t i) {
      return i < count ? around.local_index(scratch.keys[i]) : std::uint32_t{0};
    };
    const bool is_short = three_star::id_bytes(around.size()) == 2;
    const std::uint32_t words = is_short ? (count + 1) / 2 : count;
    for (std::uint32_t i = context.lane(); i < words; i += lanes) {
      reinterpret_cast<std::uint32_t*>(to)[i] = is_short ? id(2 * i) | id(2 * i + 1) << 16 : id(i);
    }
    return to + 4 * words;
  }

  template <class Context>
  MILLRACE_FUNCTION static std::byte* write_buckets(Context& context, const RecordScratch& scratch,
                                                    std::uint32_t count, std::byte* to) {
    const std::uint32_t bytes = (count + 3) / 4 * 4;
    for (std::uint32_t i = context.lane(); i < bytes; i += context.lanes()) {
      const Neighbour& of = scratch.neighbours[i < count ? i : 0];
      const int bucket = i < count ? three_star::bucket_of(of.x, of.y) : 0;
      to[i] = static_cast<std::byte>(bucket);
    }
    return to + bytes;
  }

  template <class Context>
  MILLRACE_FUNCTION void write_bits(Context& context, const RecordScratch& scratch,
                                    std::uint32_t count, std::byte* to) const {
    const NeighbourList list = {scratch.neighbours, scratch.ends};
    const auto lanes = static_cast<std::uint32_t>(context.lanes());
    const std::byte* const begin = to;
    std::uint64_t stars = 0;
    for (std::uint32_t first = 0; first < count; first += lanes) {
      const std::uint32_t own = first + context.lane();
      SecondCorner second(arguments.reach, list, *arguments.grid.windows,
                          own < count ? own : first);
      if (own >= count) {
        second.clear();
        second.begin = second.end = 0;
      }
      const std::uint32_t bytes = (second.end - second.begin + 7) / 8;
      const std::uint32_t through = inclusive_sum(bytes);
      const auto last = static_cast<int>((count - first < lanes ? count - first : lanes) - 1);
      // Windows begin and end in the order of j.
      const IndexRange thirds = {shuffle(second.begin, 0), shuffle(second.end, last)};
      stars += write_windows(scratch, second, thirds, to + through - bytes, bytes);
      to += shuffle(through, static_cast<int>(lanes) - 1);
    }
    const auto padding = static_cast<int>(-(to - begin) & 3);
    if (context.lane() < padding) to[context.lane()] = std::byte{0};
    auto* const header = reinterpret_cast<three_star::ChunkHeader*>(arguments.chunk);
    context.add(&header->three_stars, stars);
  }

  // Writes the window of each lane's second corner, of `bytes` bytes, from the third corners of all
  // of them. Returns the lane's number of 3-stars.
  MILLRACE_FUNCTION std::uint32_t write_windows(const RecordScratch& scratch,
                                                const SecondCorner& second,
                                                const IndexRange& thirds, std::byte* to,
                                                std::uint32_t bytes) const {
    const StarTest test = second.test(arguments.reach);
    // Offset of the lane's first bit.
    const std::uint32_t behind = bytes > 0 ? second.begin - thirds.begin : 0;
    std::uint32_t stars = 0;
    std::uint32_t before = 0;
    // Offset in bytes of the next word, whose first bits are in `before`.
    std::uint32_t offset = 0 - behind / 32 * 4;
    for (std::uint32_t k = thirds.begin; k < thirds.end + 32; k += 32) {
      const std::uint32_t bits =
          k < thirds.end ? stars_among(arguments.reach, test, scratch.neighbours + k) : 0;
      stars += lanes_in(bits);
      if (k > thirds.begin) {
        const std::uint64_t both = before | static_cast<std::uint64_t>(bits) << 32;
        const auto word = static_cast<std::uint32_t>(both >> behind % 32);
        for (std::uint32_t i = 0; i < 4; ++i) {
          if (offset + i < bytes) to[offset + i] = static_cast<std::byte>(word >> 8 * i & 0xff);
        }
        offset += 4;
      }
      before = bits;
    }
    return stars;
  }
};

struct RecordTasks : TaskSet<WriteRecord> {
  using Arguments = RecordArguments;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GPU_RECORD_TASKS_GPU_H_
