// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/chunks/star_chunk.h>
#include <millrace/algorithms/three_star/ranks/distributed_search.h>
#include <millrace/algorithms/three_star/ranks/rank_strips.h>
#include <millrace/algorithms/three_star/three_star_reference.h>
#include <millrace/algorithms/three_star/three_star_test_input.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/item_range.h>
#include <millrace/runtime/ranks/collectives.h>
#include <millrace/runtime/ranks/result_stream.h>
#include <millrace/runtime/testing/run_ranks.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/conformance/ranks.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace millrace::three_star {
namespace {

enum class Spread { kEven, kAllOnRank0, kAllOnLastRank };

std::span<const Point> portion_of(const std::vector<Point>& points, Spread spread,
                                  const Communicator& communicator) {
  const auto rank = static_cast<unsigned>(communicator.rank());
  const auto size = static_cast<unsigned>(communicator.size());
  if (spread == Spread::kEven) {
    const std::size_t begin = even_cut(points.size(), rank, size);
    return std::span(points).subspan(begin, even_cut(points.size(), rank + 1, size) - begin);
  }
  const unsigned owner = spread == Spread::kAllOnRank0 ? 0 : size - 1;
  return rank == owner ? std::span<const Point>(points) : std::span<const Point>();
}

// Collects 3-stars from several threads, in order.
class Collected {
 public:
  StarVisitor visitor() {
    return [this](std::span<const ThreeStar> some) {
      const std::lock_guard lock(mutex_);
      stars_.insert(stars_.end(), some.begin(), some.end());
    };
  }

  std::vector<ThreeStar> sorted() {
    std::ranges::sort(stars_);
    return stars_;
  }

 private:
  std::mutex mutex_;
  std::vector<ThreeStar> stars_;
};

// Gathers all ranks' 3-stars on rank 0.
std::vector<ThreeStar> all_of(Communicator& communicator, std::vector<ThreeStar> mine) {
  if (communicator.rank() > 0) {
    ResultWriter results(communicator);
    results.write(std::as_bytes(std::span<const ThreeStar>(mine)));
    results.close();
    return {};
  }
  ResultReader results(communicator);
  while (const auto result = results.next()) {
    const auto* const stars = reinterpret_cast<const ThreeStar*>(result->data());
    mine.insert(mine.end(), stars, stars + result->size() / sizeof(ThreeStar));
  }
  std::ranges::sort(mine);
  return mine;
}

using Case = std::tuple<std::string, int>;  // A device, ranks.

class DistributedSearchTest : public testing::TestWithParam<Case> {
 protected:
  // Counts, visits and gathers, and compares with the definition.
  void expect_found(const std::vector<Point>& points, std::int32_t radius, Spread spread) const {
    const std::vector<ThreeStar> expected = find_three_stars_reference(points, radius);
    run_ranks(std::get<1>(GetParam()), [&](Communicator& communicator) {
      const auto queue = open_device(std::get<0>(GetParam()))->make_queue();
      const DistributedQueue ranks{communicator, *queue, 1000};
      const auto mine = portion_of(points, spread, communicator);
      const SearchOptions options = {.radius = radius};
      const auto report = count_three_stars(ranks, mine, options);
      EXPECT_EQ(report.three_stars, expected.size());
      EXPECT_EQ(report.points, points.size());
      EXPECT_EQ(all_sum(communicator, report.my_points), points.size());

      Collected visited;
      EXPECT_EQ(visit_three_stars(ranks, mine, options, visited.visitor()).three_stars,
                expected.size());
      Collected raw;
      visit_three_stars(ranks, mine, {.radius = radius, .form = StarForm::kRaw}, raw.visitor());
      EXPECT_TRUE(raw.sorted() == visited.sorted());
      const auto all = all_of(communicator, visited.sorted());

      Collected in_chunks;
      const StarVisitor take = in_chunks.visitor();
      const auto compressed = compress_three_stars(
          ranks, mine, options, [&](const StarChunk& chunk) { chunk.visit(take); });
      EXPECT_EQ(compressed.three_stars, expected.size());
      EXPECT_TRUE(in_chunks.sorted() == visited.sorted());

      Collected gathered;
      gather_three_stars(ranks, mine, options, gathered.visitor());
      const bool has_all = communicator.rank() == 0;
      EXPECT_TRUE(all == (has_all ? expected : std::vector<ThreeStar>()));
      EXPECT_TRUE(gathered.sorted() == (has_all ? expected : std::vector<ThreeStar>()));
    });
  }

  std::size_t count() const {
    return conformance::scaled(*open_device(std::get<0>(GetParam())), 400, 120);
  }

  SeededRandom random;
};

TEST_P(DistributedSearchTest, PointsOfAllRanksAreSearchedAsOne) {
  expect_found(scattered(random, count(), -500, 1000), 60, Spread::kEven);
}

TEST_P(DistributedSearchTest, PointsMayAllBeOnOneRank) {
  const auto points = scattered(random, count(), 0, 700);
  expect_found(points, 50, Spread::kAllOnRank0);
  expect_found(points, 50, Spread::kAllOnLastRank);
}

TEST_P(DistributedSearchTest, StripsMayBeNarrowerThanTheHalo) {
  expect_found(scattered(random, 60, 0, 100), 30, Spread::kEven);
}

TEST_P(DistributedSearchTest, PointsOnEdgesBelongToOneStrip) {
  // Coordinates have a small number of values, so many points are exactly where strips end.
  expect_found(scattered(random, 80, 0, 6), 2, Spread::kEven);
}

TEST_P(DistributedSearchTest, CoordinatesMayBeTheLeastAndTheLargestThereAre) {
  const std::size_t each = count() / 3;
  for (const bool is_wide : {false, true}) {
    std::vector<Point> points = scattered(random, each, INT32_MIN, 300);
    for (Point point : scattered(random, each, INT32_MAX - 299, 300)) {
      (is_wide ? point.y : point.x) = INT32_MIN + (INT32_MAX - (is_wide ? point.y : point.x));
      points.push_back(point);
    }
    expect_found(points, 60, Spread::kEven);
  }
}

TEST_P(DistributedSearchTest, PointsMayBeInALineOrFewerThanThree) {
  std::vector<Point> line;
  for (std::int32_t i = 0; i < 40; ++i) line.push_back({10 * i, i % 3 * 9});
  expect_found(line, 12, Spread::kEven);
  expect_found({}, 5, Spread::kEven);
  expect_found({{0, 0}, {9, 0}}, 5, Spread::kEven);
  expect_found(std::vector<Point>(30, Point{7, 7}), 5, Spread::kEven);
}

INSTANTIATE_TEST_SUITE_P(Devices, DistributedSearchTest,
                         testing::Combine(testing::ValuesIn(conformance::device_names()),
                                          testing::Values(2)));
INSTANTIATE_TEST_SUITE_P(Ranks, DistributedSearchTest,
                         testing::Combine(testing::Values(conformance::some_device_name()),
                                          testing::Values(1, 3, 4, 7)));

TEST(DistributedSearch, ABadRadiusIsThrownOnAll) {
  conformance::expect_thrown(
      3, "rank 0: radius is 0; it must be 1 to 1048575",
      [](const DistributedQueue& ranks) { count_three_stars(ranks, {}, {.radius = 0}); });
}

TEST(DistributedSearch, ARadiusThatDiffersIsNamed) {
  conformance::expect_thrown(3,
                             "rank 2 and rank 0 were given different values of radius "
                             "(count_three_stars); give all ranks the same",
                             [](const DistributedQueue& ranks) {
                               count_three_stars(
                                   ranks, {}, {.radius = ranks.communicator.rank() == 2 ? 0 : 9});
                             });
}

TEST(DistributedSearch, WhatAVisitorThrowsIsThrownOnAll) {
  SeededRandom random;
  const std::vector<Point> points = scattered(random, 300, 0, 400);
  const StarVisitor visitor = [](std::span<const ThreeStar>) {
    throw Error(ErrorCode::kIo, "the disk is full");
  };
  conformance::expect_thrown(3, "rank 0: the disk is full", [&](const DistributedQueue& ranks) {
    gather_three_stars(ranks, portion_of(points, Spread::kEven, ranks.communicator), {.radius = 50},
                       visitor);
  });
}

// Called the same way for a queue, a group and ranks.
template <class On>
std::uint64_t count_on(On& on, std::span<const Point> points) {
  return count_three_stars(on, points, {.radius = 50}).three_stars;
}

TEST(DistributedSearch, IsCalledAsThatOfAQueueAndOfAGroup) {
  SeededRandom random;
  const std::vector<Point> points = scattered(random, 300, 0, 400);
  run_ranks(2, [&](Communicator& communicator) {
    const DeviceGroup group = open_device_group(conformance::some_device_name());
    Queue& queue = group.queue(0);
    const DistributedQueue ranks{communicator, queue};
    const std::uint64_t expected = count_on(queue, points);
    EXPECT_EQ(count_on(group, points), expected);
    EXPECT_EQ(count_on(ranks, portion_of(points, Spread::kEven, communicator)), expected);
  });
}

TEST(DistributedSearch, StripsShareTheWork) {
  SeededRandom random;
  const std::vector<Point> points = scattered(random, 20'000, 0, 10'000);
  run_ranks(4, [&](Communicator& communicator) {
    const auto mine = portion_of(points, Spread::kAllOnRank0, communicator);
    const RankStrips strips = choose_rank_strips(communicator, mine, 50);
    std::vector<std::size_t> counts(4, 0);
    for (const Point& point : points) ++counts[strips.strip_of(point)];
    for (const std::size_t count : counts) EXPECT_NEAR(static_cast<double>(count), 5000, 1000);
  });
}

}  // namespace
}  // namespace millrace::three_star
