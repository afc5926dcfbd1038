// The search of whole samples on GPUs: a block of threads a macroblock.
#include <millrace/algorithms/motion_estimation/motion_integer_gpu.h>
#include <millrace/algorithms/motion_estimation/motion_ops.h>
#include <millrace/algorithms/motion_estimation/motion_refine_gpu.h>
#include <millrace/algorithms/motion_estimation/motion_search_gpu.h>
#include <millrace/algorithms/motion_estimation/motion_search_gpu_window.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/gpu_queue.h>
#include <millrace/runtime/op_table.h>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {
namespace {

using motion::Precision;

// A block's shared memory. What the search does not need is here, and not in registers, while it
// runs.
template <class Sample>
struct SearchMemory {
  static constexpr int kMostWarps = ColumnSearch<Sample>::kThreads / 32;

  // nvcc keeps what all threads read from one place in uniform registers, from where it has to be
  // moved for each use: so each warp has its own copy.
  struct Macroblock {
    std::uint32_t
        words[kMacroblockWidth * ColumnShare<Sample>::kLanes * ColumnShare<Sample>::kRowWords];
  };

  SharedWindow<Sample> window;
  Macroblock macroblock[kMostWarps];
  typename ColumnSearch<Sample>::BlockUpperSums upper;
  std::uint32_t row_keys[2 * motion::kMostRange];
  MotionVector first;  // The first candidate, in whole samples.
  // Of each warp, J, row and column, the latter in 8 bits each.
  std::uint64_t best[kMostWarps][kPartitions];
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
  int range;
  int lambda;

  MILLRACE_FUNCTION void operator()() const {
    auto& memory = *reinterpret_cast<Memory*>(shared_memory());
    prepare(memory);
    sync_block();
    for (int column = 0; column < 2 * range; column += Window::kColumns) {
      // The last columns that there are: some for a second time.
      const int last = 2 * range - Window::kColumns;
      search_columns(memory, last > 0 ? clamped(column, 0, last) : 0);
    }
    sync_block();
    if (thread_index() < kPartitions) put_best(memory, thread_index());
  }

 private:
  // A thread's place among those of a block: its column of candidates, which of some rows it has,
  // and which half of the macroblock.
  struct ThreadPlace {
    int column;
    int strip;
    int half;
  };

  MILLRACE_FUNCTION void prepare(Memory& memory) const {
    const MotionVector predictor = frame.predictor(block_index());
    const MotionVector first{static_cast<std::int16_t>(motion::window_centre(predictor.x) - range),
                             static_cast<std::int16_t>(motion::window_centre(predictor.y) - range)};
    if (thread_index() == 0) memory.first = first;
    for (int row = thread_index(); row < 2 * range; row += kMostThreads) {
      memory.row_keys[row] = key_of_bits(4 * (first.y + row) - predictor.y) | row;
    }
    for (int i = thread_index(); i < Memory::kMostWarps * kPartitions; i += kMostThreads) {
      memory.best[i / kPartitions][i % kPartitions] = ~std::uint64_t{0};
    }
    load_macroblock(memory);
  }

  MILLRACE_FUNCTION void put_best(const Memory& memory, int partition) const {
    std::uint64_t best = memory.best[0][partition];
    for (int warp = 1; warp < Memory::kMostWarps; ++warp) {
      const std::uint64_t other = memory.best[warp][partition];
      best = other < best ? other : best;
    }
    const int x = memory.first.x + static_cast<int>(best & 0xff);
    const int y = memory.first.y + static_cast<int>(best >> 8 & 0xff);
    const std::size_t place = MotionField::index(block_index(), partition);
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

  MILLRACE_FUNCTION void load_macroblock(SearchMemory<Sample>& memory) const {
    constexpr int kRowWords = Share::kLanes * Share::kRowWords;
    const MacroblockPlace place(block_index(), frame.current.macroblocks_per_row());
    std::uint32_t* const words = memory.macroblock[thread_index() / warp_width()].words;
    for (int i = lane_index(); i < kMacroblockWidth * kRowWords; i += warp_width()) {
      const Sample* const row = frame.current.row(place.y + i / kRowWords);
      words[i] = frame.current.word(row, place.x + i % kRowWords * WordPlane<Sample>::kWordSamples);
    }
  }

  // Finds each warp's best candidates of 64 columns.
  MILLRACE_FUNCTION void search_columns(Memory& memory, int first_column) const {
    ColumnSearch<Sample> search(kHalfLanes, memory.upper);
    search.load_macroblock(memory.macroblock[thread_index() / warp_width()].words +
                           thread_place(thread_index()).half * Share::kRowWords);
    for (int row = 0; row < 2 * range; row += Window::kRows) {
      const int rows = clamped(2 * range - row, kLeastRows, Window::kRows);
      const int first = clamped(row, 0, 2 * range - rows);
      load_window(memory, first_column, first, rows);
      sync_block();
      search_rows(memory, search, first, rows);
      sync_block();
    }
    keep_best(memory, search.keys(), first_column);
  }

  MILLRACE_FUNCTION void load_window(Memory& memory, int first_column, int first_row,
                                     int rows) const {
    const MacroblockPlace macroblock(block_index(), frame.current.macroblocks_per_row());
    memory.window.load(frame.reference, macroblock.x + memory.first.x + first_column,
                       macroblock.y + memory.first.y + first_row, rows);
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
                                   int first_column) const {
    const ThreadPlace thread = thread_place(thread_index());
    const int difference = 4 * (memory.first.x + first_column + thread.column);
    const std::uint32_t column_key = key_of_bits(difference - frame.predictor(block_index()).x);
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
      const int holder = warp * warp_width() + std::countr_zero(holders[slot]);
      const int column = first_column + thread_place(holder).column;
      const auto found = std::uint64_t{least[slot]} << 8 | static_cast<std::uint64_t>(column);
      std::uint64_t& best =
          memory
              .best[warp][Share::partition(entry % Share::kPartitions, entry / Share::kPartitions)];
      if (found < best) best = found;
    });
  }

  static constexpr int kEntries = Share::kPartitions * Share::kLanes;
  static constexpr int kSlotLanes = 32;  // The least that a warp has.
  static constexpr int kSlots = (kEntries + kSlotLanes - 1) / kSlotLanes;

  static constexpr int kHalfLanes = 16;
  static constexpr int kLeastRows = 8;
};

template <class Sample>
void search_integer(GpuQueue& queue, const SearchFrame<Sample>& frame, const MotionField& field,
                    const SearchOptions& options) {
  using Body = SearchInteger<Sample>;
  gpu::LaunchShape shape;
  shape.blocks = static_cast<int>(frame.current.macroblock_count());
  shape.threads = Body::kMostThreads;
  shape.shared_bytes = sizeof(SearchMemory<Sample>);
  launch(&body_kernel<Body>, shape, queue.stream(),
         Body{KernelFrame<Sample>(frame), field, options.range, options.lambda});
}

template <class Sample>
void enqueue_search(Queue& queue, const SearchFrame<Sample>& frame, const MotionField& field,
                    const SearchOptions& options) {
  auto& own = static_cast<GpuQueue&>(queue);
  own.enqueue(
      [&own, frame, field, options] {
        search_integer(own, frame, field, options);
        if (options.precision != Precision::kInteger) refine_field(own, frame, field, options);
      },
      GpuQueue::Start::kInline, "motion search");
}

const RegisterOp<motion::SearchMotionOp<std::uint8_t>> registered_8(kBackend,
                                                                    &enqueue_search<std::uint8_t>);
const RegisterOp<motion::SearchMotionOp<std::uint16_t>> registered_10(
    kBackend, &enqueue_search<std::uint16_t>);

}  // namespace
}  // namespace millrace::MILLRACE_GPU
