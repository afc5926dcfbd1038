// SPDX-License-Identifier: Apache-2.0

// A strip of the table of scores of a local alignment: some columns, which one lane computes from
// top to bottom in registers.
#ifndef MILLRACE_DOCS_EXAMPLES_WAVEFRONT_ALIGNMENT_STRIP_H_
#define MILLRACE_DOCS_EXAMPLES_WAVEFRONT_ALIGNMENT_STRIP_H_

#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::examples {

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
  std::int32_t gap;  // Cost of each letter.

  // The score of a cell of the table, by those of the cells before it.
  MILLRACE_FUNCTION std::int32_t cell(std::int32_t diagonal, std::int32_t above, std::int32_t left,
                                      bool is_match) const {
    const std::int32_t paired = diagonal + (is_match ? match : mismatch);
    const std::int32_t gapped = (above > left ? above : left) + gap;
    const std::int32_t score = paired > gapped ? paired : gapped;
    return score > 0 ? score : 0;
  }
};

class AlignmentStrip {
 public:
  static constexpr int kColumns = 4;
  static constexpr int kRows = 4;  // Rows of a step, after which the next strip may follow.

  struct alignas(4 * kRows) Cells {
    std::int32_t row[kRows];
  };
  // The letters of kRows rows, one a byte. A GPU takes fewer instructions for a word than for
  // bytes.
  using Letters = std::uint32_t;
  static_assert(kRows <= sizeof(Letters));

  MILLRACE_FUNCTION static std::uint32_t code(char letter) {
    return static_cast<unsigned char>(letter);
  }
  MILLRACE_FUNCTION static Letters at_row(int y, char letter) { return code(letter) << (8 * y); }

  // Describes a strip: its first letter of the second sequence, the cells above it, the one
  // above and to the left, and its size. It has at most kColumns columns.
  struct Boundary {
    const char* second;
    const std::int32_t* above;
    std::int32_t corner;
    int columns;
    int rows;
  };

  // Searches for alignments with more than `score`.
  MILLRACE_FUNCTION AlignmentStrip(const Boundary& boundary, std::int32_t score)
      : corner_(boundary.corner), columns_(boundary.columns), rows_(boundary.rows), score_(score) {
    for (int x = 0; x < kColumns; ++x) {
      letters_[x] = x < columns_ ? code(boundary.second[x]) : 0;
      above_[x] = x < columns_ ? boundary.above[x] : 0;
    }
  }

  // Computes the next kRows rows, or those that are left, and overwrites the cells to their left
  // with their last cells. With kIsWhole, the strip has kColumns columns, and kRows rows are left.
  template <bool kIsWhole>
  [[gnu::always_inline]] MILLRACE_INLINE_FUNCTION void compute(const AlignmentScores& scores,
                                                               Letters first, Cells& left) {
    std::int32_t before[kRows];  // All are loaded before any is stored.
    for (int y = 0; y < kRows; ++y) before[y] = left.row[y];
    std::int32_t found[kRows][kColumns] = {};
    std::int32_t most = 0;
    for (int y = 0; y < kRows; ++y) {
      const std::uint32_t letter = first >> (8 * y) & 0xff;
      std::int32_t diagonal = corner_;
      std::int32_t cell = before[y];
      corner_ = cell;
      for (int x = 0; x < kColumns; ++x) {
        if (!kIsWhole && (next_row_ + y >= rows_ || x >= columns_)) continue;
        cell = scores.cell(diagonal, above_[x], cell, letter == letters_[x]);
        diagonal = above_[x];
        above_[x] = cell;
        found[y][x] = cell;
        most = cell > most ? cell : most;
      }
      left.row[y] = cell;
    }
    if (most > score_) [[unlikely]] {
      keep_best(found);
    }
    next_row_ += kRows;
  }

  // The newest cell of a column.
  MILLRACE_FUNCTION std::int32_t cell(int x) const { return above_[x]; }

  // Returns the best alignment of the strip, whose first cell is of these letters. Its score is 0
  // if none has more than the score searched for.
  MILLRACE_FUNCTION Alignment best(std::uint32_t first, std::uint32_t second) const {
    if (best_row_ < 0) return {};
    return {score_, first + best_row_, second + best_column_};
  }

 private:
  // Called only for steps with a better score, so compute() needs one instruction for a cell to
  // find the best.
  [[gnu::always_inline]] MILLRACE_INLINE_FUNCTION void keep_best(
      const std::int32_t (&found)[kRows][kColumns]) {
    for (int y = 0; y < kRows; ++y) {
      for (int x = 0; x < kColumns; ++x) {
        if (found[y][x] <= score_) continue;
        score_ = found[y][x];
        best_row_ = next_row_ + y;
        best_column_ = x;
      }
    }
  }

  std::uint32_t letters_[kColumns];
  std::int32_t above_[kColumns];
  std::int32_t corner_;
  int columns_;
  int rows_;
  int next_row_ = 0;
  std::int32_t score_;
  int best_row_ = -1;
  int best_column_ = 0;
};

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_WAVEFRONT_ALIGNMENT_STRIP_H_
