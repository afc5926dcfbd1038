// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/ranks/rank_strips.h>
#include <millrace/runtime/group/item_range.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/collectives.h>
#include <millrace/runtime/ranks/exchange.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>

namespace millrace::three_star {
namespace {

// Sampled points of a rank: strips' work is within some percent of each other.
constexpr std::size_t kSample = 4096;

// Average number of sampled points of a square whose population is estimated from them.
constexpr double kSamplePerSquare = 16;

struct Extent {
  std::int64_t low_x = std::numeric_limits<std::int64_t>::max();
  std::int64_t low_y = std::numeric_limits<std::int64_t>::max();
  std::int64_t high_x = std::numeric_limits<std::int64_t>::min();
  std::int64_t high_y = std::numeric_limits<std::int64_t>::min();

  void add(const Extent& other) {
    low_x = std::min(low_x, other.low_x);
    low_y = std::min(low_y, other.low_y);
    high_x = std::max(high_x, other.high_x);
    high_y = std::max(high_y, other.high_y);
  }
  bool is_wider_than_high() const { return low_x <= high_x && high_x - low_x > high_y - low_y; }
  double area() const {
    if (low_x > high_x) return 0;
    return static_cast<double>(high_x - low_x + 1) * static_cast<double>(high_y - low_y + 1);
  }
};

Extent extent_of(Communicator& communicator, std::span<const Point> points) {
  Extent mine;
  for (const Point& point : points) mine.add({point.x, point.y, point.x, point.y});
  Extent all;
  for (const Extent& extent : all_gather(communicator, mine)) all.add(extent);
  return all;
}

// A point that represents this many.
struct Sampled {
  Point point;
  double weight = 0;
};

std::vector<Sampled> sample_of(std::span<const Point> points) {
  std::vector<Sampled> mine(kSample);
  const double weight = static_cast<double>(points.size()) / static_cast<double>(kSample);
  for (std::size_t i = 0; !points.empty() && i < kSample; ++i) {
    mine[i] = {points[even_cut(points.size(), i, kSample)], weight};
  }
  return mine;
}

// Collective. Returns a sample of all ranks' points.
std::vector<Sampled> sample(Communicator& communicator, std::span<const Point> points) {
  std::vector<Sampled> mine;
  std::vector<Sampled> all;
  together(communicator, [&] {
    mine = sample_of(points);
    all.resize(mine.size() * static_cast<std::size_t>(communicator.size()));
  });
  communicator.all_gather(mine.data(), mine.size() * sizeof(Sampled), all.data());
  return all;
}

// Returns the approximate work of each sampled point, estimated as in strip_plan.cc from the number
// of points in a square of two radii's width there.
std::vector<double> works_of(const std::vector<Sampled>& sample, const Extent& extent,
                             std::int64_t two_radii) {
  const double enough =
      std::sqrt(extent.area() * kSamplePerSquare / static_cast<double>(sample.size()));
  const std::int64_t width = std::max(two_radii, static_cast<std::int64_t>(enough));
  const auto square_of = [width](const Point& point) {
    const auto at = [width](std::int64_t coordinate) {
      return (coordinate - (coordinate < 0 ? width - 1 : 0)) / width;
    };
    return std::pair(at(point.x), at(point.y));
  };
  std::map<std::pair<std::int64_t, std::int64_t>, double> populations;
  for (const Sampled& one : sample) populations[square_of(one.point)] += one.weight;
  const double narrower = static_cast<double>(two_radii) / static_cast<double>(width);
  std::vector<double> works;
  for (const Sampled& one : sample) {
    const double population = populations[square_of(one.point)] * narrower * narrower;
    const double around = 6 * population;  // Points in half of the squares around it.
    works.push_back(one.weight * (1 + around + around * around / 128));
  }
  return works;
}

// Returns the edges of strips of about the same work along their axis.
std::vector<std::int64_t> edges_of(const RankStrips& strips, const std::vector<Sampled>& sample,
                                   const std::vector<double>& works, int ranks) {
  std::vector<std::pair<std::int64_t, double>> positions;
  double whole = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    positions.emplace_back(strips.along(sample[i].point), works[i]);
    whole += works[i];
  }
  std::ranges::sort(positions);
  // Leaves space behind the halo to move a strip by less than a cell.
  const std::int64_t most = std::numeric_limits<std::int32_t>::max() - 2 * strips.reach;
  std::vector<std::int64_t> edges = {std::numeric_limits<std::int64_t>::min()};
  double before = 0;
  for (const auto& [position, work] : positions) {
    while (std::ssize(edges) < ranks &&
           before + work > whole * static_cast<double>(edges.size()) / ranks) {
      edges.push_back(std::min(position, most));
    }
    before += work;
  }
  edges.resize(static_cast<std::size_t>(ranks) + 1, std::numeric_limits<std::int64_t>::max());
  return edges;
}

struct Item {
  Point point;
  std::uint32_t id;
};

}  // namespace

std::size_t RankStrips::strip_of(const Point& point) const {
  const auto behind = std::upper_bound(edges.begin() + 1, edges.end() - 1, along(point));
  return static_cast<std::size_t>(behind - edges.begin()) - 1;
}

std::size_t RankStrips::first_strip_of(const Point& point) const {
  const auto ends_in_reach =
      std::lower_bound(edges.begin() + 1, edges.end() - 1, along(point) - reach);
  const auto first = static_cast<std::size_t>(ends_in_reach - edges.begin()) - 1;
  return std::min(first, strip_of(point));
}

RankStrips choose_rank_strips(Communicator& communicator, std::span<const Point> points,
                              std::int32_t radius) {
  RankStrips strips;
  strips.reach = 2 * std::int64_t{radius};
  const Extent extent = extent_of(communicator, points);
  strips.is_along_x = extent.is_wider_than_high();
  const std::vector<Sampled> all = sample(communicator, points);
  together(communicator, [&] {
    strips.edges = edges_of(strips, all, works_of(all, extent, strips.reach), communicator.size());
  });
  return strips;
}

RankPoints share_points(const DistributedQueue& ranks, const RankStrips& strips,
                        std::span<const Point> points, std::uint32_t first_id) {
  Communicator& communicator = ranks.communicator;
  const auto size = static_cast<std::size_t>(communicator.size());
  const auto me = static_cast<std::size_t>(communicator.rank());
  std::vector<std::vector<Item>> items;  // One list a rank.
  std::vector<std::uint64_t> counts;
  std::vector<std::uint64_t> all_counts;
  together(communicator, [&] {
    items.resize(size);
    all_counts.resize(size * size);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const std::size_t last = strips.strip_of(points[i]);
      for (std::size_t to = strips.first_strip_of(points[i]); to <= last; ++to) {
        items[to].push_back({points[i], static_cast<std::uint32_t>(first_id + i)});
      }
    }
    for (const std::vector<Item>& of_rank : items) counts.push_back(of_rank.size());
  });
  communicator.all_gather(counts.data(), size * sizeof(std::uint64_t), all_counts.data());

  std::vector<Item> received;
  std::vector<SendBlock> sends;
  std::vector<ReceiveBlock> receives;
  together(communicator, [&] {
    std::vector<std::uint64_t> begins = {0};  // Offsets of what each rank sends here.
    for (std::size_t from = 0; from < size; ++from) {
      begins.push_back(begins.back() + all_counts[from * size + me]);
    }
    received.resize(begins.back());
    for (std::size_t round = 0; round < size; ++round) {
      const std::size_t to = (me + round) % size;
      sends.push_back({static_cast<int>(to), reinterpret_cast<const std::byte*>(items[to].data()),
                       counts[to] * sizeof(Item)});
      const std::size_t from = (me + size - round) % size;
      receives.push_back({static_cast<int>(from),
                          reinterpret_cast<std::byte*>(received.data() + begins[from]),
                          (begins[from + 1] - begins[from]) * sizeof(Item)});
    }
  });
  RankPoints mine;
  mine.bytes_sent = exchange(ranks, MemorySpace::kHost, sends, receives, {}).bytes_sent;
  together(communicator, [&] {
    for (const Item& item : received) {
      mine.points.push_back(item.point);
      mine.ids.push_back(item.id);
    }
  });
  return mine;
}

}  // namespace millrace::three_star
