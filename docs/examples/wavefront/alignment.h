// SPDX-License-Identifier: Apache-2.0

// Scores of local alignments (T. F. Smith and M. S. Waterman, Identification of Common Molecular
// Subsequences, 1981), with gaps that cost the same for each letter.
#ifndef MILLRACE_DOCS_EXAMPLES_WAVEFRONT_ALIGNMENT_H_
#define MILLRACE_DOCS_EXAMPLES_WAVEFRONT_ALIGNMENT_H_

#include <millrace/docs/examples/wavefront/alignment_tasks.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace millrace::examples {

inline constexpr std::size_t kMaxAlignmentLength = std::size_t{1} << 20;  // Letters of a sequence.
inline constexpr std::size_t kMaxAlignmentTiles = std::size_t{1} << 26;
inline constexpr int kMaxAlignmentScore = 1000;  // The best score then fits 31 bits.

struct AlignmentOptions {
  int match = 2;      // 0 to kMaxAlignmentScore.
  int mismatch = -1;  // -kMaxAlignmentScore to 0.
  int gap = -2;       // Score of a letter that has no partner; likewise.
  int tile = 64;      // Rows and columns of a tile, 1 to kMaxAlignmentTile.
  RunOptions run = {};

  AlignmentScores scores() const { return {match, mismatch, gap}; }
};

struct AlignmentResult {
  Alignment best;
  RunReport report;
};

// Aligns two sequences of 1 to kMaxAlignmentLength letters. Letters match if they are equal. Throws
// kInvalidArgument for sequences and options out of range or in more than kMaxAlignmentTiles tiles,
// and what run_tasks throws.
AlignmentResult align(Queue& queue, std::string_view first, std::string_view second,
                      const AlignmentOptions& options = {});

// The same row by row on this thread; the tile and the run do not matter.
Alignment align_directly(std::string_view first, std::string_view second,
                         const AlignmentOptions& options = {});

// Returns a sequence of the letters A, C, G and T.
std::string random_sequence(std::size_t length, std::uint64_t seed);

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_WAVEFRONT_ALIGNMENT_H_
