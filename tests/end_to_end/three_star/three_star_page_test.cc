// SPDX-License-Identifier: Apache-2.0

// The map of relays in a real browser.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/end_to_end/report/browser.h>

#include <gmock/gmock.h>

#include <string>

namespace millrace::end_to_end {
namespace {

using nlohmann::json;

// kDrawnState returns what is drawn: the colours of the canvas, the lines of the graticule, the
// scale bar, and the nodes by the pointer's position. `back` is the largest error of degrees turned
// into metres and back.
constexpr const char* kDrawnState = R"(
  const map = page.millrace;
  map.draw();
  const canvas = page.document.getElementById('map');
  const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  const colours = new Set();
  for (let i = 0; i < pixels.length; i += 4)
    if (pixels[i + 3] === 255) colours.add(pixels[i] << 16 | pixels[i + 1] << 8 | pixels[i + 2]);
  let back = 0;
  for (const [x, y] of [[0, 0], [1000, 2000], [-3000, 500]]) {
    const [bx, by] = map.forward(...map.inverse(x, y));
    back = Math.max(back, Math.abs(bx - x), Math.abs(by - y));
  }
  const scale = map.view.scale;
  const found = map.nearest(canvas.clientWidth / 2, canvas.clientHeight / 2);
  map.zoom(2, 0, 0);
  return {
    point: colours.has(0x0072b2), tree: colours.has(0xd55e00), lines: map.lines, bar: map.bar,
    back: back, zoomed: map.view.scale / scale, first: map.describe(0), last: map.describe(2),
    legend: page.document.getElementById('legend').textContent, found: found
  };
)";

class ThreeStarPageTest : public EndToEndTest {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    if (!Browser::is_there()) GTEST_SKIP() << "SKIPPED: no chromium";
  }

  json state_of(const std::string& name) {
    Browser browser(folder_);
    const json seen = browser.query(name, {}, {{"page", kDrawnState}}).at("page");
    EXPECT_THAT(browser.console(), testing::IsEmpty());
    return seen;
  }
};

TEST_F(ThreeStarPageTest, DrawsPointsRelaysAndAGraticule) {
  put("in.csv", "lat,lng\n10,179.95\n10,-179.95\n");
  run_json("three-star", {path("in.csv"), "--radius", "6000", "--grid", "0.01", "--place", "--map",
                          path("map.html")});
  const json seen = state_of("map.html");
  EXPECT_TRUE(seen.at("point"));
  EXPECT_TRUE(seen.at("tree"));
  EXPECT_GE(seen.at("lines"), 4);
  EXPECT_LT(seen.at("back"), 1e-3);
  EXPECT_NEAR(seen.at("zoomed"), 2, 1e-9);
  EXPECT_EQ(seen.at("first"), "s0, point: lat 10.000000, lng 179.950000");
  EXPECT_THAT(seen.at("last").get<std::string>(), testing::StartsWith("r0, relay on the tree"));
  EXPECT_THAT(seen.at("legend").get<std::string>(), testing::HasSubstr("2 points"));
  EXPECT_THAT(seen.at("bar").get<std::string>(), testing::HasSubstr("km"));
  EXPECT_EQ(seen.at("found"), 2) << "the relay is in the middle";
}

TEST_F(ThreeStarPageTest, HasTheOtherProjectionsToo) {
  put("in.csv", "lat,lng\n10,179.95\n10,-179.95\n");
  for (const char* const projection : {"equirectangular", "mercator"}) {
    run_json("three-star", {path("in.csv"), "--radius", "6000", "--grid", "0.01", "--place",
                            "--projection", projection, "--map", path("map.html")});
    const json seen = state_of("map.html");
    EXPECT_LT(seen.at("back"), 1e-3);
    EXPECT_EQ(seen.at("first"), "s0, point: lat 10.000000, lng 179.950000");
  }
}

TEST_F(ThreeStarPageTest, HasAGridForXAndY) {
  put("in.csv", "x,y\n100,50\n200,50\n");
  run_json("three-star", {path("in.csv"), "--radius", "60", "--place", "--map", path("map.html")});
  const json seen = state_of("map.html");
  EXPECT_TRUE(seen.at("point"));
  EXPECT_GE(seen.at("lines"), 4);
  EXPECT_EQ(seen.at("first"), "s0, point: x 100, y 50");
  EXPECT_THAT(seen.at("bar").get<std::string>(), testing::HasSubstr("unit"));
}

}  // namespace
}  // namespace millrace::end_to_end
