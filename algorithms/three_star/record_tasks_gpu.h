// The records of a chunk (star_chunk.h) as tasks: one a lowest corner. How long they are is found
// first, so that each has its place in memory.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_RECORD_TASKS_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_RECORD_TASKS_GPU_H_

#include <cstddef>
#include <cstdint>

#include <millrace/algorithms/three_star/corner_lists_gpu.h>
#include <millrace/algorithms/three_star/corner_search_gpu.h>
#include <millrace/algorithms/three_star/record_plan_gpu.h>
#include <millrace/algorithms/three_star/star_chunk.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/lane_mask.h>
#include <millrace/runtime/task_set.h>

namespace millrace::MILLRACE_GPU {

// A record is shorter than kMostRecordBytes: the bits of all neighbours are 640 * 640 / 8 bytes.
struct RecordScratch {
  static constexpr std::uint32_t kMost = 640;  // Neighbours.

  std::uint32_t ends[kBuckets];
  Neighbour neighbours[kMost];
  std::uint32_t places[kMost];
};

struct MeasureArguments {
  Reach reach;
  GridView grid;
  RecordPlace* places;  // A point each. Their lengths are written.
  // Zeros to begin with.
  RecordTile* tiles;
  RecordTotals* totals;
  std::uint32_t* large;  // Corners.

  MILLRACE_FUNCTION void note(std::uint32_t corner, std::uint32_t length) const {
    places[corner].length = length;
    if (length == kLargeRecord) {
      const std::uint32_t place =
          atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&totals->large, 1u);
      large[place] = corner;
    } else if (length != kNoRecord) {
      RecordTile& tile = tiles[corner / RecordTile::kCorners];
      atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&tile.word,
                                                            RecordTile::word_of(length));
    }
  }
};

struct MeasureRecord {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr bool kSpawns = false;
  static constexpr int kRegisters = 80;
  static constexpr std::size_t kScratchBytes = sizeof(RecordScratch::ends);

  MeasureArguments arguments;
  std::size_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    auto* const begins = context.template scratch<std::uint32_t>(kBuckets);
    const CornerLists lists(arguments.reach, arguments.grid, static_cast<std::uint32_t>(index));
    const std::uint32_t count = lists.count(context, begins);
    const auto begin_of = [=](int bucket) { return bucket < kBuckets ? begins[bucket] : count; };
    std::uint32_t of_bits = 0;
    if (count <= RecordScratch::kMost) {
      const AngleWindows& windows = *arguments.grid.windows;
      for (int bucket = context.lane(); bucket < kBuckets; bucket += context.lanes()) {
        const std::uint32_t size = begin_of(windows.end[bucket]) - begin_of(windows.first[bucket]);
        of_bits += (size + 7) / 8 * (begin_of(bucket + 1) - begin_of(bucket));
      }
    }
    const std::uint32_t bits =
        shuffle(CornerLists::sum_up_to(of_bits), static_cast<int>(context.lanes()) - 1);
    if (context.lane() == 0) {
      const std::size_t ids = three_star::id_bytes(lists.around().size()) * count;
      const std::size_t length = sizeof(three_star::RecordHeader) + three_star::padded(ids) +
                                 three_star::padded(count) + three_star::padded(bits);
      context.add(&arguments.totals->pairs, count);
      arguments.note(static_cast<std::uint32_t>(index), count == 0 ? kNoRecord
                                                        : count > RecordScratch::kMost
                                                            ? kLargeRecord
                                                            : static_cast<std::uint32_t>(length));
    }
    context.sync();  // Before another task has the scratch.
  }
};

struct MeasureTasks : TaskSet<MeasureRecord> {
  using Arguments = MeasureArguments;
};

struct RecordArguments {
  Reach reach;
  GridView grid;
  const RecordPlace* places;  // A point each.
  RecordStart start;          // Of the chunk, whose first corner is the first task's.
  std::byte* chunk;           // Aligned as a ChunkHeader, whose counts are 0 to begin with.
  std::uint32_t* directory;
};

struct WriteRecord {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr bool kSpawns = false;
  static constexpr int kRegisters = 96;
  static constexpr std::size_t kScratchBytes = sizeof(RecordScratch);

  RecordArguments arguments;
  std::size_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const std::uint32_t corner = arguments.start.corner + static_cast<std::uint32_t>(index);
    const RecordPlace place = arguments.places[corner];
    if (!place.has_record()) return;
    const auto offset = static_cast<std::uint32_t>(sizeof(three_star::ChunkHeader) + place.begin -
                                                   arguments.start.bytes);
    RecordScratch& scratch = *context.template scratch<RecordScratch>(1);
    const CornerLists lists(arguments.reach, arguments.grid, corner);
    const std::uint32_t count = lists.count(context, scratch.ends);
    lists.sort(scratch.ends, [&](std::uint32_t to, float x, float y, std::uint32_t neighbour) {
      scratch.neighbours[to] = {x, y};
      scratch.places[to] = neighbour;
    });
    context.sync();
    order_buckets(context, scratch);
    context.sync();
    std::byte* to = arguments.chunk + offset;
    if (context.lane() == 0) {
      arguments.directory[place.index - arguments.start.records] = offset;
      *reinterpret_cast<three_star::RecordHeader*>(to) = {corner, count, 0, count};
    }
    to += sizeof(three_star::RecordHeader);
    to = write_ids(context, lists.around(), scratch, count, to);
    to = write_buckets(context, scratch, count, to);
    write_bits(context, scratch, count, to);
    context.sync();  // Before another task has the scratch.
  }

 private:
  // As they were found they come in any order: so that a chunk is always the same, by place.
  template <class Context>
  MILLRACE_FUNCTION static void order_buckets(Context& context, RecordScratch& scratch) {
    for (int bucket = context.lane(); bucket < kBuckets; bucket += context.lanes()) {
      const std::uint32_t begin = bucket == 0 ? 0 : scratch.ends[bucket - 1];
      for (std::uint32_t i = begin + 1; i < scratch.ends[bucket]; ++i) {
        const Neighbour neighbour = scratch.neighbours[i];
        const std::uint32_t place = scratch.places[i];
        std::uint32_t to = i;
        for (; to > begin && scratch.places[to - 1] > place; --to) {
          scratch.neighbours[to] = scratch.neighbours[to - 1];
          scratch.places[to] = scratch.places[to - 1];
        }
        scratch.neighbours[to] = neighbour;
        scratch.places[to] = place;
      }
    }
  }

  // Each returns the byte behind what it has written.
  template <class Context>
  MILLRACE_FUNCTION static std::byte* write_ids(Context& context,
                                                const three_star::CellGrid::Neighbours& around,
                                                const RecordScratch& scratch, std::uint32_t count,
                                                std::byte* to) {
    const auto lanes = static_cast<std::uint32_t>(context.lanes());
    const auto id = [&](std::uint32_t i) {
      return i < count ? around.index(scratch.places[i]) : std::uint32_t{0};
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
      const SecondCorner second(arguments.reach, list, *arguments.grid.windows,
                                own < count ? own : first);
      const std::uint32_t seconds = count - first < lanes ? count - first : lanes;
      for (std::uint32_t j = 0; j < seconds; ++j) {
        const auto lane = static_cast<int>(j);
        const StarTest test = second.test_of(arguments.reach, lane);
        const std::uint32_t window = shuffle(second.begin, lane);
        const std::uint32_t size = shuffle(second.end, lane) - window;
        const std::uint32_t bytes = (size + 7) / 8;
        for (std::uint32_t k = 0; k < size; k += lanes) {
          const std::uint32_t third = k + context.lane();
          const bool is_in = third < size;
          const Neighbour of_k = scratch.neighbours[is_in ? window + third : 0];
          const gpu::LaneMask mask = ballot(
              is_in && test.is_star(arguments.reach, of_k, test.excess(of_k, of_k.squared())));
          stars += lanes_in(mask);
          const std::uint32_t byte = context.lane();
          if (byte < lanes / 8 && k / 8 + byte < bytes) {
            to[k / 8 + byte] = static_cast<std::byte>(mask >> (8 * byte) & 0xff);
          }
        }
        to += bytes;
      }
    }
    const auto padding = static_cast<int>(-(to - begin) & 3);
    if (context.lane() < padding) to[context.lane()] = std::byte{0};
    auto* const header = reinterpret_cast<three_star::ChunkHeader*>(arguments.chunk);
    if (context.lane() == 0) context.add(&header->three_stars, stars);
  }
};

struct RecordTasks : TaskSet<WriteRecord> {
  using Arguments = RecordArguments;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_RECORD_TASKS_GPU_H_
