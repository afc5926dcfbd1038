// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/chunks/star_chunk.h>
#include <millrace/algorithms/three_star/object_pool.h>
#include <millrace/algorithms/three_star/star_math.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/three_star/three_star_workload.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <utility>

namespace millrace::tools {
namespace {

using three_star::Point;
using three_star::SearchOptions;
using three_star::SearchReport;
using three_star::StarChunk;
using three_star::ThreeStar;

using Counts = std::vector<std::uint64_t>;

// Counts the 3-stars of each sensor.
Counts counts_of_sensors(Queue& queue, std::span<const Point> points, const SearchOptions& options,
                         SearchReport& report) {
  three_star::ObjectPool<Counts> pool{Counts(points.size())};
  report = compress_three_stars(queue, points, options, [&](const StarChunk& chunk) {
    for_all_records(chunk, [&](std::size_t first, std::size_t end) {
      chunk.count_sensors(first, end, *pool.borrow());
    });
  });
  Counts sums(points.size());
  for (const auto& own : pool.objects()) {
    std::ranges::transform(sums, *own, sums.begin(), std::plus<>());
  }
  if (std::reduce(sums.begin(), sums.end()) != 3 * report.three_stars) {
    throw Error(ErrorCode::kInternal,
                "the counts of all sensors do not add up to three for each 3-star");
  }
  return sums;
}

// Counts the 3-stars of a sensor by the definition.
std::uint64_t count_of(std::span<const Point> points, std::size_t sensor, std::int32_t radius) {
  std::vector<Point> others;
  for (const Point& point : points) {
    if (is_side(offset(points[sensor], point), radius)) others.push_back(point);
  }
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < others.size(); ++i) {
    for (std::size_t k = i + 1; k < others.size(); ++k) {
      count += is_three_star(points[sensor], others[i], others[k], radius);
    }
  }
  return count;
}

}  // namespace

std::vector<Point> clustered_points(std::size_t count) {
  constexpr std::size_t kOfACluster = 400;
  constexpr double kSpread = 60;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> position(0, kThreeStarWidth);
  std::normal_distribution<double> around(0, kSpread);
  std::vector<Point> points(count);
  double x = 0;
  double y = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % kOfACluster == 0) std::tie(x, y) = std::pair(position(random), position(random));
    points[i] = {static_cast<std::int32_t>(x + around(random)),
                 static_cast<std::int32_t>(y + around(random))};
  }
  return points;
}

SearchReport count_only(Queue& queue, std::span<const Point> points, const SearchOptions& options,
                        std::uint64_t& bytes) {
  bytes = 0;
  return count_three_stars(queue, points, options);
}

SearchReport compress_only(Queue& queue, std::span<const Point> points,
                           const SearchOptions& options, std::uint64_t& bytes) {
  std::atomic<std::uint64_t> all = 0;
  const SearchReport report = compress_three_stars(
      queue, points, options, [&](const StarChunk& chunk) { all += chunk.bytes().size(); });
  bytes = all;
  return report;
}

SearchReport count_by_sensor(Queue& queue, std::span<const Point> points,
                             const SearchOptions& options, std::uint64_t& bytes) {
  SearchReport report;
  counts_of_sensors(queue, points, options, report);
  bytes = sizeof(ThreeStar) * report.three_stars;
  return report;
}

SearchReport visit_ids(Queue& queue, std::span<const Point> points, const SearchOptions& options,
                       std::uint64_t& bytes) {
  std::atomic<std::uint64_t> sum = 0;
  const SearchReport report =
      visit_three_stars(queue, points, options, [&](std::span<const ThreeStar> some) {
        std::uint64_t own = 0;
        for (const ThreeStar& star : some) own += star.a ^ star.b ^ star.c;
        sum += own;
      });
  bytes = sizeof(ThreeStar) * report.three_stars;
  return report;
}

SearchReport bring_raw(Queue& queue, std::span<const Point> points, const SearchOptions& options,
                       std::uint64_t& bytes) {
  SearchOptions raw = options;
  raw.form = three_star::StarForm::kRaw;
  const SearchReport report = visit_three_stars(queue, points, raw, [](auto) {});
  bytes = report.bytes_down;
  return report;
}

Counts checked_three_stars(Queue& queue, std::span<const Point> points,
                           const SearchOptions& options) {
  SearchReport report;
  const Counts counts = counts_of_sensors(queue, points, options, report);
  const std::size_t some = std::min<std::size_t>(8, points.size());
  for (std::size_t i = 0; i < some; ++i) {
    const std::size_t sensor = i * points.size() / some;
    const std::uint64_t right = count_of(points, sensor, options.radius);
    if (counts[sensor] == right) continue;
    throw Error(ErrorCode::kInternal, "sensor " + std::to_string(sensor) + " is in " +
                                          std::to_string(counts[sensor]) + " 3-stars; right is " +
                                          std::to_string(right));
  }
  return counts;
}

}  // namespace millrace::tools
