// The search of whole samples on GPUs: a block of threads a macroblock.
#include <millrace/algorithms/motion_estimation/motion_integer_gpu.h>
#include <millrace/algorithms/motion_estimation/motion_ops.h>
#include <millrace/algorithms/motion_estimation/motion_refine_gpu.h>
#include <millrace/algorithms/motion_estimation/motion_search_gpu.h>
#include <millrace/algorithms/motion_estimation/motion_search_gpu_window.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/gpu_queue.h>
#include <millrace/runtime/op_table.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {
namespace {

using motion::Precision;

// A block's shared memory.
template <class Sample>
struct SearchMemory {
  static constexpr int kMostWarps = 4;

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
  std::uint64_t best[kMostWarps][kPartitions];  // Of each warp.
};

template <class Sample>
struct SearchInteger {
  using Share = ColumnShare<Sample>;
  using Window = SharedWindow<Sample>;

  static constexpr int kMostThreads = ColumnSearch<Sample>::kThreads;
  [[maybe_unused]] static constexpr int kWantedBlocks = sizeof(Sample) == 1 ? 4 : 2;

  KernelFrame<Sample> frame;
  MotionField field;
  int range;
  int lambda;

  MILLRACE_FUNCTION void operator()() const {
    auto& memory = *reinterpret_cast<SearchMemory<Sample>*>(shared_memory());
    const MotionVector predictor = frame.predictor(block_index());
    const int left = motion::window_centre(predictor.x) - range;  // The first candidate.
    const int top = motion::window_centre(predictor.y) - range;
    for (int row = thread_index(); row < 2 * range; row += kMostThreads) {
      memory.row_keys[row] = key_of_bits(4 * (top + row) - predictor.y) | row;
    }
    load_macroblock(memory);
    sync_block();
    std::uint64_t best = ~std::uint64_t{0};
    for (int column = 0; column < 2 * range; column += Window::kColumns) {
      // The last columns that there are: some for a second time.
      const int first =
          2 * range > Window::kColumns ? clamped(column, 0, 2 * range - Window::kColumns) : 0;
      search_columns(memory, first, left, top, 4 * left - predictor.x);
      sync_block();
      for (int warp = 0; warp < kMostThreads / warp_width(); ++warp) {
        if (thread_index() >= kPartitions) break;
        const std::uint64_t other = memory.best[warp][thread_index()];
        best = other < best ? other : best;
      }
      sync_block();
    }
    if (thread_index() >= kPartitions) return;
    const auto found = static_cast<std::uint32_t>(best);
    const std::size_t place = MotionField::index(block_index(), thread_index());
    field.vectors[place] = {
        static_cast<std::int16_t>(4 * (left + static_cast<int>(found & 0xff))),
        static_cast<std::int16_t>(4 * (top + static_cast<int>(found >> 8 & 0xff)))};
    field.costs[place] = static_cast<std::uint32_t>(best >> 16);
  }

 private:
  // A thread's place among those of a block: its column of candidates, which of some rows it has,
  // and which half of the macroblock.
  struct ThreadPlace {
    int column;
    int strip;
    int half;
  };

  // Threads are more than candidates in a row where the range is small.
  MILLRACE_FUNCTION int strips() const { return 4 * range <= Window::kColumns ? 2 : 1; }

  MILLRACE_FUNCTION ThreadPlace thread_place() const {
    const int thread = thread_index();
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

  // Leaves each warp's best candidates of 64 columns in memory: J, row and column, in 8 bits each.
  MILLRACE_FUNCTION void search_columns(SearchMemory<Sample>& memory, int first_column, int left,
                                        int top, int difference) const {
    const ThreadPlace thread = thread_place();
    const MacroblockPlace macroblock(block_index(), frame.current.macroblocks_per_row());
    ColumnSearch<Sample> search(kHalfLanes, memory.upper);
    search.load_macroblock(memory.macroblock[thread_index() / warp_width()].words +
                           thread.half * Share::kRowWords);
    for (int row = 0; row < 2 * range; row += Window::kRows) {
      const int rows = clamped(2 * range - row, kLeastRows, Window::kRows);
      const int first = clamped(row, 0, 2 * range - rows);
      memory.window.load(frame.reference, macroblock.x + left + first_column,
                         macroblock.y + top + first, rows);
      sync_block();
      search_rows(memory, search, thread, first, rows);
      sync_block();
    }
    const int column = first_column + thread.column;
    keep_best(memory, search.keys(), thread.half, key_of_bits(difference + 4 * column), column);
  }

  MILLRACE_FUNCTION void search_rows(const SearchMemory<Sample>& memory,
                                     ColumnSearch<Sample>& search, const ThreadPlace& thread,
                                     int first, int rows) const {
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

  MILLRACE_FUNCTION void keep_best(SearchMemory<Sample>& memory,
                                   const typename ColumnSearch<Sample>::Keys& keys, int half,
                                   std::uint32_t column_key, int column) const {
    const gpu::LaneMask lanes_before = (gpu::LaneMask{1} << lane_index()) - 1;
    std::uint64_t* const best = memory.best[thread_index() / warp_width()];
    for_constants<Share::kPartitions>([&](auto i) {
      const std::uint32_t key = keys[i] + column_key;
      for (int of_half = 0; of_half < Share::kLanes; ++of_half) {
        const std::uint32_t own = half == of_half ? key : 0xffffffff;
        const std::uint32_t least = warp_min(own);
        const gpu::LaneMask holders = ballot(own == least);
        if (own == least && (holders & lanes_before) == 0) {
          best[Share::partition(i, of_half)] =
              std::uint64_t{least} << 8 | static_cast<std::uint64_t>(column);
        }
      }
    });
  }

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
