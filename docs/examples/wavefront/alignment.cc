// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/wavefront/alignment.h>
#include <millrace/docs/examples/wavefront/alignment_memory.h>
#include <millrace/runtime/core/check.h>

#include <random>
#include <vector>

namespace millrace::examples {
namespace {

void check(std::string_view first, std::string_view second, const AlignmentOptions& options) {
  check_range("first.size()", first.size(), 1, kMaxAlignmentLength);
  check_range("second.size()", second.size(), 1, kMaxAlignmentLength);
  check_range("match", options.match, 0, kMaxAlignmentScore);
  check_range("mismatch", options.mismatch, -kMaxAlignmentScore, 0);
  check_range("gap", options.gap, -kMaxAlignmentScore, 0);
  check_range("tile", options.tile, 1, kMaxAlignmentTile);
}

}  // namespace

AlignmentResult align(Queue& queue, std::string_view first, std::string_view second,
                      const AlignmentOptions& options) {
  check(first, second, options);
  AlignmentMemory memory(queue, first, second, options);
  const TaskList<AlignmentTasks> roots(AlignmentTile{memory.table(), 0, 0});

  AlignmentResult result;
  result.report = run_tasks(queue, roots, options.run);
  result.best = memory.best();
  return result;
}

Alignment align_directly(std::string_view first, std::string_view second,
                         const AlignmentOptions& options) {
  check(first, second, options);
  const AlignmentScores scores = options.scores();
  Alignment best;
  std::vector<std::int32_t> row(second.size() + 1);
  for (std::uint32_t i = 1; i <= first.size(); ++i) {
    std::int32_t diagonal = 0;
    for (std::uint32_t j = 1; j <= second.size(); ++j) {
      const std::int32_t above = row[j];
      row[j] = scores.cell(diagonal, above, row[j - 1], first[i - 1] == second[j - 1]);
      diagonal = above;
      if (row[j] > best.score) best = {row[j], i, j};
    }
  }
  return best;
}

std::string random_sequence(std::size_t length, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string sequence(length, 'A');
  for (char& letter : sequence) letter = "ACGT"[random() % 4];
  return sequence;
}

}  // namespace millrace::examples
