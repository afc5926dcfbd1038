// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/chunks/star_chunk.h>
#include <millrace/algorithms/three_star/random_points.h>
#include <millrace/algorithms/three_star/set_hash.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/algorithms/three_star/three_star_reference.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/tools/command/three_star/star_tally.h>

#include <gtest/gtest.h>

#include <bit>
#include <memory>
#include <thread>
#include <vector>

namespace millrace::tools {
namespace {

using three_star::Point;
using three_star::StarChunk;
using three_star::ThreeStar;

constexpr std::int32_t kRadius = 50;

void tally_all(const std::vector<Point>& points, StarTally& tally, int times = 1) {
  const auto queue = open_device("tbb")->make_queue();
  compress_three_stars(*queue, points, {.radius = kRadius}, [&](const StarChunk& chunk) {
    std::vector<std::thread> threads;
    for (int i = 0; i < times; ++i) threads.emplace_back([&] { tally.add(chunk); });
    for (std::thread& thread : threads) thread.join();
  });
}

// Bins of powers of two, written the long way.
std::vector<std::uint64_t> histogram_of(const std::vector<ThreeStar>& stars, std::size_t sensors,
                                        std::uint64_t times) {
  std::vector<std::uint64_t> stars_of(sensors);
  for (const ThreeStar& star : stars) {
    for (const std::uint32_t sensor : {star.a, star.b, star.c}) stars_of[sensor] += times;
  }
  std::vector<std::uint64_t> bins;
  for (const std::uint64_t count : stars_of) {
    std::size_t bin = 0;
    while (bin < 64 && count >> bin != 0) ++bin;
    if (bins.size() <= bin) bins.resize(bin + 1);
    ++bins[bin];
  }
  return bins;
}

TEST(StarTallyTest, OfNoneHasAllPointsInNone) {
  const StarTally tally(5);
  EXPECT_EQ(tally.set_hash(), 0U);
  EXPECT_EQ(tally.histogram(), (std::vector<std::uint64_t>{5}));
}

TEST(StarTallyTest, OfOneHasItsThreePoints) {
  const std::vector<Point> points = {{0, 0}, {60, 0}, {30, 60}, {1000, 1000}};
  StarTally tally(points.size());
  tally_all(points, tally);
  EXPECT_EQ(tally.set_hash(), three_star::hash_of({0, 1, 2}));
  EXPECT_EQ(tally.histogram(), (std::vector<std::uint64_t>{1, 3}));
}

TEST(StarTallyTest, OfManyIsThatOfTheReference) {
  constexpr int kTimes = 4;  // Each time runs on a thread of its own.
  const std::vector<Point> points = three_star::random_points(300, 400);
  const std::vector<ThreeStar> stars = find_three_stars_reference(points, kRadius);
  ASSERT_GT(stars.size(), 1000U);
  StarTally tally(points.size());
  tally_all(points, tally, kTimes);
  std::uint64_t hash = 0;
  for (const ThreeStar& star : stars) hash += kTimes * three_star::hash_of(star);
  EXPECT_EQ(tally.set_hash(), hash);
  EXPECT_EQ(tally.histogram(), histogram_of(stars, points.size(), kTimes));
  StarTally of_ids(points.size());
  of_ids.add(stars);
  EXPECT_EQ(of_ids.set_hash() * kTimes, hash);
  EXPECT_EQ(of_ids.histogram(), histogram_of(stars, points.size(), 1));
}

}  // namespace
}  // namespace millrace::tools
