// SPDX-License-Identifier: Apache-2.0

// The search on the CPU: the points of a cell are a task, which splits if that is much work.
#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/chunks/expanded_chunks.h>
#include <millrace/algorithms/three_star/cpu/star_simd.h>
#include <millrace/algorithms/three_star/object_pool.h>
#include <millrace/algorithms/three_star/search_range.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/backends/cpu/task_target.h>
#include <millrace/runtime/core/internal/op_table.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

namespace millrace::three_star {
namespace {

// Searches some points of a cell. Any thread may call.
class CellSearch {
 public:
  CellSearch(const CellGrid& grid, std::int32_t radius, const StarSink& sink)
      : grid_(grid), radius_(radius), sink_(sink) {}

  // Returns true if the work on this many of a cell's points is enough for two tasks.
  bool is_large(std::uint32_t cell, std::uint32_t points) const {
    // If points are evenly distributed, about one in five of those around is a neighbour in the
    // sense of the search, and a quarter of all pairs of neighbours is tested.
    constexpr std::uint64_t kMost = std::uint64_t{1} << 21;  // Pairs, several milliseconds.
    const std::uint64_t around = grid_.neighbours(cell).size();
    return points > 1 && points * (around + around * around / 128) > kMost;
  }

  // Searches, and keeps an exception of the visitor.
  StarCounts search(std::uint32_t cell, const IndexRange& points) {
    try {
      return search_run(cell, points);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      throw;
    }
  }

  // Throws the kept exception. No task runs.
  void throw_error() {
    if (const std::exception_ptr error = std::exchange(error_, nullptr)) {
      std::rethrow_exception(error);
    }
  }

 private:
  StarCounts search_run(std::uint32_t cell, const IndexRange& points) {
    // Not a thread's own: a visitor may wait, and its thread may search another cell meanwhile.
    const auto loan = scratches_.borrow();
    StarScratch& scratch = *loan;
    const PointRun run = {points, grid_.neighbours(cell)};
    if (sink_.stars != nullptr) {
      return compress_stars(grid_, run, radius_, scratch, ExpandedChunks(*sink_.stars));
    }
    if (sink_.chunks != nullptr) return compress_stars(grid_, run, radius_, scratch, *sink_.chunks);
    return count_stars(grid_, run, radius_, scratch);
  }

  const CellGrid& grid_;
  const std::int32_t radius_;
  const StarSink sink_;
  ObjectPool<StarScratch> scratches_{StarScratch{}};
  std::mutex mutex_;
  std::exception_ptr error_;
};

struct SearchPoints {
  CellSearch* search;
  StarCounts* counts;
  std::uint32_t cell;
  IndexRange points;

  template <class Context>
  void operator()(Context& context) const {
    if (search->is_large(cell, points.size())) {
      const std::uint32_t middle = points.begin + points.size() / 2;
      context.spawn(SearchPoints{search, counts, cell, {points.begin, middle}});
      context.spawn(SearchPoints{search, counts, cell, {middle, points.end}});
      return;
    }
    const StarCounts found = search->search(cell, points);
    context.add(&counts->three_stars, found.three_stars);
    context.add(&counts->pairs, found.pairs);
  }
};

using SearchTasks = TaskSet<SearchPoints>;

const cpu::RegisterTasks<SearchTasks> registered_tasks;

void search(Queue& queue, std::span<const Point> points, const SearchRange& range,
            const SearchOptions& options, const StarSink& sink, SearchReport& report) {
  report.policy = options.policy;
  if (sink.stars != nullptr || sink.chunks != nullptr) report.form = StarForm::kCompressed;
  if (range.corners.size() == 0) return;
  // The neighbours of a strip's corner are those it has in the grid of all points.
  std::optional<const CellGrid> own;
  if (range.grid == nullptr) own.emplace(queue, points, options.radius);
  const CellGrid& grid = own ? *own : *range.grid;
  const IndexRange corners = {range.corners.begin + range.points_before,
                              range.corners.end + range.points_before};
  CellSearch of_cells(grid, options.radius, sink);
  StarCounts counts;
  TaskList<SearchTasks> roots;
  for (std::size_t i = grid.cell_of(corners.begin); i < grid.cells().size(); ++i) {
    const IndexRange& of_cell = grid.cells()[i].points;
    if (of_cell.begin >= corners.end) break;
    roots.push(
        SearchPoints{&of_cells,
                     &counts,
                     static_cast<std::uint32_t>(i),
                     {std::max(of_cell.begin, corners.begin), std::min(of_cell.end, corners.end)}});
  }
  try {
    const RunReport run = run_tasks(queue, roots, {.policy = options.policy, .stop = options.stop});
    report.policy = run.policy;
    report.tasks = run.tasks();
  } catch (...) {
    of_cells.throw_error();
    throw;
  }
  report.three_stars = counts.three_stars;
  report.pairs = counts.pairs;
}

const RegisterOp<ThreeStarOp> registered(cpu::kTarget, &search);

}  // namespace
}  // namespace millrace::three_star
