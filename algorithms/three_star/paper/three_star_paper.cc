// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/paper/make_paper_chunks_op.h>
#include <millrace/algorithms/three_star/paper/narrow_sides.h>
#include <millrace/algorithms/three_star/paper/paper_cells.h>
#include <millrace/algorithms/three_star/paper/paper_chunk.h>
#include <millrace/algorithms/three_star/paper/three_star_paper.h>
#include <millrace/algorithms/three_star/paper/wide_sides.h>
#include <millrace/algorithms/three_star/search_arguments.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/internal/op_table.h>
#include <millrace/runtime/host/seconds_since.h>
#include <millrace/runtime/stream/pipeline.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace millrace::three_star {
namespace {

using Clock = std::chrono::steady_clock;

void check(const PaperOptions& options) {
  if (options.tables != nullptr && options.tables->radius() != options.radius) {
    reject("tables are for a radius of " + std::to_string(options.tables->radius()) +
           ", but radius is " + std::to_string(options.radius) + "; they must match");
  }
  if (options.chunk_bytes < PaperOptions::kLeastChunkBytes) {
    reject("chunk_bytes is " + std::to_string(options.chunk_bytes) + "; it must be at least " +
           std::to_string(PaperOptions::kLeastChunkBytes));
  }
}

bool is_compressed(PaperSearchScheme scheme) {
  return scheme == PaperSearchScheme::kCompression || scheme == PaperSearchScheme::kBoth;
}

bool is_streamed(PaperSearchScheme scheme) {
  return scheme == PaperSearchScheme::kStreaming || scheme == PaperSearchScheme::kBoth;
}

// A grid in host memory.
class PaperGrid {
 public:
  PaperGrid(Queue& queue, std::span<const Point> points, std::int32_t radius)
      : grid_(queue, points, radius), cells_(paper_cells(grid_)) {
    points_.reserve(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) points_.push_back({grid_.x()[i], grid_.y()[i]});
  }

  PaperView view() const {
    return {points_.data(), grid_.ids(), cells_.data(), static_cast<std::uint32_t>(cells_.size())};
  }
  std::size_t points() const { return points_.size(); }

 private:
  const CellGrid grid_;
  const std::vector<PaperCell> cells_;
  std::vector<Point> points_;
};

// Adds a chunk's time on the device to the rows that have it, as the blocks' clocks divide it.
void divide(double seconds, const PaperTicks& ticks, PaperSearchProfile& profile) {
  const double all = ticks.all == 0 ? 1 : static_cast<double>(ticks.all);
  const double load = seconds * static_cast<double>(ticks.load) / all;
  const double report = seconds * static_cast<double>(ticks.report) / all;
  profile.load += load;
  profile.report += report;
  profile.compute += seconds - load - report;
}

class PaperFind {
 public:
  PaperFind(Queue& queue, std::span<const Point> points, const PaperOptions& options,
            const StarVisitor& visitor, PaperSearchProfile* profile)
      : queue_(queue), points_(points), options_(options), visitor_(visitor), profile_(profile) {}

  PaperReport run() {
    queue_.wait();
    const Clock::time_point start = Clock::now();
    if (!points_.empty()) search(start);
    report_.seconds = seconds_since(start);
    return report_;
  }

 private:
  static constexpr int kStreamedDepth = 4;

  void search(Clock::time_point start) {
    const PaperGrid grid(queue_, points_, options_.radius);
    const auto chunks = OpTable<MakePaperChunksOp>::at(queue_)(
        queue_, {grid.view(), grid.points(), options_.radius, options_.tables,
                 is_compressed(options_.scheme)});
    const bool is_serial = profile_ != nullptr || !is_streamed(options_.scheme);
    Pipeline pipeline(queue_.device().shared_from_this(), {.output_bytes = options_.chunk_bytes,
                                                           .depth = is_serial ? 1 : kStreamedDepth,
                                                           .has_host_input = false});
    if (profile_ != nullptr) profile_->load += seconds_since(start);
    std::atomic<bool> is_over = false;
    PaperTicks ticks;
    const PipelineReport streamed = pipeline.run({
        .produce = [&](const PipelineInputMemory& /*memory*/) -> std::optional<PipelineInput> {
          if (is_over) return std::nullopt;
          return PipelineInput{};
        },
        .compute = [&](Queue& queue, const PipelineChunk& chunk) { chunks->enqueue(queue, chunk); },
        .consume =
            [&](const PipelineOutput& output) {
              const PaperChunkHeader header = decode(grid.view(), output.data, visitor_);
              report_.three_stars += header.three_stars;
              report_.chunks += header.three_stars > 0 ? 1 : 0;
              ticks.load += header.ticks.load;
              ticks.report += header.ticks.report;
              ticks.all += header.ticks.all;
              if (header.is_last != 0) is_over = true;
            },
    });
    report_.bytes_down = streamed.bytes_down;
    if (profile_ == nullptr) return;
    divide(streamed.compute_seconds, ticks, *profile_);
    profile_->data_out += streamed.download_seconds;
    profile_->decode += streamed.consume_seconds;
  }

  Queue& queue_;
  const std::span<const Point> points_;
  const PaperOptions& options_;
  const StarVisitor& visitor_;
  PaperSearchProfile* const profile_;
  PaperReport report_;
};

// Visits all triples of a cell's combination.
template <class Sides, class Use>
void search_ranges(const PaperView& grid, const PaperCell& cell, std::uint32_t combination,
                   const Sides& sides, const Use& use) {
  const PaperRanges ranges(combination);
  const IndexRange& second = cell.ranges[ranges.second];
  const IndexRange& third = cell.ranges[ranges.third];
  for (std::uint32_t i = cell.ranges[0].begin; i < cell.ranges[0].end; ++i) {
    for (std::uint32_t j = ranges.second == 0 ? i + 1 : second.begin; j < second.end; ++j) {
      const auto a = sides.side(grid.points[i], grid.points[j]);
      if (a == 0) continue;
      for (std::uint32_t k = ranges.third == ranges.second ? j + 1 : third.begin; k < third.end;
           ++k) {
        const auto b = sides.side(grid.points[i], grid.points[k]);
        if (b == 0) continue;
        const auto c = sides.side(grid.points[j], grid.points[k]);
        if (c != 0 && sides.is_three_star(a, b, c)) use(i, j, k);
      }
    }
  }
}

template <class Sides>
std::uint64_t search_all(const PaperView& grid, const Sides& sides, const StarVisitor& visitor) {
  constexpr std::size_t kMost = 4096;
  std::vector<ThreeStar> stars;
  stars.reserve(kMost);
  std::uint64_t visited = 0;
  const auto hand_on = [&] {
    visited += stars.size();
    if (!stars.empty()) visitor(stars);
    stars.clear();
  };
  for (std::uint32_t cell = 0; cell < grid.cell_count; ++cell) {
    for (std::uint32_t combination = 0; combination < kPaperCombinations; ++combination) {
      search_ranges(grid, grid.cells[cell], combination, sides,
                    [&](std::uint32_t i, std::uint32_t j, std::uint32_t k) {
                      if (stars.size() == kMost) hand_on();
                      stars.push_back(star_of(grid.ids[i], grid.ids[j], grid.ids[k]));
                    });
    }
  }
  hand_on();
  return visited;
}

}  // namespace

const char* to_string(PaperSearchScheme scheme) {
  switch (scheme) {
    case PaperSearchScheme::kBaseline: return "baseline";
    case PaperSearchScheme::kStreaming: return "baseline + streaming";
    case PaperSearchScheme::kCompression: return "baseline + compression";
    case PaperSearchScheme::kBoth: return "baseline + compression + streaming";
  }
  return "unknown";
}

PaperReport find_as_paper(Queue& queue, std::span<const Point> points, const PaperOptions& options,
                          const StarVisitor& visitor, PaperSearchProfile* profile) {
  check_radius(options.radius);
  check_points(points);
  check(options);
  return PaperFind(queue, points, options, visitor, profile).run();
}

PaperReport find_as_paper_sequential(Queue& queue, std::span<const Point> points,
                                     std::int32_t radius, const StarVisitor& visitor) {
  check_radius(radius);
  check_points(points);
  queue.wait();
  const Clock::time_point start = Clock::now();
  PaperReport report;
  const PaperGrid grid(queue, points, radius);
  report.three_stars = radius <= NarrowSides::kMostRadius
                           ? search_all(grid.view(), NarrowSides(radius), visitor)
                           : search_all(grid.view(), WideSides(radius), visitor);
  report.seconds = seconds_since(start);
  return report;
}

}  // namespace millrace::three_star
