// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/group/strip_search.h>
#include <millrace/algorithms/three_star/search_range.h>
#include <millrace/runtime/core/internal/op_table.h>

#include <chrono>

namespace millrace::three_star {

SearchReport search_strip(Queue& queue, const CellGrid& grid, const Strip& strip,
                          const SearchOptions& options, const ChunkVisitor* visitor) {
  queue.wait();
  SearchReport report;
  report.policy = options.policy;
  if (visitor != nullptr) report.form = StarForm::kCompressed;
  if (strip.corners.size() == 0) return report;
  const auto start = std::chrono::steady_clock::now();
  const StripPoints some(grid, strip);
  const SearchRange range = {some.corners, &grid, strip.points.begin};
  OpTable<ThreeStarOp>::at(queue)(queue, some.points, range, options, {.chunks = visitor}, report);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  report.seconds = taken.count();
  return report;
}

}  // namespace millrace::three_star
