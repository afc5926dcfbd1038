// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/chunks/renamed_stars.h>
#include <millrace/algorithms/three_star/ranks/distributed_search.h>
#include <millrace/algorithms/three_star/ranks/rank_strips.h>
#include <millrace/algorithms/three_star/search_arguments.h>
#include <millrace/algorithms/three_star/search_range.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/internal/op_table.h>
#include <millrace/runtime/host/seconds_since.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/collectives.h>
#include <millrace/runtime/ranks/result_stream.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace millrace::three_star {
namespace {

using Clock = std::chrono::steady_clock;

void check_arguments(const DistributedQueue& ranks, const SearchOptions& options,
                     const std::string& call) {
  ArgumentCheck(ranks.communicator, call)
      .add("radius", options.radius)
      .add("policy", static_cast<std::int64_t>(options.policy))
      .add("form", static_cast<std::int64_t>(options.form))
      .add("message_bytes", static_cast<std::int64_t>(ranks.message_bytes))
      .compare();
  together(ranks.communicator, [&] {
    check(ranks);
    check_radius(options.radius);
  });
}

void check_count(std::uint64_t points) {
  if (points <= std::numeric_limits<std::uint32_t>::max()) return;
  reject("there are " + std::to_string(points) +
         " points of all ranks; there must be at most "
         "4294967295");
}

// Returns how far points are moved so that the strip's end is that of a row of cells, less than a
// cell.
std::int64_t shift_of(std::int64_t end, std::int64_t width) {
  return end == std::numeric_limits<std::int64_t>::max() ? 0 : (width - end % width) % width;
}

// Searches this rank's strip.
class StripSearch {
 public:
  // Collective.
  StripSearch(const DistributedQueue& ranks, std::span<const Point> points,
              const SearchOptions& options)
      : queue_(ranks.queue), options_(options) {
    const RankOffsets offsets = rank_offsets(ranks.communicator, points.size());
    report_.points = offsets.back();
    together(ranks.communicator, [&] { check_count(report_.points); });
    const RankStrips strips = choose_rank_strips(ranks.communicator, points, options.radius);
    const auto me = static_cast<std::size_t>(ranks.communicator.rank());
    mine_ = share_points(ranks, strips, points, static_cast<std::uint32_t>(offsets[me]));
    report_.bytes_sent = mine_.bytes_sent;
    lay(strips, strips.edges[me + 1]);
  }

  DistributedSearchReport& report() { return report_; }

  void count() { search({}); }

  void visit(const StarVisitor& visitor) {
    const StarVisitor rename = RenamedStars(mine_.ids, visitor);
    search({.stars = &rename});
  }

  void compress(const ChunkVisitor& visitor) { search({.chunks = &visitor}); }

 private:
  // Moves the points: the strips' axis points upwards, so that the strip's own points, below `end`,
  // are before those of its halo in the order of cells.
  void lay(const RankStrips& strips, std::int64_t end) {
    const std::int64_t shift = shift_of(end, strips.reach);
    for (Point& point : mine_.points) {
      const std::int64_t along = strips.along(point);
      if (along < end) ++report_.my_points;
      point = {strips.is_along_x ? point.y : point.x, static_cast<std::int32_t>(along + shift)};
    }
    report_.my_halo = mine_.points.size() - report_.my_points;
  }

  void search(const StarSink& sink) {
    queue_.wait();
    const auto start = Clock::now();
    SearchRange own = {.corners = {0, static_cast<std::uint32_t>(report_.my_points)}};
    if (report_.my_points > 0) {
      std::optional<const CellGrid> named;
      if (sink.chunks != nullptr) {
        own.grid = &named.emplace(queue_, mine_.points, options_.radius, mine_.ids);
      }
      SearchReport found;
      OpTable<ThreeStarOp>::at(queue_)(queue_, mine_.points, own, options_, sink, found);
      report_.my_three_stars = found.three_stars;
    }
    report_.search_seconds = seconds_since(start);
  }

  Queue& queue_;
  const SearchOptions& options_;
  RankPoints mine_;
  DistributedSearchReport report_;
};

// Runs a search whose `step` is this rank's own.
template <class Step>
DistributedSearchReport search(const DistributedQueue& ranks, std::span<const Point> points,
                               const SearchOptions& options, const std::string& call,
                               const Step& step) {
  check_arguments(ranks, options, call);
  const auto start = Clock::now();
  StripSearch search(ranks, points, options);
  together(ranks.communicator, [&] { step(search); });
  search.report().three_stars = all_sum(ranks.communicator, search.report().my_three_stars);
  search.report().seconds = seconds_since(start);
  return search.report();
}

// Sends 3-stars to rank 0, from another rank.
void send_stars(const DistributedQueue& ranks, StripSearch& search) {
  ResultWriter results(ranks.communicator);
  std::mutex mutex;  // A communicator is used by one thread at a time.
  const std::size_t most = std::max<std::size_t>(ranks.message_bytes / sizeof(ThreeStar), 1);
  search.visit([&](std::span<const ThreeStar> stars) {
    const std::lock_guard lock(mutex);
    for (std::size_t begin = 0; begin < stars.size(); begin += most) {
      const auto message = stars.subspan(begin, std::min(most, stars.size() - begin));
      if (results.write(std::as_bytes(message))) continue;
      throw Error(ErrorCode::kCancelled, "rank 0 has stopped the search");
    }
  });
  results.close();
}

// Receives 3-stars on rank 0, which searches on a thread of its own meanwhile.
void receive_stars(const DistributedQueue& ranks, StripSearch& search, const StarVisitor& visitor) {
  receive_beside(
      ranks.communicator,
      [&](const std::stop_token& stop) {
        search.visit([&](std::span<const ThreeStar> stars) {
          if (stop.stop_requested()) {
            throw Error(ErrorCode::kCancelled, "no more 3-stars are wanted");
          }
          visitor(stars);
        });
      },
      [&](std::span<const std::byte> result) {
        std::vector<ThreeStar> stars(result.size() / sizeof(ThreeStar));
        std::memcpy(stars.data(), result.data(), result.size());
        visitor(stars);
      });
}

}  // namespace

DistributedSearchReport count_three_stars(const DistributedQueue& ranks,
                                          std::span<const Point> points,
                                          const SearchOptions& options) {
  return search(ranks, points, options, "count_three_stars",
                [](StripSearch& search) { search.count(); });
}

DistributedSearchReport visit_three_stars(const DistributedQueue& ranks,
                                          std::span<const Point> points,
                                          const SearchOptions& options,
                                          const StarVisitor& visitor) {
  return search(ranks, points, options, "visit_three_stars",
                [&](StripSearch& search) { search.visit(visitor); });
}

DistributedSearchReport compress_three_stars(const DistributedQueue& ranks,
                                             std::span<const Point> points,
                                             const SearchOptions& options,
                                             const ChunkVisitor& visitor) {
  return search(ranks, points, options, "compress_three_stars",
                [&](StripSearch& search) { search.compress(visitor); });
}

DistributedSearchReport gather_three_stars(const DistributedQueue& ranks,
                                           std::span<const Point> points,
                                           const SearchOptions& options,
                                           const StarVisitor& visitor) {
  return search(ranks, points, options, "gather_three_stars", [&](StripSearch& search) {
    if (ranks.communicator.rank() == 0) {
      receive_stars(ranks, search, visitor);
    } else {
      send_stars(ranks, search);
    }
  });
}

}  // namespace millrace::three_star
