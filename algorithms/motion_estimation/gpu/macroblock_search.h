// SPDX-License-Identifier: Apache-2.0

// The search of a macroblock in whole samples.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_MACROBLOCK_SEARCH_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_MACROBLOCK_SEARCH_H_

#include <millrace/algorithms/motion_estimation/gpu/column_search.h>
#include <millrace/algorithms/motion_estimation/gpu/kernel_frame.h>
#include <millrace/algorithms/motion_estimation/gpu/shared_window.h>
#include <millrace/backends/gpu/api.h>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

// A block's shared memory.
template <class Sample>
struct SearchMemory {
  static constexpr int kMacroblockRowWords =
      ThreadColumns<Sample>::kLanes * ThreadColumns<Sample>::kRowWords;

  // For each partition the smallest key of each slot (ThreadWork). Threads that read a row each,
  // 16 bytes at a time, have no bank conflicts.
  using Keys = std::uint32_t[kPartitions][SharedWindow<Sample>::kColumns + kVectorWords];

  // Returns the size for a search of 2 range columns and rows.
  static constexpr std::size_t bytes(int range) {
    return offsetof(SearchMemory, row_keys) + 2 * range * sizeof(std::uint32_t);
  }

  union {
    SharedWindow<Sample> window;
    alignas(gpu::Vector16) Keys keys;  // Valid between the search in a window and the next window.
  };
  alignas(gpu::Vector16) std::uint32_t macroblock[kMacroblockWidth * kMacroblockRowWords];
  typename ColumnSearch<Sample>::BlockUpperSums upper;
  alignas(8) std::uint32_t row_keys[2 * motion::kMostRange];  // One per row.
};

// The candidates of a macroblock.
struct Candidates {
  MacroblockPosition position;
  MotionVector predictor;
  MotionVector first;  // Counted in whole samples.
};

// Searches whole samples around a predictor, with a block of ColumnSearch<Sample>::kThreads
// threads.
template <class Sample>
struct MacroblockSearch {
  using Columns = ThreadColumns<Sample>;
  using Window = SharedWindow<Sample>;
  using Memory = SearchMemory<Sample>;

  static constexpr int kThreads = ColumnSearch<Sample>::kThreads;

  KernelFrame<Sample> frame;
  MotionField field;
  int range;
  int lambda;

  MILLRACE_FUNCTION void search(int macroblock) const {
    auto& memory = *reinterpret_cast<Memory*>(shared_memory());
    const MacroblockPosition position = frame.raster.position(macroblock);
    const std::uint32_t own = own_macroblock_word(position);
    wait_for_previous_kernel();
    const MotionVector predictor = frame.predictor(macroblock);
    const Candidates candidates{
        position,
        predictor,
        {static_cast<std::int16_t>(motion::window_centre(predictor.x) - range),
         static_cast<std::int16_t>(motion::window_centre(predictor.y) - range)}};
    put_row_keys(memory, candidates);
    std::uint64_t best = ~std::uint64_t{0};
    for (int column = 0; column < 2 * range; column += Window::kColumns) {
      // All threads have read the keys, whose memory the window reuses.
      if (column > 0) sync_block();
      // The last columns; some are searched twice.
      const int last = 2 * range - Window::kColumns;
      const int first_column = last > 0 ? clamped(column, 0, last) : 0;
      search_columns(memory, own, candidates, first_column);
      sync_block();
      if (thread_index() < kPartitions) {
        const std::uint64_t found = best_of(memory.keys[thread_index()], first_column);
        best = found < best ? found : best;
      }
    }
    launch_dependents();
    if (thread_index() < kPartitions) put_best(macroblock, best, candidates.first);
  }

 private:
  // The work of a thread of a block: its column of candidates, the slot of its keys, its strip of
  // rows, and its half of the macroblock.
  struct ThreadWork {
    int column;
    int slot;
    int strip;
    int half;
  };

  // Writes the keys of rows, which are read behind the barrier that follows the first window.
  MILLRACE_FUNCTION void put_row_keys(Memory& memory, const Candidates& candidates) const {
    for (int row = thread_index(); row < 2 * range; row += kThreads) {
      const int difference = 4 * (candidates.first.y + row) - candidates.predictor.y;
      memory.row_keys[row] = key_of_bits(difference) | row;
    }
  }

  // Writes a result; `best` is J, row and column of the thread's partition, the latter in 8 bits
  // each.
  MILLRACE_FUNCTION void put_best(int macroblock, std::uint64_t best,
                                  const MotionVector& first) const {
    const int x = first.x + static_cast<int>(best & 0xff);
    const int y = first.y + static_cast<int>(best >> 8 & 0xff);
    const std::size_t index = MotionField::index(macroblock, thread_index());
    field.vectors[index] = {static_cast<std::int16_t>(4 * x), static_cast<std::int16_t>(4 * y)};
    field.costs[index] = static_cast<std::uint32_t>(best >> 16);
  }

  // Returns true if a small range leaves at least twice as many slots as candidates in a row: then
  // there are two strips of rows.
  MILLRACE_FUNCTION bool has_strips() const { return 2 * range <= kStripSlots; }

  MILLRACE_FUNCTION int column_of(int slot) const {
    const int slots = has_strips() ? kStripSlots : Window::kColumns;
    return clamped(slot & (slots - 1), 0, 2 * range - 1);
  }

  MILLRACE_FUNCTION ThreadWork thread_work() const {
    const int thread = thread_index();
    const int half = Columns::kLanes == 1 ? 0 : thread / kHalfLanes % 2;
    const int slot = Columns::kLanes == 1
                         ? thread
                         : thread / (2 * kHalfLanes) * kHalfLanes + thread % kHalfLanes;
    return {column_of(slot), slot, has_strips() ? slot / kStripSlots : 0, half};
  }

  MILLRACE_FUNCTION std::uint32_t key_of_bits(int difference) const {
    return static_cast<std::uint32_t>(lambda * bits_of_difference(difference)) << 8;
  }

  // Reads one of the macroblock's words per thread.
  MILLRACE_FUNCTION std::uint32_t own_macroblock_word(const MacroblockPosition& position) const {
    static_assert(kThreads == kMacroblockWidth * Memory::kMacroblockRowWords);
    constexpr int kRowWords = Memory::kMacroblockRowWords;
    return frame.current.word_inside(
        frame.current.row(position.y + thread_index() / kRowWords),
        position.x + thread_index() % kRowWords * WordPlane<Sample>::kWordSamples);
  }

  // Finds each partition's best candidates of 64 columns. The macroblock is written to shared
  // memory after a window (and again after others), so that no thread waits first for one and then
  // for the other.
  MILLRACE_FUNCTION void search_columns(Memory& memory, std::uint32_t own_word,
                                        const Candidates& candidates, int first_column) const {
    ColumnSearch<Sample> search(kHalfLanes, memory.upper);
    for (int row = 0; row < 2 * range; row += Window::kRows) {
      const int rows = clamped(2 * range - row, kLeastRows, Window::kRows);
      const int first_row = clamped(row, 0, 2 * range - rows);
      memory.window.load(frame.reference, candidates.position.x + candidates.first.x + first_column,
                         candidates.position.y + candidates.first.y + first_row, rows);
      memory.macroblock[thread_index()] = own_word;
      sync_block();
      // nvcc keeps values that all threads read from one address in uniform registers, from which
      // they have to be moved for each use. This index prevents that.
      const int zero = thread_index() & (range / (motion::kMostRange + 1));
      search.load_macroblock(memory.macroblock + zero * kThreads +
                             thread_work().half * Columns::kRowWords);
      search_rows(memory, search, first_row, rows);
      sync_block();
    }
    put_keys(memory, search.keys(), candidates, first_column);
  }

  MILLRACE_FUNCTION void search_rows(const Memory& memory, ColumnSearch<Sample>& search, int first,
                                     int rows) const {
    const ThreadWork thread = thread_work();
    const int own_rows = has_strips() ? rows / 2 : rows;
    int done = 0;
    while (done < own_rows) {
      const int left = own_rows - done;
      const int next = left < kLeastRows ? kLeastRows : left / kLeastRows * kLeastRows;
      const int row = thread.strip * own_rows + clamped(done, 0, own_rows - next);
      search.search(memory.window.words(row, thread.column) + thread.half * Columns::kRowWords,
                    memory.row_keys + first + row, next);
      done += next;
    }
  }

  MILLRACE_FUNCTION void put_keys(Memory& memory, const typename ColumnSearch<Sample>::Keys& keys,
                                  const Candidates& candidates, int first_column) const {
    const ThreadWork thread = thread_work();
    const int x = candidates.first.x + first_column + thread.column;
    const std::uint32_t column_key = key_of_bits(4 * x - candidates.predictor.x);
    for_constants<Columns::kPartitions>([&](auto own) {
      // The thread of the other half computes it too.
      if (thread.half != 0 && own < Columns::k8x16) return;
      memory.keys[Columns::partition(own, thread.half)][thread.slot] = keys[own] + column_key;
    });
  }

  // Returns the smallest of a partition's keys, and the first column that has it, in the lowest 8
  // bits.
  MILLRACE_FUNCTION std::uint64_t best_of(const std::uint32_t* keys, int first_column) const {
    const auto* const chunks = reinterpret_cast<const gpu::Vector16*>(keys);
    std::uint32_t least = 0xffffffff;
    int chunk = 0;
    for (int i = 0; i < Window::kColumns / kVectorWords; ++i) {
      const std::uint32_t of_chunk = least_word(chunks[i]);
      if (of_chunk < least) {
        least = of_chunk;
        chunk = i;
      }
    }
    int slot = kVectorWords * chunk;
    while (keys[slot] != least) ++slot;
    return std::uint64_t{least} << 8 | static_cast<unsigned>(first_column + column_of(slot));
  }

  MILLRACE_FUNCTION static std::uint32_t least_word(const gpu::Vector16& chunk) {
    std::uint32_t least = chunk.words[0];
    for (int i = 1; i < kVectorWords; ++i) {
      least = chunk.words[i] < least ? chunk.words[i] : least;
    }
    return least;
  }

  static constexpr int kStripSlots = Window::kColumns / 2;
  static_assert(std::has_single_bit(static_cast<unsigned>(kStripSlots)));
  static constexpr int kHalfLanes = 16;
  static constexpr int kLeastRows = 8;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_MACROBLOCK_SEARCH_H_
