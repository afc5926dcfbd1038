// SPDX-License-Identifier: Apache-2.0

// Local alignment by Smith and Waterman's recurrence as a wavefront of tiles: a tile of the table
// of scores waits for the one above and the one to the left. In a tile each lane computes a strip
// of columns, some rows a step, one step after the lane to its left. Only borders of tiles are in
// memory of the device.
#ifndef MILLRACE_DOCS_EXAMPLES_WAVEFRONT_ALIGNMENT_TASKS_H_
#define MILLRACE_DOCS_EXAMPLES_WAVEFRONT_ALIGNMENT_TASKS_H_

#include <millrace/docs/examples/wavefront/alignment_strip.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>

namespace millrace::examples {

inline constexpr int kMaxAlignmentTile = 128;

// The table of scores in tiles, a row for each letter of the first sequence. Borders and best
// alignments are 0 at first.
struct AlignmentTable {
  const char* first;
  const char* second;
  std::uint32_t first_length;
  std::uint32_t second_length;
  std::uint32_t tile_side;
  std::uint32_t tile_columns;  // Number of tiles side by side.
  AlignmentScores scores;
  std::int32_t* right;     // Right border of the newest tile of each row: first_length cells.
  std::int32_t* bottom;    // Bottom border of the newest one of each column: second_length cells.
  std::int32_t* corners;   // Cell above and to the left of each tile's first cell.
  std::uint32_t* missing;  // Neighbours for which each tile waits.
  Alignment* bests;  // For each row of tiles, the best that each strip of its tiles has found.

  MILLRACE_FUNCTION std::uint32_t tile_rows() const {
    return (first_length + tile_side - 1) / tile_side;
  }
  MILLRACE_FUNCTION std::uint32_t tile_strips() const {
    return (tile_side + AlignmentStrip::kColumns - 1) / AlignmentStrip::kColumns;
  }
};

// The scratch of a tile.
struct AlignmentTileMemory {
  static constexpr int kSteps = kMaxAlignmentTile / AlignmentStrip::kRows;

  AlignmentStrip::Cells left[kSteps];  // Cells to the left of the strip that is next in each row.
  AlignmentStrip::Letters first[kSteps + 1];  // The last ones are loaded and not used.
};

struct AlignmentTile {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr std::size_t kScratchBytes = sizeof(AlignmentTileMemory);
  AlignmentTable table;
  std::uint32_t row;
  std::uint32_t column;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    AlignmentTileMemory& memory = *context.template scratch<AlignmentTileMemory>(1);
    if (height() % AlignmentStrip::kRows == 0 && width() % AlignmentStrip::kColumns == 0) {
      compute<true>(context, memory);
    } else {
      compute<false>(context, memory);
    }
    store_rows(context, memory);
    context.sync();
    // Two lanes arrive at the same time, because an arrival takes longer than a load.
    for (std::uint32_t i = context.lane(); i < 2; i += context.lanes()) {
      arrive(context, {table, row + i, column + 1 - i});
    }
  }

 private:
  MILLRACE_FUNCTION std::uint32_t first_begin() const { return row * table.tile_side; }
  MILLRACE_FUNCTION std::uint32_t second_begin() const { return column * table.tile_side; }
  MILLRACE_FUNCTION int height() const { return side(table.first_length - first_begin()); }
  MILLRACE_FUNCTION int width() const { return side(table.second_length - second_begin()); }
  MILLRACE_FUNCTION int side(std::uint32_t left) const {
    return static_cast<int>(left < table.tile_side ? left : table.tile_side);
  }
  MILLRACE_FUNCTION int steps() const {
    return (height() + AlignmentStrip::kRows - 1) / AlignmentStrip::kRows;
  }
  MILLRACE_FUNCTION bool has_row(int step, int i) const {
    return step * AlignmentStrip::kRows + i < height();
  }
  MILLRACE_FUNCTION std::size_t index() const {
    return std::size_t{row} * table.tile_columns + column;
  }
  MILLRACE_FUNCTION bool is_in_table() const {
    return first_begin() < table.first_length && column < table.tile_columns;
  }

  // Computes as many strips at a time as there are lanes. With kIsWhole, all have kColumns columns,
  // and a multiple of kRows rows.
  template <bool kIsWhole, class Context>
  MILLRACE_FUNCTION void compute(Context& context, AlignmentTileMemory& memory) const {
    const int strips = (width() + AlignmentStrip::kColumns - 1) / AlignmentStrip::kColumns;
    std::int32_t corner = table.corners[index()];
    for (int begin = 0; begin < strips; begin += context.lanes()) {
      const int end = strips - begin < context.lanes() ? strips : begin + context.lanes();
      // The corner of the strips after these, which overwrite it.
      const int last = end < strips ? end * AlignmentStrip::kColumns - 1 : width() - 1;
      const std::int32_t next_corner = table.bottom[second_begin() + last];
      compute_strips<kIsWhole>(context, memory, begin, end, corner);
      corner = next_corner;
    }
  }

  // Computes strips `begin` to `end` - 1, one a lane. Further lanes only join the barriers.
  template <bool kIsWhole, class Context>
  MILLRACE_FUNCTION void compute_strips(Context& context, AlignmentTileMemory& memory, int begin,
                                        int end, std::int32_t corner) const {
    const bool has_strip = begin + context.lane() < end;
    const int strip = has_strip ? begin + context.lane() : begin;
    const AlignmentStrip::Boundary own_boundary = boundary_of(strip, strip == begin, corner);
    Alignment& best = table.bests[row * std::size_t{table.tile_strips()} + strip];
    const Alignment before = best;
    // An alignment of the same score is better if it ends earlier.
    AlignmentStrip own(own_boundary, before.score > 0 ? before.score - 1 : 0);
    if (begin == 0) load_rows(context, memory);
    context.sync();

    const unsigned own_steps = has_strip ? steps() : 0;
    const AlignmentScores scores = table.scores;
    const AlignmentStrip::Letters* first = memory.first;
    AlignmentStrip::Cells* left = memory.left;
    AlignmentStrip::Letters letters = *first;
    for (int step = 0; step < steps() + end - begin - 1; ++step) {
      if (static_cast<unsigned>(step - context.lane()) < own_steps) {
        // Loaded a step early, because a load takes longer than some cells.
        const AlignmentStrip::Letters next = *++first;
        own.compute<kIsWhole>(scores, letters, *left++);
        letters = next;
      }
      context.sync();
    }
    if (has_strip) store_strip(own, strip, before, best);
  }

  MILLRACE_FUNCTION AlignmentStrip::Boundary boundary_of(int strip, bool is_first,
                                                         std::int32_t corner) const {
    const int x = strip * AlignmentStrip::kColumns;
    const std::uint32_t second = second_begin() + x;
    return {.second = table.second + second,
            .above = table.bottom + second,
            .corner = is_first ? corner : table.bottom[second - 1],
            .columns = width() - x,
            .rows = height()};
  }

  MILLRACE_FUNCTION void store_strip(const AlignmentStrip& own, int strip, const Alignment& before,
                                     Alignment& best) const {
    const int x = strip * AlignmentStrip::kColumns;
    const AlignmentTile opposite = {table, row + 1, column + 1};
    for (int i = 0; i < AlignmentStrip::kColumns; ++i) {
      if (x + i >= width()) continue;
      table.bottom[second_begin() + x + i] = own.cell(i);
      if (x + i + 1 == width() && opposite.is_in_table()) {
        table.corners[opposite.index()] = own.cell(i);
      }
    }
    const Alignment found = own.best(first_begin() + 1, second_begin() + x + 1);
    if (found.is_better_than(before)) best = found;
  }

  template <class Context>
  MILLRACE_FUNCTION void load_rows(Context& context, AlignmentTileMemory& memory) const {
    for (int step = context.lane(); step < steps(); step += context.lanes()) {
      // All loads come before the first store, so that they wait together.
      AlignmentStrip::Letters letters = 0;
      AlignmentStrip::Cells cells = {};
      for (int i = 0; i < AlignmentStrip::kRows; ++i) {
        if (!has_row(step, i)) continue;
        letters |= AlignmentStrip::at_row(
            i, table.first[first_begin() + step * AlignmentStrip::kRows + i]);
        cells.row[i] = table.right[first_begin() + step * AlignmentStrip::kRows + i];
      }
      memory.first[step] = letters;
      memory.left[step] = cells;
    }
  }

  template <class Context>
  MILLRACE_FUNCTION void store_rows(Context& context, const AlignmentTileMemory& memory) const {
    for (int step = context.lane(); step < steps(); step += context.lanes()) {
      const AlignmentStrip::Cells cells = memory.left[step];
      for (int i = 0; i < AlignmentStrip::kRows; ++i) {
        if (!has_row(step, i)) continue;
        table.right[first_begin() + step * AlignmentStrip::kRows + i] = cells.row[i];
      }
    }
  }

  template <class Context>
  MILLRACE_FUNCTION static void arrive(Context& context, const AlignmentTile& neighbour) {
    if (!neighbour.is_in_table()) return;
    context.arrive(&neighbour.table.missing[neighbour.index()], neighbour);
  }
};

using AlignmentTasks = TaskSet<AlignmentTile>;

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_WAVEFRONT_ALIGNMENT_TASKS_H_
