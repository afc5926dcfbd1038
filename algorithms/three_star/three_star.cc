#include <millrace/algorithms/three_star/three_star.h>

#include <chrono>
#include <limits>
#include <string>

#include <millrace/runtime/error.h>
#include <millrace/runtime/op_table.h>

namespace millrace::three_star {
namespace {

void check(std::span<const Point> points, const SearchOptions& options) {
  if (options.radius < 1 || options.radius > kMostRadius) {
    throw Error(ErrorCode::kInvalidArgument, "radius is " + std::to_string(options.radius) +
                                                 "; it is 1 to " + std::to_string(kMostRadius));
  }
  constexpr std::size_t kMostPoints = std::numeric_limits<std::uint32_t>::max();
  if (points.size() > kMostPoints) {
    throw Error(ErrorCode::kInvalidArgument, "there are " + std::to_string(points.size()) +
                                                 " points; at most " + std::to_string(kMostPoints) +
                                                 " are searched");
  }
}

SearchReport search(Queue& queue, std::span<const Point> points, const SearchOptions& options,
                    const StarSink& sink) {
  check(points, options);
  queue.wait();
  const auto start = std::chrono::steady_clock::now();
  SearchReport report;
  OpTable<ThreeStarOp>::at(queue)(queue, points, options, sink, report);
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
