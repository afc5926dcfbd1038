// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/three_star/points/sensor_grid.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

using three_star::Point;
using three_star::Position;

constexpr double kDegree = 111'195.08;  // Metres, of a great circle of the mean sphere.

double distance(const SensorGrid& grid, std::size_t a, std::size_t b) {
  return grid.step() * std::sqrt(squared_distance(three_star::position_of(grid.points()[a]),
                                                  three_star::position_of(grid.points()[b])));
}

TEST(SensorGridTest, WholeNumbersStayAsTheyAre) {
  const PointFile file = {PointColumns::kXY, {{3, -4}, {2e9, -2e9}}};
  const SensorGrid grid(file, {.radius = 7});
  EXPECT_EQ(grid.points(), (std::vector<Point>{{3, -4}, {2'000'000'000, -2'000'000'000}}));
  EXPECT_EQ(grid.step(), 1);
  EXPECT_EQ(grid.radius(), 7);
  EXPECT_FALSE(grid.is_rounded());
}

TEST(SensorGridTest, OthersAreRoundedToFractionsOfTheRadius) {
  const PointFile file = {PointColumns::kXY, {{0.25, 0.00006}}};
  const SensorGrid grid(file, {.radius = 1});
  EXPECT_EQ(grid.points(), (std::vector<Point>{{2500, 1}}));
  EXPECT_EQ(grid.radius(), 10'000);
  EXPECT_TRUE(grid.is_rounded());
}

TEST(SensorGridTest, AGridOfOnesOwnIsTaken) {
  const PointFile file = {PointColumns::kXY, {{0.3, 0.7}}};
  const SensorGrid grid(file, {.radius = 0.3, .step = 0.1});
  EXPECT_EQ(grid.points(), (std::vector<Point>{{3, 7}}));
  EXPECT_EQ(grid.radius(), 3);
}

TEST(SensorGridTest, LargeNumbersAreCountedFromTheMiddle) {
  const PointFile file = {PointColumns::kXY, {{9e12, 5}, {9e12 + 3, 5}}};
  const SensorGrid grid(file, {.radius = 2});
  EXPECT_EQ(grid.points()[1].x - grid.points()[0].x, 3);
  EXPECT_EQ(grid.to_input(three_star::position_of(grid.points()[1])), (Position{9e12 + 3, 5}));
}

// 2^53 steps from 0 are 4.5e11: further away, doubles have no odd number of steps.
TEST(SensorGridTest, StepsAreCountedFromTheMiddleWhereNumbersAreLarge) {
  constexpr double kFar = 0x1p42;  // Doubles differ by 2^-10 there, 20 steps and a half.
  constexpr double kNext = kFar + 0x1p-10;
  const PointFile file = {PointColumns::kXY, {{kFar, 0}, {kNext, 0.5}, {kFar + 0x1p-9, 0}}};
  const SensorGrid grid(file, {.radius = 0.5});
  EXPECT_TRUE(grid.is_rounded());
  EXPECT_NEAR(grid.points()[1].x - grid.points()[0].x, 0x1p-10 / 5e-5, 1);
  EXPECT_NEAR(grid.points()[2].x - grid.points()[1].x, 0x1p-10 / 5e-5, 1);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(grid.to_input(three_star::position_of(grid.points()[i])).x, file.points[i].x);
  }
  const SensorGrid exact(file, {.radius = 0.5, .step = 0x1p-10});
  EXPECT_FALSE(exact.is_rounded());
  EXPECT_EQ(exact.points()[2].x - exact.points()[0].x, 2);
}

TEST(SensorGridTest, DegreesThatAreNoneHaveTheirLocation) {
  PointFile file = {PointColumns::kLatLng, {{1, 2}, {3, 4}, {91, 2}}, "in.csv", {{0, 2}, {1, 7}}};
  const auto error_of = [&] {
    try {
      const SensorGrid grid(file, {.radius = 5});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_NE(error_of().find("in.csv: line 8: latitude 91"), std::string::npos) << error_of();
  file.lines = {};
  EXPECT_NE(error_of().find("in.csv: row 2: latitude 91"), std::string::npos) << error_of();
  file.name = {};
  EXPECT_NE(error_of().find("point 2: latitude 91"), std::string::npos) << error_of();
}

TEST(SensorGridTest, AllOf32BitsFits) {
  const PointFile file = {PointColumns::kXY, {{INT32_MIN, 0}, {INT32_MAX, 0}}};
  const SensorGrid grid(file, {.radius = 2});
  EXPECT_EQ(grid.points(), (std::vector<Point>{{INT32_MIN, 0}, {INT32_MAX, 0}}));
}

class ProjectionTest : public testing::TestWithParam<Projection> {};

TEST_P(ProjectionTest, IsTrueAtTheMiddleLatitude) {
  const PointFile file = {PointColumns::kLatLng,
                          {{60, 5}, {60, 5.001}, {59.9995, 5}, {60.0005, 5}}};
  const SensorGrid grid(file, {.radius = 10, .projection = GetParam()});
  EXPECT_NEAR(distance(grid, 0, 1), kDegree / 2000, 0.01);
  EXPECT_NEAR(distance(grid, 2, 3), kDegree / 1000, 0.01);
}

TEST_P(ProjectionTest, IsUndone) {
  const PointFile file = {PointColumns::kLatLng, {{-33, 179.25}, {-31.5, -179.75}}};
  const SensorGrid grid(file, {.radius = 100, .projection = GetParam()});
  for (std::size_t i = 0; i < 2; ++i) {
    const Position degrees = grid.to_input(three_star::position_of(grid.points()[i]));
    EXPECT_NEAR(degrees.x, file.points[i].x, 1e-6);
    EXPECT_NEAR(degrees.y, file.points[i].y, 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ProjectionTest,
                         testing::Values(Projection::kStereographic, Projection::kEquirectangular,
                                         Projection::kMercator));

using CylinderTest = ProjectionTest;

TEST_P(CylinderTest, LengthensAsItSays) {
  // The middle is at 30 degrees: distances from east to west at 60 seem cos(30) / cos(60) as long.
  const PointFile file = {PointColumns::kLatLng, {{0, 5}, {60, 5}, {60, 5.01}}};
  const SensorGrid grid(file, {.radius = 1000, .projection = GetParam()});
  EXPECT_NEAR(distance(grid, 1, 2), kDegree / 200 * 1.7320508, 0.2);
  EXPECT_NE(grid.projection_summary().find("0.87 to 1.73 times as long"), std::string::npos)
      << grid.projection_summary();
}

INSTANTIATE_TEST_SUITE_P(Both, CylinderTest,
                         testing::Values(Projection::kEquirectangular, Projection::kMercator));

TEST(SensorGridTest, LongitudesAreWrittenAsTheInputHasThem) {
  struct Convention {
    double first;
    double second;
    double middle;
  };
  for (const auto& [first, second, middle] : {Convention{179.9, -179.8, -179.95},
                                              {179.8, 180.1, 179.95},
                                              {179.9, 180.2, 180.05},
                                              {359.9, 360, 359.95},
                                              {-0.1, 0.3, 0.1}}) {
    for (const Projection projection :
         {Projection::kStereographic, Projection::kEquirectangular, Projection::kMercator}) {
      const PointFile file = {PointColumns::kLatLng, {{0, first}, {0, second}}};
      const SensorGrid grid(file, {.radius = 1000, .projection = projection});
      const three_star::Position a = three_star::position_of(grid.points()[0]);
      const three_star::Position b = three_star::position_of(grid.points()[1]);
      const Position found = grid.to_input({(a.x + b.x) / 2, (a.y + b.y) / 2});
      EXPECT_NEAR(found.y, middle, 1e-5) << grid.projection_name();
    }
  }
}

TEST(SensorGridTest, PointsFarFromTheOthersHaveARegionOfTheirOwn) {
  const std::vector<Position> near = {{60, 10}, {60, 10.002}, {60.001, 10}};
  PointFile file = {PointColumns::kLatLng, near};
  const SensorGrid alone(file, {.radius = 100});
  EXPECT_EQ(alone.regions(), 1U);
  EXPECT_NO_THROW(alone.check_placement());
  EXPECT_LT(alone.scale().most - 1, 1e-6);
  file.points.push_back({0, 0});
  file.points.push_back({-89.99, 33});
  const SensorGrid grid(file, {.radius = 100});
  EXPECT_EQ(grid.regions(), 3U);
  EXPECT_EQ(grid.inputs(), 5U);
  EXPECT_THROW(grid.check_placement(), Error);
  for (const auto& [a, b] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
    EXPECT_NEAR(distance(grid, a, b), distance(alone, a, b), 0.05);
    EXPECT_GT(distance(grid, a, 3), 200);
    EXPECT_GT(distance(grid, a, 4), 200);
  }
}

TEST(SensorGridTest, PointsOfOnePieceAreNearAcross180DegreesAndThePole) {
  const PointFile file = {PointColumns::kLatLng,
                          {{-17, 179.9992}, {-17, -179.9989}, {89.9995, 0}, {89.9995, 120}}};
  const SensorGrid grid(file, {.radius = 200});
  EXPECT_NEAR(distance(grid, 0, 1), 0.0019 * kDegree * 0.9563, 0.1);
  EXPECT_NEAR(distance(grid, 2, 3), 0.0005 * kDegree * 1.7320508, 0.1);
}

TEST(SensorGridTest, SaysWhatCannotBeProjected) {
  const PointFile wide = {PointColumns::kLatLng, {{0, 0}, {0, 20}}};
  EXPECT_THROW(SensorGrid(wide, {.radius = 2e6}), Error);
  EXPECT_NO_THROW(SensorGrid(wide, {.radius = 2e6, .projection = Projection::kEquirectangular}));
  const PointFile seam = {PointColumns::kLatLng, {{0, 0}, {0, 90}, {0, 180}, {0, 270}}};
  const SensorGrid grid(seam, {.radius = 5.1e6, .projection = Projection::kEquirectangular});
  EXPECT_NE(grid.projection_summary().find("none is seen across longitude"), std::string::npos)
      << grid.projection_summary();
}

TEST(SensorGridTest, UnnamedColumnsAreProjectedOnRequest) {
  const PointFile file = {PointColumns::kUnnamed, {{60, 5}, {61, 5}}};
  EXPECT_FALSE(SensorGrid(file, {.radius = 1}).is_lat_lng());
  const SensorGrid grid(file, {.radius = 100, .projection = Projection::kEquirectangular});
  EXPECT_NEAR(distance(grid, 0, 1), kDegree, 1);
}

TEST(SensorGridTest, OfAFileOf3StarsHasTheUnitsThatWereWritten) {
  const PointFile degrees = {PointColumns::kLatLng, {{48.1, 11.5}, {48.9, 11.7}}};
  const PointFile far = {PointColumns::kXY, {{7e9, 3.5}, {7e9 + 8, 3}}};
  const SensorGrid grids[] = {
      {degrees, {.radius = 500, .projection = Projection::kMercator}},
      {degrees, {.radius = 500, .step = 0.25}},
      {degrees, {.radius = 500, .projection = Projection::kEquirectangular}},
      {far, {.radius = 0.5}},
      {far, {.radius = 6}}};
  for (const SensorGrid& grid : grids) {
    const SensorGrid read(grid.points(), grid.radius(), grid.units());
    EXPECT_EQ(read.points(), grid.points());
    EXPECT_EQ(read.radius(), grid.radius());
    EXPECT_EQ(read.input_radius(), grid.input_radius());
    EXPECT_EQ(read.step(), grid.step());
    EXPECT_EQ(read.is_rounded(), grid.is_rounded());
    EXPECT_EQ(read.projection_name(), grid.projection_name());
    EXPECT_EQ(read.scale().most, grid.scale().most);
    for (const three_star::Position& position : three_star::positions_of(grid.points())) {
      EXPECT_EQ(read.to_input(position), grid.to_input(position));
    }
  }
}

}  // namespace
}  // namespace millrace::tools
