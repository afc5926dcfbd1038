// SPDX-License-Identifier: Apache-2.0

// The paper's search on a GPU: a block searches cells, a thread for each of their points.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_PAPER_PAPER_KERNEL_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_PAPER_PAPER_KERNEL_GPU_H_

#include <millrace/algorithms/three_star/paper/make_paper_chunks_op.h>
#include <millrace/algorithms/three_star/paper/paper_cells.h>
#include <millrace/algorithms/three_star/paper/paper_chunk.h>
#include <millrace/algorithms/three_star/paper/paper_tables.h>
#include <millrace/backends/gpu/api.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

using three_star::IndexRange;
using three_star::kPaperStage;
using three_star::kSegmentPoints;
using three_star::PackedStar;
using three_star::PaperCell;
using three_star::PaperCursor;
using three_star::PaperLeft;
using three_star::PaperRanges;
using three_star::PaperSearch;
using three_star::PaperSegment;
using three_star::PaperState;
using three_star::Point;
using three_star::SideBounds;
using three_star::ThreeStar;

// Third corners that each thread tests in a step: those of all threads fit into the stage.
inline constexpr std::uint32_t kTile = kPaperStage / kSegmentPoints;
inline constexpr std::uint32_t kTiles = kSegmentPoints / kTile;

// A block's shared memory.
struct PaperBlock {
  Point seconds[kSegmentPoints];
  Point thirds[kSegmentPoints];
  std::uint32_t stage[kPaperStage];

  // 3-stars that a step has found, with kFull if the chunk has no more space; the next step's and,
  // being cleared, that of the one behind it.
  std::uint32_t found[3];
  static constexpr std::uint32_t kFull = std::uint32_t{1} << 31;

  PaperLeft work;          // The work,
  std::uint32_t has_work;  // 1 if there is any.
  std::uint64_t offset;    // Offset of the written bytes in the chunk, or kNoSpace.
  static constexpr std::uint64_t kNoSpace = ~std::uint64_t{0};
};

// A thread of a block. Members that are not const are the same in all threads of the block.
template <class Sides, bool kIsCompressed>
class PaperThread {
 public:
  MILLRACE_FUNCTION PaperThread(const PaperSearch& search, const Sides& sides)
      : search_(search),
        sides_(sides),
        block_(*reinterpret_cast<PaperBlock*>(shared_memory())),
        thread_(static_cast<std::uint32_t>(thread_index())),
        threads_(static_cast<std::uint32_t>(block_threads())) {}

  MILLRACE_FUNCTION void run() {
    const std::uint64_t start = clock_cycles();
    if (thread_ < 3) block_.found[thread_] = 0;
    bool has_work = take_left() || take_cell();
    while (has_work && search_cell()) has_work = take_cell();
    if (has_work) leave();
    if (is_first()) finish(clock_cycles() - start);
  }

 private:
  MILLRACE_FUNCTION bool is_first() const { return thread_ == 0; }

  template <class T>
  static MILLRACE_FUNCTION T add(T& value, T more) {
    return atomic_add<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&value, more);
  }

  MILLRACE_FUNCTION bool take_left() {
    const PaperState& state = *search_.state;
    const std::uint32_t turn = state.turn;
    const auto number = static_cast<std::uint32_t>(block_index());
    if (number >= state.left[turn]) return false;
    const PaperLeft left = search_.left_of(turn, number);
    cursor_ = left.cursor;
    staged_ = left.staged;
    const std::uint32_t* const stage = search_.stage_of(turn, number);
    for (std::uint32_t i = thread_; i < staged_; i += threads_) block_.stage[i] = stage[i];
    return true;
  }

  MILLRACE_FUNCTION bool take_cell() {
    sync_block();
    if (is_first()) {
      const std::uint64_t cell =
          is_full() ? search_.grid.cell_count : add(search_.state->next_cell, std::uint64_t{1});
      block_.has_work = cell < search_.grid.cell_count ? 1 : 0;
      block_.work.cursor.cell = static_cast<std::uint32_t>(cell);
    }
    sync_block();
    cursor_ = PaperCursor{};
    cursor_.cell = block_.work.cursor.cell;
    return block_.has_work != 0;
  }

  MILLRACE_FUNCTION bool is_full() const {
    return atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(&search_.state->used) >
           search_.capacity;
  }

  MILLRACE_FUNCTION void leave() {
    const std::uint64_t start = clock_cycles();
    const std::uint32_t turn = 1 - search_.state->turn;
    sync_block();
    if (is_first()) block_.has_work = add(search_.state->left[turn], 1U);
    sync_block();
    const std::uint32_t index = block_.has_work;
    if (is_first()) search_.left_of(turn, index) = PaperLeft{cursor_, staged_};
    std::uint32_t* const stage = search_.stage_of(turn, index);
    for (std::uint32_t i = thread_; i < staged_; i += threads_) stage[i] = block_.stage[i];
    report_ticks_ += clock_cycles() - start;
  }

  MILLRACE_FUNCTION void finish(std::uint64_t ticks) const {
    PaperState& state = *search_.state;
    add(state.ticks.load, load_ticks_);
    add(state.ticks.report, report_ticks_);
    add(state.ticks.all, ticks);
    const std::uint32_t before =
        atomic_add<gpu::Scope::kDevice, gpu::Order::kAcquireRelease>(&state.finished, 1U);
    if (before + 1 == search_.searchers) search_.close();
  }

  // Returns false if the chunk is full: then the cursor is where to continue.
  MILLRACE_FUNCTION bool search_cell() {
    const PaperCell& cell = search_.grid.cells[cursor_.cell];
    if (!settle(cell, cursor_)) return true;
    do {
      load(cell);
      if (!search_segments()) return false;
      if (staged_ > 0 && !flush()) return false;
    } while (next_segments(cell, cursor_));
    return true;
  }

  MILLRACE_FUNCTION void load(const PaperCell& cell) {
    const std::uint64_t start = clock_cycles();
    const PaperRanges ranges(cursor_.combination);
    own_ = segment_of(cell.ranges[0], cursor_.segments[0]);
    second_ = segment_of(cell.ranges[ranges.second], cursor_.segments[1]);
    third_ = segment_of(cell.ranges[ranges.third], cursor_.segments[2]);
    sync_block();
    const Point* const points = search_.grid.points;
    for (std::uint32_t i = thread_; i < kSegmentPoints; i += threads_) {
      if (i < second_.size()) block_.seconds[i] = points[second_.begin + i];
      if (i < third_.size()) block_.thirds[i] = points[third_.begin + i];
    }
    sync_block();
    load_ticks_ += clock_cycles() - start;
  }

  // A step is a group of first corners, one a thread, a second corner and a tile of third ones.
  static MILLRACE_FUNCTION std::uint32_t step_of(std::uint32_t group, std::uint32_t second,
                                                 std::uint32_t tile) {
    return (group * kSegmentPoints + second) * kTiles + tile;
  }

  MILLRACE_FUNCTION bool search_segments() {
    std::uint32_t group = cursor_.step / (kSegmentPoints * kTiles);
    for (; group * threads_ < own_.size(); ++group) {
      first_ = group * threads_ + thread_;
      if (first_ < own_.size()) point_ = search_.grid.points[own_.begin + first_];
      for (std::uint32_t j = cursor_.step / kTiles % kSegmentPoints; j < second_.size(); ++j) {
        if (!search_second(group, j)) return false;
      }
      cursor_.step = step_of(group + 1, 0, 0);
    }
    return true;
  }

  // Corners of the same range are in the order of their indices.
  MILLRACE_FUNCTION bool search_second(std::uint32_t group, std::uint32_t j) {
    const bool may_be_first = first_ < own_.size() && (second_.begin != own_.begin || first_ < j);
    const auto a = may_be_first ? sides_.side(point_, block_.seconds[j]) : 0;
    const bool is_same_segment = third_.begin == second_.begin;
    const std::uint32_t least = is_same_segment ? j + 1 : 0;
    std::uint32_t tile = cursor_.step % kTiles;
    if (tile < least / kTile) tile = least / kTile;
    bool is_full_now = is_first() && is_full();
    for (; tile * kTile < third_.size(); ++tile) {
      const std::uint32_t found = a == 0 ? 0 : search_tile(a, j, tile, least);
      if (!stage(found, j, tile, is_full_now)) {
        cursor_.step = step_of(group, j, tile);
        return false;
      }
      is_full_now = false;
    }
    cursor_.step = step_of(group, j + 1, 0);
    return true;
  }

  // Returns the third corners of a tile, a bit each.
  template <class Side>
  MILLRACE_FUNCTION std::uint32_t search_tile(const Side& a, std::uint32_t j, std::uint32_t tile,
                                              std::uint32_t least) const {
    std::uint32_t found = 0;
    for (std::uint32_t bit = 0; bit < kTile; ++bit) {
      const std::uint32_t k = tile * kTile + bit;
      if (k < least || k >= third_.size()) continue;
      const auto b = sides_.side(point_, block_.thirds[k]);
      if (b == 0) continue;
      const auto c = sides_.side(block_.seconds[j], block_.thirds[k]);
      if (c != 0 && sides_.is_three_star(a, b, c)) found |= 1U << bit;
    }
    return found;
  }

  // Appends the 3-stars of a step to the stage. Returns false, having appended nothing, if the
  // stage has no space for all threads' and the chunk none for the stage, or if a thread finds it
  // full.
  MILLRACE_FUNCTION bool stage(std::uint32_t found, std::uint32_t j, std::uint32_t tile,
                               bool is_full_now) {
    std::uint32_t& sum = block_.found[step_];
    std::uint32_t index = 0;
    std::uint32_t count = 0;
    for (std::uint32_t bits = found; bits != 0; bits &= bits - 1) ++count;
    if (is_full_now) block_add(sum, PaperBlock::kFull);
    if (count > 0) index = block_add(sum, count) & ~PaperBlock::kFull;
    sync_block();
    const std::uint32_t all = sum;
    step_ = step_ == 2 ? 0 : step_ + 1;
    if (is_first()) block_.found[step_ == 2 ? 0 : step_ + 1] = 0;
    if ((all & PaperBlock::kFull) != 0) return false;
    if (staged_ + all > kPaperStage && !flush()) return false;
    index += staged_;
    for (std::uint32_t bit = 0; bit < kTile; ++bit) {
      if ((found >> bit & 1) == 0) continue;
      block_.stage[index++] = PackedStar::of(first_, j, tile * kTile + bit).word;
    }
    staged_ += all;
    return true;
  }

  static MILLRACE_FUNCTION std::uint32_t block_add(std::uint32_t& sum, std::uint32_t more) {
    return atomic_add<gpu::Scope::kBlock, gpu::Order::kRelaxed>(&sum, more);
  }

  // Writes the stage to the chunk. Returns false if it has no space.
  MILLRACE_FUNCTION bool flush() {
    const std::uint64_t start = clock_cycles();
    const std::uint64_t bytes = three_star::chunk_bytes(kIsCompressed, staged_);
    if (is_first()) {
      const std::uint64_t offset = add(search_.state->used, bytes);
      const bool has_space = offset + bytes <= search_.capacity;
      block_.offset = has_space ? offset : PaperBlock::kNoSpace;
      if (has_space) {
        add(search_.state->bytes, bytes);
        add(search_.state->three_stars, std::uint64_t{staged_});
      }
    }
    sync_block();
    const std::uint64_t offset = block_.offset;
    if (offset != PaperBlock::kNoSpace) {
      if constexpr (kIsCompressed) {
        write_segment(search_.output(offset));
      } else {
        write_ids(reinterpret_cast<ThreeStar*>(search_.output(offset)));
      }
      staged_ = 0;
    }
    sync_block();
    report_ticks_ += clock_cycles() - start;
    return offset != PaperBlock::kNoSpace;
  }

  // Four 3-stars are three words.
  MILLRACE_FUNCTION void write_segment(std::byte* to) const {
    if (is_first()) {
      PaperSegment& segment = *reinterpret_cast<PaperSegment*>(to);
      segment.cell = cursor_.cell;
      segment.combination_and_count = cursor_.combination << 28 | staged_;
      for (int i = 0; i < 3; ++i) segment.segments[i] = cursor_.segments[i];
    }
    auto* const words = reinterpret_cast<std::uint32_t*>(to + sizeof(PaperSegment));
    const std::uint32_t count = (3 * staged_ + 3) / 4;
    const auto star = [&](std::uint32_t i) { return i < staged_ ? block_.stage[i] : 0; };
    for (std::uint32_t i = thread_; i < count; i += threads_) {
      const std::uint32_t word = i % 3;  // Word i % 3 of three begins in this star of four.
      const std::uint32_t first = i / 3 * 4 + word;
      words[i] = star(first) >> (8 * word) | star(first + 1) << (24 - 8 * word);
    }
  }

  MILLRACE_FUNCTION void write_ids(ThreeStar* to) const {
    const std::uint32_t* const ids = search_.grid.ids;
    for (std::uint32_t i = thread_; i < staged_; i += threads_) {
      const PackedStar star = {block_.stage[i]};
      to[i] =
          three_star::star_of(ids[own_.begin + star.first()], ids[second_.begin + star.second()],
                              ids[third_.begin + star.third()]);
    }
  }

  const PaperSearch& search_;
  const Sides& sides_;
  PaperBlock& block_;
  const std::uint32_t thread_;
  const std::uint32_t threads_;
  PaperCursor cursor_;
  std::uint32_t staged_ = 0;
  std::uint32_t step_ = 0;  // Modulo 3.
  IndexRange own_;
  IndexRange second_;
  IndexRange third_;
  std::uint32_t first_ = 0;  // This thread's first corner in its segment, if there is one,
  Point point_;              // and its position.
  std::uint64_t load_ticks_ = 0;
  std::uint64_t report_ticks_ = 0;
};

// The kernel.
template <class Sides, bool kIsCompressed>
struct PaperKernel {
  static constexpr int kMaxThreads = kSegmentPoints;
  static constexpr int kTargetBlocks = 4;

  PaperSearch search;
  Sides sides;

  MILLRACE_FUNCTION void operator()() const {
    PaperThread<Sides, kIsCompressed>(search, sides).run();
  }
};

// Tables in textures, of 16 bytes an element.
template <class TextureType>
struct TextureTables {
  TextureType ranks;
  TextureType side_bounds;

  MILLRACE_FUNCTION std::uint32_t rank(std::int32_t x, std::int32_t y) const {
    const std::uint32_t word = word_of(fetch(ranks, x / 8, y), x / 2 % 4);
    return x % 2 == 0 ? word & 0xffff : word >> 16;
  }
  MILLRACE_FUNCTION SideBounds bounds(std::uint32_t a, std::uint32_t b) const {
    const gpu::Vector16 found = fetch(side_bounds, static_cast<int>(b / 4), static_cast<int>(a));
    return {word_of(found, static_cast<std::int32_t>(b % 4))};
  }

 private:
  // Selects without an index, which would need memory.
  static MILLRACE_FUNCTION std::uint32_t word_of(const gpu::Vector16& found, std::int32_t index) {
    const std::uint32_t low = index % 2 == 0 ? found.words[0] : found.words[1];
    const std::uint32_t high = index % 2 == 0 ? found.words[2] : found.words[3];
    return index < 2 ? low : high;
  }
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_PAPER_PAPER_KERNEL_GPU_H_
