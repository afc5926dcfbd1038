// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/search_arguments.h>
#include <millrace/algorithms/three_star/search_range.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/core/internal/op_table.h>

#include <chrono>

namespace millrace::three_star {
namespace {

SearchReport search(Queue& queue, std::span<const Point> points, const SearchOptions& options,
                    const StarSink& sink) {
  check_radius(options.radius);
  check_points(points);
  queue.wait();
  const auto start = std::chrono::steady_clock::now();
  SearchReport report;
  const SearchRange all = {.corners = {0, static_cast<std::uint32_t>(points.size())}};
  OpTable<ThreeStarOp>::at(queue)(queue, points, all, options, sink, report);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  report.seconds = taken.count();
  return report;
}

}  // namespace

SearchReport count_three_stars(Queue& queue, std::span<const Point> points,
                               const SearchOptions& options) {
  return search(queue, points, options, {});
}

SearchReport visit_three_stars(Queue& queue, std::span<const Point> points,
                               const SearchOptions& options, const StarVisitor& visitor) {
  return search(queue, points, options, {.stars = &visitor});
}

SearchReport compress_three_stars(Queue& queue, std::span<const Point> points,
                                  const SearchOptions& options, const ChunkVisitor& visitor) {
  return search(queue, points, options, {.chunks = &visitor});
}

}  // namespace millrace::three_star
