// SPDX-License-Identifier: Apache-2.0

// N queens as tasks: partial placements spawn their continuations down to a cut-off row; from there
// one task counts what is left with a stack of its own.
#ifndef MILLRACE_DOCS_EXAMPLES_N_QUEENS_TASKS_H_
#define MILLRACE_DOCS_EXAMPLES_N_QUEENS_TASKS_H_

#include <cstdint>

#include <millrace/runtime/tasks/task_set.h>

namespace millrace::examples {

inline constexpr int kMaxQueens = 18;

// Queens on the first rows of a board, as the squares of the next row they attack: bit c is
// column c. Diagonals move by one column a row.
struct Placement {
  std::uint32_t columns;
  std::uint32_t falling;
  std::uint32_t rising;

  MILLRACE_FUNCTION std::uint32_t free_squares(int size) const {
    return ~(columns | falling | rising) & ((1u << size) - 1);
  }

  // With a queen on `square`, seen from the row below.
  MILLRACE_FUNCTION Placement with(std::uint32_t square) const {
    return {columns | square, (falling | square) << 1, (rising | square) >> 1};
  }
};

MILLRACE_FUNCTION inline std::uint32_t lowest_bit(std::uint32_t bits) { return bits & (0u - bits); }

struct Board {
  std::uint64_t* solutions;
  int size;
  int cut_off;  // Rows filled by spawning.
};

// Counts the solutions that begin with a placement on `row` rows, row < size.
struct CountPlacements {
  static constexpr bool kSpawns = false;
  Board board;
  Placement placement;
  int row;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    Placement placed[kMaxQueens];
    std::uint32_t untried[kMaxQueens];
    std::uint64_t solutions = 0;
    int top = row;
    placed[top] = placement;
    untried[top] = placement.free_squares(board.size);
    while (top >= row) {
      if (untried[top] == 0) {
        --top;
        continue;
      }
      const std::uint32_t square = lowest_bit(untried[top]);
      untried[top] ^= square;
      if (top + 1 == board.size) {
        ++solutions;
        continue;
      }
      placed[top + 1] = placed[top].with(square);
      ++top;
      untried[top] = placed[top].free_squares(board.size);
    }
    if (solutions > 0) context.add(board.solutions, solutions);
  }
};

// Spawns every way to put a queen on `row`, row < cut_off < size.
struct PlaceQueen {
  Board board;
  Placement placement;
  int row;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    std::uint32_t untried = placement.free_squares(board.size);
    while (untried != 0) {
      const std::uint32_t square = lowest_bit(untried);
      untried ^= square;
      if (row + 1 < board.cut_off) {
        context.spawn(PlaceQueen{board, placement.with(square), row + 1});
      } else {
        context.spawn(CountPlacements{board, placement.with(square), row + 1});
      }
    }
  }
};

using NQueensTasks = TaskSet<PlaceQueen, CountPlacements>;

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_N_QUEENS_TASKS_H_
