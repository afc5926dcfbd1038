// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/three_star/relay_map.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace millrace::tools {
namespace {

using three_star::Placement;

SensorGrid grid_of(const std::vector<three_star::Position>& points) {
  return {{PointColumns::kXY, points}, {.radius = 50}};
}

const MapLayer& layer(const RelayMap& map, const std::string& name) {
  return *std::find_if(map.layers().begin(), map.layers().end(),
                       [&](const MapLayer& each) { return each.name == name; });
}

// Two points and a relay between them.
Placement two_and_a_relay() {
  Placement placement;
  placement.relays = {{{50, 0}, false}};
  placement.links = {{0, 2}, {2, 1}};
  return placement;
}

TEST(RelayMapTest, PointsRelaysAndLinksAreWhereTheyAre) {
  const RelayMap map(grid_of({{0, 0}, {100, 0}}), two_and_a_relay());
  const auto& points = layer(map, "2 points").strokes;
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[1].from_x - points[0].from_x, 16'000);  // Tenths of a pixel.
  const auto& relays = layer(map, "1 relays on the tree").strokes;
  ASSERT_EQ(relays.size(), 1U);
  EXPECT_EQ(relays[0].from_x - points[0].from_x, 8'000);
  EXPECT_EQ(layer(map, "links of relays").strokes.size(), 2U);
  EXPECT_TRUE(layer(map, "links").strokes.empty());
}

TEST(RelayMapTest, NorthIsUp) {
  const RelayMap map(grid_of({{0, 0}, {0, 100}}), {});
  const auto& points = layer(map, "2 points").strokes;  // Sorted from the left, then from the top.
  ASSERT_EQ(points.size(), 2U);
  EXPECT_LT(points[0].from_y, map.height() * 2);
}

TEST(RelayMapTest, TheBarIsARoundNumberOfUnits) {
  const RelayMap map(grid_of({{0, 0}, {2000, 0}}), {});
  EXPECT_EQ(map.bar_name(), "200 units");
  EXPECT_DOUBLE_EQ(map.bar_pixels(), 160);
}

TEST(RelayMapTest, ManyPointsInAPixelAreDrawnOnce) {
  std::vector<three_star::Position> points(30'000, {5, 5});
  points.push_back({1'000'000, 1'000'000});
  const RelayMap map(grid_of(points), {});
  EXPECT_EQ(layer(map, "30001 points").strokes.size(), 2U);
}

TEST(RelayMapTest, OnePointIsDrawn) {
  const RelayMap map(grid_of({{3, 4}}), {});
  EXPECT_EQ(layer(map, "1 points").strokes.size(), 1U);
  EXPECT_GT(draw(map).height(), 0);
}

TEST(RelayMapTest, ThePictureHasThePointsColour) {
  const RelayMap map(grid_of({{0, 0}, {100, 60}}), two_and_a_relay());
  const RgbCanvas canvas = draw(map);
  for (const MapStroke& point : layer(map, "2 points").strokes) {
    EXPECT_EQ(canvas.at(point.from_x / 10, point.from_y / 10), (Rgb{0, 114, 178}));
  }
  EXPECT_EQ(canvas.at(0, 0), (Rgb{255, 255, 255}));
}

TEST(RelayMapTest, TheSvgSaysTheSame) {
  std::ostringstream svg;
  write_svg(RelayMap(grid_of({{0, 0}, {100, 0}}), two_and_a_relay()), svg);
  EXPECT_NE(svg.str().find("M24 24l800 0M824 24l800 0"), std::string::npos) << svg.str();
  EXPECT_NE(svg.str().find(">1 relays on the tree</text>"), std::string::npos);
}

}  // namespace
}  // namespace millrace::tools
