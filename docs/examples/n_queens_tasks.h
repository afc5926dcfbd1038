// SPDX-License-Identifier: Apache-2.0

// N queens as tasks: partial placements spawn their continuations down to a cut-off row; from there
// one task counts what is left with a stack of its own.
#ifndef MILLRACE_DOCS_EXAMPLES_N_QUEENS_TASKS_H_
#define MILLRACE_DOCS_EXAMPLES_N_QUEENS_TASKS_H_

#include <millrace/runtime/tasks/task_set.h>

#include <bit>
#include <cstdint>

namespace millrace::examples {

inline constexpr int kMaxQueens = 18;

// Queens on the first rows of a board, as the squares of the next row they attack: bit c is
// column c. Diagonals move by one column a row.
struct QueenPlacement {
  std::uint32_t columns;
  std::uint32_t falling;
  std::uint32_t rising;

  MILLRACE_FUNCTION std::uint32_t free_squares(int size) const {
    return ~(columns | falling | rising) & ((1u << size) - 1);
  }

  // With a queen on `square`, seen from the row below.
  MILLRACE_FUNCTION QueenPlacement with(std::uint32_t square) const {
    return {columns | square, (falling | square) << 1, (rising | square) >> 1};
  }
};

// The same, with words that lose no diagonal at the board's edge, and with the queens' squares.
class ReversiblePlacement {
 public:
  MILLRACE_FUNCTION ReversiblePlacement(const QueenPlacement& placement, int size)
      : columns_(placement.columns | ~((1u << size) - 1)),
        falling_(placement.falling),
        rising_(std::uint64_t{placement.rising} << 32) {}

  MILLRACE_FUNCTION std::uint32_t free_squares() const {
    return ~(columns_ | static_cast<std::uint32_t>(falling_) |
             static_cast<std::uint32_t>(rising_ >> 32));
  }

  // Puts a queen on a free square, and goes to the row below.
  MILLRACE_FUNCTION void put(std::uint32_t square) {
    columns_ |= square;
    falling_ = (falling_ | square) << 1;
    rising_ = (rising_ | std::uint64_t{square} << 32) >> 1;
    const std::uint32_t column =
        (std::bit_cast<std::uint32_t>(static_cast<float>(square)) >> 23) - 127;
    older_ = older_ << kBits | newer_ >> (64 - kBits);
    newer_ = newer_ << kBits | column;
  }

  // Goes to the row above, and takes its queen from the square, which is returned.
  MILLRACE_FUNCTION std::uint32_t take_back() {
    const std::uint32_t square = 1u << (newer_ & ((1u << kBits) - 1));
    newer_ = newer_ >> kBits | std::uint64_t{older_} << (64 - kBits);
    older_ >>= kBits;
    columns_ ^= square;
    falling_ = (falling_ >> 1) ^ square;
    rising_ = (rising_ << 1) ^ std::uint64_t{square} << 32;
    return square;
  }

 private:
  // Bits of a column's number. Columns of kMaxQueens rows fit 96 bits.
  static constexpr int kBits = 5;

  std::uint32_t columns_;
  std::uint64_t falling_;
  std::uint64_t rising_;
  std::uint64_t newer_ = 0;
  std::uint32_t older_ = 0;
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
  QueenPlacement placement;
  int row;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    // Without arrays, which GPUs keep in memory: a queen is taken back by its square.
    ReversiblePlacement placed(placement, board.size);
    std::uint64_t solutions = 0;
    std::uint32_t untried = placed.free_squares();
    int last = board.size - 1;
    for (int top = row;;) {
      if (untried != 0 && top < last) {
        placed.put(lowest_bit(untried));
        untried = placed.free_squares();
        ++top;
      } else {
        if (untried != 0) ++solutions;  // The last row has one free square at most.
        if (top == row) break;
        --top;
        const std::uint32_t square = placed.take_back();
        untried = placed.free_squares() & (0u - 2 * square);  // Squares behind it.
      }
    }
    if (solutions > 0) context.add(board.solutions, solutions);
  }
};

// Spawns every way to put a queen on `row`, row < cut_off < size.
struct PlaceQueen {
  Board board;
  QueenPlacement placement;
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
