#include <millrace/algorithms/three_star/strip_search.h>

#include <chrono>
#include <span>

#include <millrace/algorithms/three_star/chunk_places.h>
#include <millrace/algorithms/three_star/star_chunk.h>
#include <millrace/runtime/op_table.h>

namespace millrace::three_star {

SearchReport search_strip(Queue& queue, const CellGrid& grid, const Strip& strip,
                          const SearchOptions& options, const ChunkVisitor* visitor) {
  queue.wait();
  SearchReport report;
  report.policy = options.policy;
  if (strip.corners.size() == 0) return report;
  const auto start = std::chrono::steady_clock::now();
  const StripPoints some(grid, strip);
  const ChunkVisitor take = [&](const StarChunk& chunk) {
    const auto bytes = with_corners_moved(chunk, strip.points.begin);
    (*visitor)(StarChunk(grid, std::span(bytes.get(), chunk.bytes().size())));
  };
  const StarSink sink = {.chunks = visitor == nullptr ? nullptr : &take};
  OpTable<ThreeStarOp>::at(queue)(queue, some.points, some.corners, options, sink, report);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  report.seconds = taken.count();
  return report;
}

}  // namespace millrace::three_star
