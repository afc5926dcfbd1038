// SPDX-License-Identifier: Apache-2.0

// Numbers of coefficients of a macroblock's 4x4 blocks and of their neighbours, by which codes of
// coefficients are chosen (ITU-T H.264 clauses 9.2.1 and 9.3.3.1.1.9).
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_CODED_COUNTS_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_CODED_COUNTS_H_

#include <millrace/algorithms/h264/entropy/slice_parameters.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>
#include <cstring>

namespace millrace::h264 {

// Blocks of one component with the row above and the column to the left.
template <int n>
class CountGrid {
 public:
  // Stands for the count of a neighbour that is not available. nC, otherwise the mean of both
  // counts, is then the other one.
  static constexpr std::uint8_t kMissing = 64;

  // `above` and `left` are rows and columns of n counts.
  MILLRACE_FUNCTION void set_border(const std::uint8_t* above, const std::uint8_t* left) {
    std::memcpy(counts_[0] + kFirst, above, n);
    for (int k = 0; k < n; ++k) {
      counts_[k + 1][kFirst - 1] = left[k];
    }
  }
  MILLRACE_FUNCTION void clear() {
    for (int y = 1; y <= n; ++y) {
      std::memset(counts_[y] + kFirst, 0, n);
    }
  }
  MILLRACE_FUNCTION void set(int x, int y, int count) {
    counts_[y + 1][kFirst + x] = static_cast<std::uint8_t>(count);
  }
  // Returns the sum of the neighbours' counts, from which nC of block (x, y) follows.
  MILLRACE_FUNCTION int sum_of_neighbours(int x, int y) const {
    return counts_[y + 1][kFirst - 1 + x] + counts_[y][kFirst + x];
  }
  // Returns ctxIdxInc of coded_block_flag of block (x, y).
  MILLRACE_FUNCTION int coded_neighbours(int x, int y) const {
    return (counts_[y + 1][kFirst - 1 + x] != 0 ? 1 : 0) + (counts_[y][kFirst + x] != 0 ? 2 : 0);
  }
  MILLRACE_FUNCTION void copy_edges(std::uint8_t* bottom, std::uint8_t* right) const {
    // Counts are no text. NOLINTNEXTLINE(bugprone-not-null-terminated-result)
    std::memcpy(bottom, counts_[n] + kFirst, n);
    for (int k = 0; k < n; ++k) {
      right[k] = counts_[k + 1][kFirst - 1 + n];
    }
  }

 private:
  static constexpr int kFirst = 4;  // Column of the first block; rows of four bytes are aligned.

  alignas(4) std::uint8_t counts_[n + 1][kFirst + 4];
};

// Returns the edge that stands for a neighbour that is not available (clauses 9.2.1 and
// 9.3.3.1.1.9).
MILLRACE_FUNCTION constexpr CodedEdge missing_edge(bool is_cabac, bool is_intra) {
  const std::uint8_t count = !is_cabac ? CountGrid<4>::kMissing : is_intra ? 1 : 0;
  return {{count, count, count, count},
          {{count, count}, {count, count}},
          static_cast<std::uint8_t>(is_intra ? 7 : 0)};
}

// Edges of the neighbours of one macroblock. Not owned.
struct EdgesAround {
  const CodedEdge& above;
  const CodedEdge& left;

  // Returns the context increment of coded_block_flag for a DC block (clause 9.3.3.1.1.9). `bit` is
  // its bit in CodedEdge::has_dc.
  MILLRACE_FUNCTION int dc_increment(int bit) const {
    return (left.has_dc >> bit & 1) + 2 * (above.has_dc >> bit & 1);
  }
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_CODED_COUNTS_H_
