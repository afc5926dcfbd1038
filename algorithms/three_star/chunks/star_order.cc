// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/chunks/star_chunk.h>
#include <millrace/algorithms/three_star/chunks/star_order.h>
#include <millrace/algorithms/three_star/chunks/star_sorter.h>
#include <millrace/algorithms/three_star/object_pool.h>
#include <millrace/runtime/host/host_threads.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace millrace::three_star {
namespace {

class OrderedVisit {
 public:
  OrderedVisit(Queue& queue, std::span<const Point> points, std::int32_t radius,
               const ChunkSource& source, std::size_t memory_bytes)
      : queue_(queue),
        points_(points),
        radius_(radius),
        source_(source),
        most_chunk_bytes_(memory_bytes / 2),
        most_stars_(std::max<std::size_t>(
            memory_bytes / 2 / StarSorter(points.size()).bytes_of_star(), 1)) {}

  SearchReport run(const StarVisitor& visitor) {
    const SearchReport report = search();
    if (are_kept_) grid_.emplace(queue_, points_, radius_);
    StarSorter sorter(points_.size());
    for (std::uint32_t first = 0; first < points_.size();) {
      std::uint64_t stars = stars_of_[first];
      std::uint32_t end = first + 1;
      while (end < points_.size() && stars + stars_of_[end] <= most_stars_)
        stars += stars_of_[end++];
      if (stars > 0) visit_group(IndexRange{first, end}, stars, sorter, visitor);
      first = end;
    }
    return report;
  }

 private:
  // Counts the 3-stars of each lowest point, and keeps those that fit in memory.
  SearchReport search() {
    ObjectPool<std::vector<std::uint64_t>> counts{std::vector<std::uint64_t>(points_.size())};
    const SearchReport report = source_([&](const StarChunk& chunk) {
      count(chunk, *counts.borrow());
      keep(chunk);
    });
    stars_of_.resize(points_.size());
    for (const auto& of_thread : counts.objects()) {
      for (std::size_t i = 0; i < points_.size(); ++i) stars_of_[i] += (*of_thread)[i];
    }
    return report;
  }

  // Adds to each lowest point's number its 3-stars.
  static void count(const StarChunk& chunk, std::vector<std::uint64_t>& stars_of) {
    chunk.visit([&](std::span<const ThreeStar> stars) {
      for (const ThreeStar& star : stars) ++stars_of[star.a];
    });
  }

  void keep(const StarChunk& chunk) {
    const std::lock_guard lock(mutex_);
    if (!are_kept_) return;
    chunk_bytes_ += chunk.bytes().size();
    if (chunk_bytes_ > most_chunk_bytes_) {
      are_kept_ = false;
      chunks_ = {};
      return;
    }
    chunks_.emplace_back(chunk.bytes().begin(), chunk.bytes().end());
  }

  void visit_group(const IndexRange& lowest, std::uint64_t stars, StarSorter& sorter,
                   const StarVisitor& visitor) {
    sorter.begin(stars);
    const auto take = [&](const StarChunk& chunk) {
      chunk.visit_lowest(lowest, [&](std::span<const ThreeStar> some) { sorter.add(some); });
    };
    if (are_kept_) {
      HostThreads::shared().for_each(chunks_.size(),
                                     [&](std::size_t i) { take(StarChunk(*grid_, chunks_[i])); });
    } else {
      source_(take);
    }
    sorter.sort(queue_);
    hand_on(sorter, stars, visitor);
  }

  static void hand_on(const StarSorter& sorter, std::uint64_t stars, const StarVisitor& visitor) {
    constexpr std::uint64_t kMost = 4096;
    std::vector<ThreeStar> some;
    for (std::uint64_t first = 0; first < stars; first += kMost) {
      some.resize(std::min(kMost, stars - first));
      for (std::size_t i = 0; i < some.size(); ++i) some[i] = sorter.star(first + i);
      visitor(some);
    }
  }

  Queue& queue_;
  const std::span<const Point> points_;
  const std::int32_t radius_;
  const ChunkSource& source_;
  const std::size_t most_chunk_bytes_;
  const std::size_t most_stars_;

  std::vector<std::uint64_t> stars_of_;  // Number of 3-stars by lowest point.
  std::mutex mutex_;
  bool are_kept_ = true;
  std::size_t chunk_bytes_ = 0;
  std::vector<std::vector<std::byte>> chunks_;
  std::optional<CellGrid> grid_;
};

}  // namespace

SearchReport visit_in_order(Queue& queue, std::span<const Point> points, std::int32_t radius,
                            const ChunkSource& source, const StarVisitor& visitor,
                            std::size_t memory_bytes) {
  return OrderedVisit(queue, points, radius, source, memory_bytes).run(visitor);
}

}  // namespace millrace::three_star
