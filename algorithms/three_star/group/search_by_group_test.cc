// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/chunks/star_chunk.h>
#include <millrace/algorithms/three_star/group/search_by_group.h>
#include <millrace/algorithms/three_star/group/strip_plan.h>
#include <millrace/algorithms/three_star/three_star_reference.h>
#include <millrace/algorithms/three_star/three_star_test_input.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/groups.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace millrace::three_star {
namespace {

// Pieces so small that every device has some.
constexpr LeastStrip kLeast = {.work = 200, .seconds = 0};

class ThreeStarGroupTest : public conformance::GroupTest {
 protected:
  // Finds 3-stars by one of the calls.
  std::vector<ThreeStar> find(const std::vector<Point>& points, const SearchOptions& options,
                              bool as_chunks) {
    std::mutex mutex;
    std::vector<ThreeStar> found;
    const StarVisitor add = [&](std::span<const ThreeStar> some) {
      const std::lock_guard lock(mutex);
      found.insert(found.end(), some.begin(), some.end());
    };
    const ChunkVisitor add_chunk = [&](const StarChunk& chunk) { chunk.visit(add); };
    StarSink sink;
    if (as_chunks) {
      sink.chunks = &add_chunk;
    } else {
      sink.stars = &add;
    }
    const SearchReport report = search_by_group(group, points, options, sink, kLeast);
    EXPECT_EQ(report.three_stars, found.size());
    EXPECT_TRUE(report.form.has_value() || points.empty());
    std::sort(found.begin(), found.end());
    return found;
  }

  SeededRandom random;
};

TEST_P(ThreeStarGroupTest, FindsWhatTheReferenceFinds) {
  for (const Sensors& sensors : all_kinds(random, 15)) {
    SCOPED_TRACE(sensors.name);
    const SearchOptions options = {.radius = sensors.radius};
    const auto expected = find_three_stars_reference(sensors.points, sensors.radius);
    const SearchReport counted = search_by_group(group, sensors.points, options, {}, kLeast);
    EXPECT_EQ(counted.three_stars, expected.size());
    EXPECT_EQ(counted.pairs, count_three_stars(group.queue(0), sensors.points, options).pairs);
    EXPECT_EQ(find(sensors.points, options, true), expected);
    EXPECT_EQ(find(sensors.points, options, false), expected);
    EXPECT_EQ(find(sensors.points, {.radius = sensors.radius, .form = StarForm::kRaw}, false),
              expected);
  }
}

TEST_P(ThreeStarGroupTest, SaysWhatEachDeviceDid) {
  const std::vector<Point> points = scattered(random, 300, -200, 400);
  const SearchReport report = search_by_group(group, points, {.radius = 50}, {}, kLeast);
  if (group.size() == 1) return;
  ASSERT_EQ(report.portions.size(), group.size());
  // The devices' numbers depend on their speeds; together they have each strip once.
  std::uint64_t items = 0;
  for (std::size_t i = 0; i < group.size(); ++i) {
    EXPECT_EQ(report.portions[i].device, group.device(i)->info().name);
    EXPECT_EQ(report.portions[i].pieces > 0, report.portions[i].items > 0);
    items += report.portions[i].items;
  }
  const CellGrid grid(group.queue(0), points, 50);
  EXPECT_EQ(items, StripPlan(grid).work());
}

TEST_P(ThreeStarGroupTest, LeavesLittleWorkToOneDevice) {
  const std::vector<Point> points = scattered(random, 40, -200, 400);
  const SearchReport report = count_three_stars(group, points, {.radius = 50});
  EXPECT_EQ(report.three_stars, find_three_stars_reference(points, 50).size());
  const auto at_work = std::count_if(report.portions.begin(), report.portions.end(),
                                     [](const DevicePortion& each) { return each.pieces > 0; });
  EXPECT_EQ(at_work, group.size() == 1 ? 0 : 1);
}

TEST_P(ThreeStarGroupTest, ThrowsWhatAVisitorThrows) {
  const std::vector<Point> points = scattered(random, 200, -150, 300);
  const StarVisitor fail = [](std::span<const ThreeStar>) { throw std::runtime_error("full"); };
  EXPECT_THROW(search_by_group(group, points, {.radius = 50}, {.stars = &fail}, kLeast),
               std::runtime_error);
  EXPECT_EQ(count_three_stars(group, points, {.radius = 50}).three_stars,
            find_three_stars_reference(points, 50).size());
}

TEST_P(ThreeStarGroupTest, StopsOnRequest) {
  const std::vector<Point> points = scattered(random, 100, -150, 300);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(search_by_group(group, points, {.radius = 50, .stop = stop.get_token()}, {}, kLeast),
               Error);
}

TEST_P(ThreeStarGroupTest, RejectsWhatOneDeviceRejects) {
  EXPECT_THROW(count_three_stars(group, {}, {.radius = 0}), Error);
  EXPECT_EQ(count_three_stars(group, {}, {.radius = 5}).three_stars, 0U);
}

INSTANTIATE_TEST_SUITE_P(Groups, ThreeStarGroupTest, testing::ValuesIn(conformance::group_names()),
                         conformance::name_of_group);

}  // namespace
}  // namespace millrace::three_star
