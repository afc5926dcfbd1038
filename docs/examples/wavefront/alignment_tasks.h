// SPDX-License-Identifier: Apache-2.0

// Local alignment by Smith and Waterman's recurrence as a wavefront of tiles: a tile of the table
// of scores waits for the one above and the one to the left. Lanes compute the cells of an
// anti-diagonal together, in scratch memory; only borders of tiles are in memory of the device.
#ifndef MILLRACE_DOCS_EXAMPLES_WAVEFRONT_ALIGNMENT_TASKS_H_
#define MILLRACE_DOCS_EXAMPLES_WAVEFRONT_ALIGNMENT_TASKS_H_

#include <cstddef>
#include <cstdint>

#include <millrace/runtime/tasks/task_set.h>

namespace millrace::examples {

inline constexpr int kMaxAlignmentTile = 128;

// The best local alignment found, by where it ends: numbers of letters of either sequence. Without
// a letter that matches all are 0.
struct Alignment {
  std::int32_t score = 0;
  std::uint32_t first_end = 0;
  std::uint32_t second_end = 0;

  // True if the score is higher, or if it is the same and the alignment ends earlier in the first
  // sequence, or there at the same letter and earlier in the second.
  MILLRACE_FUNCTION bool is_better_than(const Alignment& other) const {
    if (score != other.score) return score > other.score;
    if (first_end != other.first_end) return first_end < other.first_end;
    return second_end < other.second_end;
  }

  friend bool operator==(const Alignment&, const Alignment&) = default;
};

struct AlignmentScores {
  std::int32_t match;
  std::int32_t mismatch;
  std::int32_t gap;  // For each letter.

  // The score of a cell of the table, by those of the cells before it.
  MILLRACE_FUNCTION std::int32_t cell(std::int32_t diagonal, std::int32_t above, std::int32_t left,
                                      bool is_match) const {
    const std::int32_t paired = diagonal + (is_match ? match : mismatch);
    const std::int32_t gapped = (above > left ? above : left) + gap;
    const std::int32_t score = paired > gapped ? paired : gapped;
    return score > 0 ? score : 0;
  }
};

// The table of scores in tiles, a row for each letter of the first sequence. Borders are 0 at
// first.
struct AlignmentTable {
  const char* first;
  const char* second;
  std::uint32_t first_length;
  std::uint32_t second_length;
  std::uint32_t tile_side;
  AlignmentScores scores;
  std::int32_t* right;     // Right border of the newest tile of each row: first_length cells.
  std::int32_t* bottom;    // Bottom border of the newest one of each column: second_length cells.
  std::int32_t* corners;   // For each tile, the cell above and to the left of its first one.
  std::uint32_t* missing;  // Neighbours for which each tile waits.
  Alignment* bests;        // Of each tile.

  MILLRACE_FUNCTION std::uint32_t tile_rows() const {
    return (first_length + tile_side - 1) / tile_side;
  }
  MILLRACE_FUNCTION std::uint32_t tile_columns() const {
    return (second_length + tile_side - 1) / tile_side;
  }
};

// The memory of a tile. A cell has coordinates from 1 on; those with a 0 are the borders of the
// neighbours. Cell (x, y) is on anti-diagonal x + y, in element x.
struct AlignmentTileMemory {
  static constexpr int kMostLanes = 64;  // Largest number of lanes of a warp.

  std::int32_t diagonals[3][kMaxAlignmentTile + 1];  // The latest ones, in turn.
  std::int32_t left[kMaxAlignmentTile + 1];          // Of the neighbour, then of this tile.
  std::int32_t top[kMaxAlignmentTile + 1];           // Likewise, its right and bottom border.
  Alignment bests[kMostLanes];
  char first[kMaxAlignmentTile];
  char second[kMaxAlignmentTile];
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
    load(context, memory);
    context.sync();
    Alignment best = {};
    for (int diagonal = 0; diagonal <= height() + width(); ++diagonal) {
      compute(context, memory, diagonal, best);
      context.sync();
      if (context.lane() == 0) keep_borders(memory, diagonal);
    }
    memory.bests[context.lane()] = best;
    context.sync();
    store(context, memory);
    context.sync();
    if (context.lane() == 0) finish(context, memory);
  }

 private:
  MILLRACE_FUNCTION std::uint32_t first_begin() const { return row * table.tile_side; }
  MILLRACE_FUNCTION std::uint32_t second_begin() const { return column * table.tile_side; }
  MILLRACE_FUNCTION int height() const { return side(table.first_length - first_begin()); }
  MILLRACE_FUNCTION int width() const { return side(table.second_length - second_begin()); }
  MILLRACE_FUNCTION int side(std::uint32_t left) const {
    return static_cast<int>(left < table.tile_side ? left : table.tile_side);
  }
  MILLRACE_FUNCTION std::size_t index() const {
    return std::size_t{row} * table.tile_columns() + column;
  }

  template <class Context>
  MILLRACE_FUNCTION void load(Context& context, AlignmentTileMemory& memory) const {
    for (int i = context.lane(); i < height(); i += context.lanes()) {
      memory.first[i] = table.first[first_begin() + i];
      memory.left[i + 1] = table.right[first_begin() + i];
    }
    for (int i = context.lane(); i < width(); i += context.lanes()) {
      memory.second[i] = table.second[second_begin() + i];
      memory.top[i + 1] = table.bottom[second_begin() + i];
    }
    if (context.lane() == 0) memory.top[0] = table.corners[index()];
  }

  template <class Context>
  MILLRACE_FUNCTION void compute(Context& context, AlignmentTileMemory& memory, int diagonal,
                                 Alignment& best) const {
    std::int32_t* const now = memory.diagonals[diagonal % 3];
    const std::int32_t* const before = memory.diagonals[(diagonal + 2) % 3];
    const std::int32_t* const second_before = memory.diagonals[(diagonal + 1) % 3];
    if (context.lane() == 0) {
      if (diagonal <= width()) now[0] = memory.top[diagonal];
      if (diagonal > 0 && diagonal <= height()) now[diagonal] = memory.left[diagonal];
    }
    const int begin = diagonal > width() ? diagonal - width() : 1;
    const int end = diagonal > height() ? height() + 1 : diagonal;
    for (int x = begin + context.lane(); x < end; x += context.lanes()) {
      const int y = diagonal - x;
      now[x] = table.scores.cell(second_before[x - 1], before[x - 1], before[x],
                                 memory.first[x - 1] == memory.second[y - 1]);
      const Alignment found = {now[x], first_begin() + x, second_begin() + y};
      if (found.is_better_than(best)) best = found;
    }
  }

  // Puts cells of the last row and column over borders that have been read, on earlier diagonals.
  MILLRACE_FUNCTION void keep_borders(AlignmentTileMemory& memory, int diagonal) const {
    const std::int32_t* const now = memory.diagonals[diagonal % 3];
    if (diagonal >= height()) memory.top[diagonal - height()] = now[height()];
    if (diagonal >= width()) memory.left[diagonal - width()] = now[diagonal - width()];
  }

  template <class Context>
  MILLRACE_FUNCTION void store(Context& context, const AlignmentTileMemory& memory) const {
    for (int i = context.lane(); i < height(); i += context.lanes()) {
      table.right[first_begin() + i] = memory.left[i + 1];
    }
    for (int i = context.lane(); i < width(); i += context.lanes()) {
      table.bottom[second_begin() + i] = memory.top[i + 1];
    }
  }

  template <class Context>
  MILLRACE_FUNCTION void finish(Context& context, const AlignmentTileMemory& memory) const {
    Alignment best = {};
    for (int lane = 0; lane < context.lanes(); ++lane) {
      if (memory.bests[lane].is_better_than(best)) best = memory.bests[lane];
    }
    table.bests[index()] = best;
    const bool has_right = column + 1 < table.tile_columns();
    const bool has_below = row + 1 < table.tile_rows();
    if (has_right && has_below) {
      table.corners[index() + table.tile_columns() + 1] = memory.top[width()];
    }
    if (has_right) arrive(context, AlignmentTile{table, row, column + 1});
    if (has_below) arrive(context, AlignmentTile{table, row + 1, column});
  }

  template <class Context>
  MILLRACE_FUNCTION static void arrive(Context& context, const AlignmentTile& neighbour) {
    context.arrive(&neighbour.table.missing[neighbour.index()], neighbour);
  }
};

using AlignmentTasks = TaskSet<AlignmentTile>;

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_WAVEFRONT_ALIGNMENT_TASKS_H_
