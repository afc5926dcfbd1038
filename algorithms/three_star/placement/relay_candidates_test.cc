// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/placement/relay_candidates.h>
#include <millrace/algorithms/three_star/three_star_test_input.h>
#include <millrace/runtime/core/error.h>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>
#include <stop_token>
#include <string>
#include <thread>
#include <tuple>

namespace millrace::three_star {
namespace {

TEST(SmallestCircleTest, GoesThroughTheCornersOfAnAcuteTriangle) {
  const Circle circle = smallest_circle({-3, 4}, {3, 4}, {0, -5});
  EXPECT_DOUBLE_EQ(circle.centre.x, 0);
  EXPECT_DOUBLE_EQ(circle.centre.y, 0);
  EXPECT_DOUBLE_EQ(circle.squared_radius, 25);
}

TEST(SmallestCircleTest, IsAroundTheLongestSideOfOthers) {
  for (const Point& third : {Point{1, 2}, Point{4, 5}, Point{-1, 0}}) {
    const Circle circle = smallest_circle({-1, 0}, third, {9, 0});
    EXPECT_EQ(circle.centre, (Position{4, 0}));
    EXPECT_EQ(circle.squared_radius, 25);
  }
}

TEST(SmallestCircleTest, HoldsAllThree) {
  SeededRandom random;
  for (int i = 0; i < 1000; ++i) {
    const auto points = scattered(random, 3, -1'000'000, 2'000'000);
    const Circle circle = smallest_circle(points[0], points[1], points[2]);
    for (const Point& point : points) {
      EXPECT_LE(squared_distance(position_of(point), circle.centre),
                circle.squared_radius * (1 + 1e-9));
    }
  }
}

class RelayCandidatesTest : public testing::Test {
 protected:
  // Searches sensors each of which is a component, except those within reach of each other.
  CandidateSearch find(std::span<const Point> sensors, std::int32_t radius) {
    components_.resize(sensors.size());
    std::iota(components_.begin(), components_.end(), 0U);
    const double reach = static_cast<double>(radius) * radius;
    for (std::size_t pass = 0; pass < sensors.size(); ++pass) {
      for (std::size_t i = 0; i < sensors.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          if (squared_distance(position_of(sensors[i]), position_of(sensors[j])) > reach) continue;
          components_[i] = components_[j] = std::min(components_[i], components_[j]);
        }
      }
    }
    return find_relay_candidates(*queue_, sensors, components_, radius);
  }

  std::shared_ptr<Queue> queue_ = some_device()->make_queue();
  std::vector<std::uint32_t> components_;
};

TEST_F(RelayCandidatesTest, AThreeStarIsOne) {
  const Point sensors[] = {{0, 0}, {8, 0}, {4, 7}};
  const auto found = find(sensors, 5);
  ASSERT_EQ(found.candidates.size(), 1U);
  EXPECT_EQ(found.candidates[0].corners, (ThreeStar{0, 1, 2}));
  EXPECT_EQ(found.three_stars, 1U);
}

TEST_F(RelayCandidatesTest, AnObtuseTriangleIsOneThoughNoThreeStar) {
  const Point sensors[] = {{0, 0}, {18, 0}, {9, 5}};
  const auto found = find(sensors, 10);
  ASSERT_EQ(found.candidates.size(), 1U);
  EXPECT_EQ(found.candidates[0].circle.centre, (Position{9, 0}));
  EXPECT_EQ(found.three_stars, 0U);
}

TEST_F(RelayCandidatesTest, TwoSensorsOfOneComponentMakeNone) {
  const Point sensors[] = {{0, 0}, {8, 0}, {4, 7}, {4, 0}};  // The last connects the first two.
  EXPECT_TRUE(find(sensors, 5).candidates.empty());
}

TEST_F(RelayCandidatesTest, TheSmallestCircleStandsForItsComponents) {
  const Point sensors[] = {{0, 0}, {8, 0}, {4, 7}, {4, 6}};
  const auto found = find(sensors, 5);
  ASSERT_EQ(found.candidates.size(), 1U);
  EXPECT_EQ(found.candidates[0].corners, (ThreeStar{0, 1, 3}));
}

TEST_F(RelayCandidatesTest, AreThoseOfAllTriples) {
  SeededRandom random;
  for (const std::int32_t radius : {40, 60, 90}) {
    const auto sensors = scattered(random, 60, -300, 600);
    const auto found = find(sensors, radius);
    using Components = std::array<std::uint32_t, 3>;
    std::map<Components, double> expected;
    for (std::uint32_t a = 0; a < sensors.size(); ++a) {
      for (std::uint32_t b = 0; b < a; ++b) {
        for (std::uint32_t c = 0; c < b; ++c) {
          Components of = {components_[a], components_[b], components_[c]};
          std::sort(of.begin(), of.end());
          const double squared = smallest_circle(sensors[a], sensors[b], sensors[c]).squared_radius;
          if (of[0] == of[1] || of[1] == of[2] || squared > radius * radius) continue;
          const auto least = expected.try_emplace(of, squared).first;
          least->second = std::min(least->second, squared);
        }
      }
    }
    std::map<Components, double> actual;
    for (const auto& [corners, circle] : found.candidates) {
      Components of = {components_[corners.a], components_[corners.b], components_[corners.c]};
      std::sort(of.begin(), of.end());
      EXPECT_TRUE(actual.emplace(of, circle.squared_radius).second);
    }
    ASSERT_EQ(actual.size(), expected.size());
    for (const auto& [of, squared] : expected) EXPECT_NEAR(actual.at(of), squared, 1e-6);
  }
}

// Three clusters at distances of 1.2 radii, whose triples are all 3-stars: all of them would take
// hours.
class DenseClusters {
 public:
  static constexpr std::int32_t kRadius = 100'000;
  static constexpr std::int32_t kDistance = 120'000;
  static constexpr std::int32_t kWidth = 20'000;

  explicit DenseClusters(std::size_t count, std::int32_t distance = kDistance,
                         std::int32_t width = kWidth) {
    SeededRandom random;
    const auto height = static_cast<std::int32_t>(std::sqrt(0.75) * distance);
    for (std::uint32_t i = 0; i < 3; ++i) {
      const Point middle = i == 2 ? Point{distance / 2, height} : Point{i == 0 ? 0 : distance, 0};
      for (const Point& point : scattered(random, count, 0, width)) {
        sensors_.push_back({middle.x + point.x, middle.y + point.y});
        components_.push_back(i);
      }
    }
  }

  CandidateSearch find(Queue& queue, std::uint64_t most, const std::stop_token& stop = {},
                       const std::function<void()>& on_sensor = {}) const {
    return find_relay_candidates(queue, sensors_, components_, kRadius,
                                 {.most_triples = most, .stop = stop, .on_sensor = on_sensor});
  }

 private:
  std::vector<Point> sensors_;
  std::vector<std::uint32_t> components_;
};

TEST_F(RelayCandidatesTest, OfDenseClustersOnlySomeTriplesAreTested) {
  constexpr std::uint64_t kMost = 1 << 17;
  const CandidateSearch found = DenseClusters(3'800).find(*queue_, kMost);
  EXPECT_TRUE(found.is_thinned);
  EXPECT_LE(found.three_stars, kMost);
  EXPECT_LE(found.tested, 6 * kMost);
  EXPECT_GE(found.three_stars, kMost / 1000);  // No thinner than necessary.
  ASSERT_EQ(found.candidates.size(), 1U);
  // Made of the corners that are nearest to each other: sides of about 1.0 radii.
  const double radius = std::sqrt(found.candidates[0].circle.squared_radius);
  EXPECT_LT(radius, 0.65 * DenseClusters::kRadius);
}

TEST_F(RelayCandidatesTest, OfThinnedClustersAreNearlyTheBest) {
  const DenseClusters clusters(100);
  const CandidateSearch all = clusters.find(*queue_, 1'000'000);
  const CandidateSearch some = clusters.find(*queue_, 100'000);
  EXPECT_FALSE(all.is_thinned);
  EXPECT_GT(all.three_stars, 900'000U);
  EXPECT_TRUE(some.is_thinned);
  EXPECT_LT(some.three_stars, 100'000U);
  ASSERT_EQ(some.candidates.size(), 1U);
  const double best = std::sqrt(all.candidates[0].circle.squared_radius);
  const double found = std::sqrt(some.candidates[0].circle.squared_radius);
  EXPECT_GE(found, best);
  EXPECT_LE(found, best + DenseClusters::kRadius / 16.0);
}

TEST_F(RelayCandidatesTest, ASearchThatIsStoppedSaysSo) {
  std::stop_source stop;
  stop.request_stop();
  const Point sensors[] = {{0, 0}, {8, 0}, {4, 7}};
  const std::uint32_t components[] = {0, 1, 2};
  try {
    find_relay_candidates(*queue_, sensors, components, 5, {.stop = stop.get_token()});
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCancelled);
  }
}

// In clusters at such distances that no triple is a 3-star, nothing is visited meanwhile. A
// sensor's triples are the least that is tested after the stop.
TEST_F(RelayCandidatesTest, ASearchThatFindsNothingIsStoppedToo) {
  const DenseClusters clusters(100, 190'000, 2'000);
  std::stop_source stop;
  int sensors = 0;
  const auto on_sensor = [&] {
    ++sensors;
    stop.request_stop();
  };
  try {
    clusters.find(*queue_, std::uint64_t{1} << 62, stop.get_token(), on_sensor);
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCancelled);
    EXPECT_NE(std::string(error.what()).find("the search for positions of relays was stopped"),
              std::string::npos);
  }
  EXPECT_EQ(sensors, 1);
}

TEST_F(RelayCandidatesTest, AreInOrderOfTheirCircles) {
  SeededRandom random;
  const auto found = find(scattered(random, 200, 0, 1100), 60);
  ASSERT_GT(found.candidates.size(), 1U);
  for (std::size_t i = 1; i < found.candidates.size(); ++i) {
    EXPECT_LE(found.candidates[i - 1].circle.squared_radius,
              found.candidates[i].circle.squared_radius);
  }
}

}  // namespace
}  // namespace millrace::three_star
