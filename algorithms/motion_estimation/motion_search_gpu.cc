// The search of whole samples on GPUs: a block of threads a macroblock.
#include <millrace/algorithms/motion_estimation/motion_integer_gpu.h>
#include <millrace/algorithms/motion_estimation/motion_ops.h>
#include <millrace/algorithms/motion_estimation/motion_refine_gpu.h>
#include <millrace/algorithms/motion_estimation/motion_search_gpu.h>
#include <millrace/algorithms/motion_estimation/motion_search_gpu_window.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/gpu_queue.h>
#include <millrace/backends/gpu/lane_mask.h>
#include <millrace/runtime/op_table.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

using motion::Precision;

// A block's shared memory. What the search does not need is here, and not in registers, while it
// runs.
template <class Sample>
class SearchMemory {
 public:
  static constexpr int kMostWarps = ColumnSearch<Sample>::kThreads / 32;
  static constexpr int kMacroblockWords =
      kMacroblockWidth * ColumnShare<Sample>::kLanes * ColumnShare<Sample>::kRowWords;

  // Of each warp, J, row and column, the latter in 8 bits each.
  using Best = std::uint64_t[kMostWarps][kPartitions];

  // Of a search of 2 range columns and rows.
  static constexpr std::size_t bytes(int range) {
    return offsetof(SearchMemory, row_keys) + 2 * range * sizeof(std::uint32_t) +
           (is_in_one_window(range) ? 0 : sizeof(Best));
  }

  // Where nothing is searched after that, in the place of what the search needs.
  MILLRACE_FUNCTION Best& best(int range) {
    return is_in_one_window(range) ? upper_best : *reinterpret_cast<Best*>(row_keys + 2 * range);
  }

  SharedWindow<Sample> window;
  alignas(16) std::uint32_t macroblock[kMacroblockWords];
  union {
    alignas(8) typename ColumnSearch<Sample>::BlockUpperSums upper;
    Best upper_best;
  };
  alignas(8) std::uint32_t row_keys[2 * motion::kMostRange];  // As many as there are rows.

 private:
  static_assert(sizeof(upper) >= sizeof(Best));

  MILLRACE_FUNCTION static constexpr bool is_in_one_window(int range) {
    return 2 * range <= SharedWindow<Sample>::kColumns;
  }
};

template <class Sample>
struct SearchInteger {
  using Share = ColumnShare<Sample>;
  using Window = SharedWindow<Sample>;
  using Memory = SearchMemory<Sample>;

  static constexpr int kMostThreads = ColumnSearch<Sample>::kThreads;
  [[maybe_unused]] static constexpr int kWantedBlocks = SearchTuning<Sample>::kBlocks;

  KernelFrame<Sample> frame;
  MotionField field;
  int first_macroblock;
  int range;
  int lambda;

  MILLRACE_FUNCTION void operator()() const {
    auto& memory = *reinterpret_cast<Memory*>(shared_memory());
    const MotionVector predictor = frame.predictor(macroblock());
    const MotionVector first{static_cast<std::int16_t>(motion::window_centre(predictor.x) - range),
                             static_cast<std::int16_t>(motion::window_centre(predictor.y) - range)};
    prepare(memory, first, predictor);
    const OwnWords words = own_macroblock_words();
    for (int column = 0; column < 2 * range; column += Window::kColumns) {
      // The last columns that there are: some for a second time.
      const int last = 2 * range - Window::kColumns;
      search_columns(memory, words, first, last > 0 ? clamped(column, 0, last) : 0);
    }
    sync_block();
    if (thread_index() < kPartitions) put_best(memory.best(range), first, thread_index());
  }

 private:
  static constexpr int kSlotLanes = 32;  // The least that a warp has.

  // A lane's part of a macroblock on its way to shared memory.
  static constexpr int kOwnWords = Memory::kMacroblockWords / kSlotLanes;
  struct OwnWords {
    std::uint32_t words[kOwnWords];
  };

  // A thread's place among those of a block: its column of candidates, which of some rows it has,
  // and which half of the macroblock.
  struct ThreadPlace {
    int column;
    int strip;
    int half;
  };

  MILLRACE_FUNCTION int macroblock() const { return first_macroblock + block_index(); }

  // What is read behind the barrier that follows the first window.
  MILLRACE_FUNCTION void prepare(Memory& memory, const MotionVector& first,
                                 const MotionVector& predictor) const {
    for (int row = thread_index(); row < 2 * range; row += kMostThreads) {
      memory.row_keys[row] = key_of_bits(4 * (first.y + row) - predictor.y) | row;
    }
  }

  MILLRACE_FUNCTION void put_best(const typename Memory::Best& of_warps, const MotionVector& first,
                                  int partition) const {
    std::uint64_t best = of_warps[0][partition];
    for (int warp = 1; warp < Memory::kMostWarps; ++warp) {
      if (warp * warp_width() >= kMostThreads) break;
      const std::uint64_t other = of_warps[warp][partition];
      best = other < best ? other : best;
    }
    const int x = first.x + static_cast<int>(best & 0xff);
    const int y = first.y + static_cast<int>(best >> 8 & 0xff);
    const std::size_t place = MotionField::index(macroblock(), partition);
    field.vectors[place] = {static_cast<std::int16_t>(4 * x), static_cast<std::int16_t>(4 * y)};
    field.costs[place] = static_cast<std::uint32_t>(best >> 16);
  }

  // Threads are more than candidates in a row where the range is small.
  MILLRACE_FUNCTION int strips() const { return 4 * range <= Window::kColumns ? 2 : 1; }

  MILLRACE_FUNCTION ThreadPlace thread_place(int thread) const {
    const int half = Share::kLanes == 1 ? 0 : thread / kHalfLanes % 2;
    const int slot =
        Share::kLanes == 1 ? thread : thread / (2 * kHalfLanes) * kHalfLanes + thread % kHalfLanes;
    const int columns = Window::kColumns / strips();
    return {clamped(slot % columns, 0, 2 * range - 1), slot / columns, half};
  }

  MILLRACE_FUNCTION std::uint32_t key_of_bits(int difference) const {
    return static_cast<std::uint32_t>(lambda * bits_of_difference(difference)) << 8;
  }

  MILLRACE_FUNCTION OwnWords own_macroblock_words() const {
    constexpr int kRowWords = Share::kLanes * Share::kRowWords;
    const MacroblockPlace place(macroblock(), frame.current.macroblocks_per_row());
    OwnWords own;
    for (int i = 0; i < kOwnWords; ++i) {
      const int word = lane_index() + i * warp_width();
      const Sample* const row = frame.current.row(place.y + word / kRowWords);
      own.words[i] =
          frame.current.word(row, place.x + word % kRowWords * WordPlane<Sample>::kWordSamples);
    }
    return own;
  }

  MILLRACE_FUNCTION void put_macroblock(Memory& memory, const OwnWords& own) const {
    if (thread_index() >= warp_width()) return;
    for (int i = 0; i < kOwnWords; ++i) {
      const int word = lane_index() + i * warp_width();
      if (word < Memory::kMacroblockWords) memory.macroblock[word] = own.words[i];
    }
  }

  // Finds each warp's best candidates of 64 columns. The macroblock is put down behind the first
  // window, so that nobody waits for the one and then for the other.
  MILLRACE_FUNCTION void search_columns(Memory& memory, const OwnWords& own,
                                        const MotionVector& first, int first_column) const {
    ColumnSearch<Sample> search(kHalfLanes, memory.upper);
    for (int row = 0; row < 2 * range; row += Window::kRows) {
      const int rows = clamped(2 * range - row, kLeastRows, Window::kRows);
      const int first_row = clamped(row, 0, 2 * range - rows);
      const MacroblockPlace place(macroblock(), frame.current.macroblocks_per_row());
      memory.window.load(frame.reference, place.x + first.x + first_column,
                         place.y + first.y + first_row, rows);
      put_macroblock(memory, own);
      sync_block();
      // What nvcc knows all threads to read from one place it keeps in uniform registers, from
      // where it has to be moved for each use.
      const int zero = thread_index() & (range / (motion::kMostRange + 1));
      search.load_macroblock(memory.macroblock + zero * Memory::kMacroblockWords +
                             thread_place(thread_index()).half * Share::kRowWords);
      search_rows(memory, search, first_row, rows);
      sync_block();
    }
    keep_best(memory, search.keys(), first, first_column);
  }

  MILLRACE_FUNCTION void search_rows(const Memory& memory, ColumnSearch<Sample>& search, int first,
                                     int rows) const {
    const ThreadPlace thread = thread_place(thread_index());
    const int own_rows = rows / strips();
    int done = 0;
    while (done < own_rows) {
      const int left = own_rows - done;
      const int next = left < kLeastRows ? kLeastRows : left / kLeastRows * kLeastRows;
      const int row = thread.strip * own_rows + clamped(done, 0, own_rows - next);
      search.search(memory.window.words(row, thread.column) + thread.half * Share::kRowWords,
                    memory.row_keys + first + row, next);
      done += next;
    }
  }

  // Each partition's smallest key goes to a lane of its own, which has it join the warp's best.
  MILLRACE_FUNCTION void keep_best(Memory& memory, const typename ColumnSearch<Sample>::Keys& keys,
                                   const MotionVector& first, int first_column) const {
    const ThreadPlace thread = thread_place(thread_index());
    const int difference = 4 * (first.x + first_column + thread.column);
    const std::uint32_t column_key = key_of_bits(difference - frame.predictor(macroblock()).x);
    std::uint32_t least[kSlots];
    gpu::LaneMask holders[kSlots];
    for_constants<kEntries>([&](auto i) {
      const bool is_of_half = thread.half == i / Share::kPartitions;
      const std::uint32_t own = is_of_half ? keys[i % Share::kPartitions] + column_key : 0xffffffff;
      const std::uint32_t least_of_all = warp_min(own);
      const gpu::LaneMask holders_of_it = ballot(own == least_of_all);
      if (lane_index() == i % kSlotLanes) {
        least[i / kSlotLanes] = least_of_all;
        holders[i / kSlotLanes] = holders_of_it;
      }
    });
    const int warp = thread_index() / warp_width();
    for_constants<kSlots>([&](auto slot) {
      const int entry = slot * kSlotLanes + lane_index();
      if (lane_index() >= kSlotLanes || entry >= kEntries) return;
      const int partition = entry % Share::kPartitions;
      const int half = entry / Share::kPartitions;
      if (half != 0 && partition < Share::k8x16) return;  // The other half has it, too.
      const int holder = warp * warp_width() + first_lane(holders[slot]);
      const int column = first_column + thread_place(holder).column;
      const auto found = std::uint64_t{least[slot]} << 8 | static_cast<std::uint64_t>(column);
      std::uint64_t& best = memory.best(range)[warp][Share::partition(partition, half)];
      if (first_column == 0 || found < best) best = found;
    });
  }

  static constexpr int kEntries = Share::kPartitions * Share::kLanes;
  static constexpr int kSlots = (kEntries + kSlotLanes - 1) / kSlotLanes;

  static constexpr int kHalfLanes = 16;
  static constexpr int kLeastRows = 8;
};

template <class Sample>
void search_integer(Stream stream, const KernelFrame<Sample>& frame, const MotionField& field,
                    const MacroblockRange& range, const SearchOptions& options) {
  using Body = SearchInteger<Sample>;
  gpu::LaunchShape shape;
  shape.blocks = range.count;
  shape.threads = Body::kMostThreads;
  shape.shared_bytes = SearchMemory<Sample>::bytes(options.range);
  launch(&body_kernel<Body>, shape, stream,
         Body{frame, field, range.first, options.range, options.lambda});
}

// Frames that wait for each other are searched in bands that do not, each in a stream of its own:
// where one has too few macroblocks left for the device, the others have some. On an H200, four
// bands are 1.11 times as fast as two at 640x480, where whole samples are searched, and as fast at
// 1280x720; with quarters, two are 0.86 times as fast as one at 640x480, 0.99 at 1280x720 and 1.01
// at 1920x1080 (docs/results/2026-11-23-gpu-h200-again.md).
int band_count(std::size_t frames, int macroblocks, const gpu::Properties& device,
               Precision precision) {
  if (frames == 1) return 1;
  constexpr int kFew = 16;  // Macroblocks of a multiprocessor.
  const bool are_few = macroblocks < kFew * device.multiprocessors;
  const int wanted = precision == Precision::kInteger ? (are_few ? 4 : 3) : (are_few ? 1 : 2);
  return std::min(wanted, macroblocks);
}

template <class Sample>
void search_frames(GpuQueue& queue, const std::vector<SearchFrame<Sample>>& frames,
                   const std::vector<MotionField>& fields, const SearchOptions& options) {
  const MacroblockRange searched = range_of(options.rows, frames[0].current);
  const int macroblocks = searched.count;
  const gpu::Properties& device = queue.gpu_device().properties();
  const int bands = band_count(frames.size(), macroblocks, device, options.precision);
  const std::vector<Stream> streams = queue.side_streams().fork(bands);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const KernelFrame<Sample> frame(frames[i]);
    for (int band = 0; band < bands; ++band) {
      const auto start_of = [=](int of) {
        return searched.first + static_cast<int>(std::int64_t{macroblocks} * of / bands);
      };
      const MacroblockRange range{start_of(band), start_of(band + 1) - start_of(band)};
      search_integer(streams[band], frame, fields[i], range, options);
      if (options.precision == Precision::kInteger) continue;
      refine_field(streams[band], device.warp_width, frame, fields[i], range, options);
    }
  }
  queue.side_streams().join();
}

template <class Sample>
void enqueue_search(Queue& queue, std::span<const SearchFrame<Sample>> frames,
                    std::span<const MotionField> fields, const SearchOptions& options) {
  auto& own = static_cast<GpuQueue&>(queue);
  own.enqueue([&own, frames = std::vector(frames.begin(), frames.end()),
               fields = std::vector(fields.begin(), fields.end()),
               options] { search_frames(own, frames, fields, options); },
              GpuQueue::Start::kInline, "motion search");
}

const RegisterOp<motion::SearchMotionOp<std::uint8_t>> registered_8(kBackend,
                                                                    &enqueue_search<std::uint8_t>);
const RegisterOp<motion::SearchMotionOp<std::uint16_t>> registered_10(
    kBackend, &enqueue_search<std::uint16_t>);

}  // namespace
}  // namespace millrace::MILLRACE_GPU
